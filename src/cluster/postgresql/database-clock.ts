/** Clocks that are less apart than this are taken for the same: how long an answer takes is measured with them. */
const LEAST_MILLISECONDS = 2_000;
/** An answer that took longer says too little about the time. */
const LONGEST_MEASUREMENT = 1_000;

/**
 * What the clock of this process is behind the one of the database, so that times which several nodes compare are those of
 * one clock. Measured with each new connection.
 */
export class DatabaseClock {
  readonly #now: () => number;
  #offset = 0;
  #isMeasured = false;

  /** @param now the clock of this process, which nobody sets */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** Now, by the clock of the database. */
  now(): number {
    return this.toDatabase(this.#now());
  }

  /** @param now of the database; the others of this process, before and after it was asked */
  measured(now: number, asked: number, answered: number): void {
    // one that says little is better than none
    if (this.#isMeasured && answered - asked > LONGEST_MEASUREMENT) return;
    this.#isMeasured = true;
    const offset = Math.round(now - (asked + answered) / 2);
    this.#offset = Math.abs(offset) < LEAST_MILLISECONDS ? 0 : offset;
  }

  /** A time of this process as the database has it. */
  toDatabase(milliseconds: number): number {
    return milliseconds + this.#offset;
  }

  /** A time of the database as this process has it. */
  fromDatabase(milliseconds: number): number {
    return milliseconds - this.#offset;
  }
}
