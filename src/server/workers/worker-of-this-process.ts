import cluster from 'node:cluster';
import { workerCode } from '../../config/worker-code.js';

/** The code of this process where a supervisor has started it; undefined: it is alone, or the supervisor. */
export function workerOfThisProcess(): string | undefined {
  return cluster.isWorker ? workerCode() : undefined;
}
