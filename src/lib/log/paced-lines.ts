const MINUTE = 60_000;
/** Lines of the log that one session may bring about in a minute: a host can send what is wrong thousands of times a second. */
const MOST_LINES_A_MINUTE = 20;

/** How often the log says something that others bring about: what is too much is counted, and told with the next line. */
export class PacedLines {
  #since = Number.NEGATIVE_INFINITY;
  #written = 0;
  #leftOut = 0;

  /** Lines that were left out since the last one that was written. */
  get leftOut(): number {
    return this.#leftOut;
  }

  /** @param write is told how many lines were left out before this one; undefined: none */
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
