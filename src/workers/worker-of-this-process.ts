import cluster from 'node:cluster';

/** The code of this process where a supervisor has started it; undefined: it is alone, or the supervisor. */
export function workerOfThisProcess(): string | undefined {
  return cluster.isWorker ? process.env.SALLYPORT_NODE : undefined;
}
