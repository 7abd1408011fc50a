/** `programCheck NUMBER/COUNT`: the lock code of a faulty record of the host. */
const programCheck = /^programCheck (\d+)\//;

/** The number behind X PROG; undefined where a lock is another. */
export function programCheckOf(lock: unknown): string | undefined {
  return programCheck.exec(String(lock))?.[1];
}
