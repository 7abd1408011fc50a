import { type StopSignal, StopSource } from '../lib/stop-signal.js';

/**
 * Does something within a time, and for as long as it is wanted.
 * @param over what its signal is aborted with when the time is over
 * @throws whatever it throws: by `signal` or `over`, where it listens to what it is given
 */
export async function withinTime<Result>(
  milliseconds: number,
  signal: AbortSignal,
  over: Error,
  work: (signal: StopSignal) => Promise<Result>,
): Promise<Result> {
  signal.throwIfAborted();
  const controller = new StopSource();
  const give = () => controller.abort(signal.reason);
  const timer = setTimeout(() => controller.abort(over), milliseconds);
  signal.addEventListener('abort', give, { once: true });
  try {
    return await work(controller);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', give);
  }
}

/** Whole ones, 1 at least: for whoever is told to wait. */
export function secondsOf(milliseconds: number): number {
  return Math.max(1, Math.ceil(milliseconds / 1_000));
}
