import { WORKER_CODE_VARIABLE } from '../../config/worker-code.js';

/** Undefined: nothing serves yet. */
let restart: (() => void) | undefined;
let isTaken = false;

/** Has SIGUSR2 no longer end the process. One that comes before there are workers has nothing to restart. */
export function takeRestartSignals(): void {
  // a worker that is drained before it serves ends by it
  if (isTaken || process.env[WORKER_CODE_VARIABLE] !== undefined) return;
  isTaken = true;
  process.on('SIGUSR2', () => restart?.());
}

export function restartOnSignal(whenAsked: () => void): void {
  restart = whenAsked;
  takeRestartSignals();
}
