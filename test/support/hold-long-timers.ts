/**
 * Timers of so many milliseconds and more do not fire from now on, those apart that run already: what waits for one waits
 * until the time limit of the test, however busy the machine is.
 *
 * @returns what lets later timers fire again
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

/** As long as Node's timers can be. */
const NEVER = 2 ** 31 - 1;
