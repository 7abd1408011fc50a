const MINUTE = 60_000;
/** Limit per session. A host can send invalid data thousands of times per second. */
const MOST_LINES_A_MINUTE = 20;

/** Limits log lines that others can cause. Omitted lines are counted in the next line. */
export class PacedLines {
  #since = Number.NEGATIVE_INFINITY;
  #written = 0;
  #leftOut = 0;

  get leftOut(): number {
    return this.#leftOut;
  }

  say(write: (leftOut: number | undefined) => void): void {
    const now = performance.now();
    if (now - this.#since >= MINUTE) {
      this.#since = now;
      this.#written = 0;
    }
    if (this.#written >= MOST_LINES_A_MINUTE) {
      this.#leftOut++;
      return;
    }
    this.#written++;
    const before = this.#leftOut;
    this.#leftOut = 0;
    write(before === 0 ? undefined : before);
  }
}
