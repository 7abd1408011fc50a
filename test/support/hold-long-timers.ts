/**
 * Prevents new timers of at least this length from firing; earlier timers are not affected. So code that waits for such
 * a timer reaches the time limit of the test, however busy the machine is.
 * @returns ends the effect for later timers
 */
export function holdLongTimers(milliseconds: number): () => void {
  const { setTimeout: real } = globalThis;
  const held = (callback: (...args: unknown[]) => void, delay = 0, ...args: unknown[]) =>
    real(callback, delay >= milliseconds ? NEVER : delay, ...args);
  globalThis.setTimeout = Object.assign(held, real);
  return () => {
    globalThis.setTimeout = real;
  };
}

/** Longest delay of setTimeout. */
const NEVER = 2 ** 31 - 1;
