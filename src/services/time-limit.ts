import { StopSource } from '../lib/stop-signal.js';

/**
 * Runs `work` with a signal that is aborted after a time or together with `signal`.
 * @param over abort reason after the time
 * @throws errors of `work`, usually the abort reason
 */
export async function withinTime<Result>(
  milliseconds: number,
  signal: AbortSignal,
  over: Error,
  work: (signal: StopSource) => Promise<Result>,
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

export function secondsOf(milliseconds: number): number {
  return Math.max(1, Math.ceil(milliseconds / 1_000));
}
