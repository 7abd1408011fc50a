/**
 * Milliseconds since 1970 as this process began with them, going on by a clock that nobody sets: what is counted with them
 * neither ends nor lasts longer where the clock of the wall is set, and other processes can read them.
 */
export function steadyNow(): number {
  return Math.floor(performance.timeOrigin + performance.now());
}
