/**
 * Milliseconds since 1970 at the start of the process, plus the monotonic time since then. Setting the system clock
 * does not affect it, and other processes can compare it.
 */
export function steadyNow(): number {
  return Math.floor(performance.timeOrigin + performance.now());
}
