/**
 * Whether, and why, the keyboard takes nothing: 0 free, 1 the host has it, 2 nobody to type for, the name of an operator error,
 * or `programCheck NUMBER/COUNT` for a faulty record of the host.
 */
export type LockCode = 0 | 1 | 2 | (string & {});

/** @param count of the faulty records so far: it tells one from the next, as Reset is the page's own affair */
export function programCheckLock(number: number, count: number): LockCode {
  return `programCheck ${number}/${count}`;
}

/** The number behind X PROG; undefined where a lock is another. */
export function programCheckOf(lock: LockCode | undefined): string | undefined {
  return /^programCheck (\d+)\//.exec(String(lock))?.[1];
}
