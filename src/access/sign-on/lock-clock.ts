interface Seen {
  readonly since: string;
  /** By the clock that nobody sets. */
  readonly endsAt: number;
}

/** Locks that are timed at the same moment; the one timed longest is read from the file again. */
const MOST_TIMED = 10_000;

/**
 * How long users stay locked. The file says since when, by the clock of the wall; from the moment that a lock is first seen its
 * rest is counted by a clock that nobody sets, so that setting the other one back or ahead neither unlocks nor locks.
 */
export class LockClock {
  readonly #milliseconds: number;
  readonly #now: () => number;
  readonly #elapsed: () => number;
  readonly #seen = new Map<string, Seen>();

  constructor(milliseconds: number, now: () => number, elapsed: () => number) {
    this.#milliseconds = milliseconds;
    this.#now = now;
    this.#elapsed = elapsed;
  }

  /** @param since ISO 8601, as the file has it */
  isOver(name: string, since: string): boolean {
    return this.#elapsed() >= this.#endOf(name, since);
  }

  #endOf(name: string, since: string): number {
    const known = this.#seen.get(name);
    if (known?.since === since) return known.endsAt;
    // one of the future was written before the clock was set back: it begins now
    const age = Math.max(0, this.#now() - Date.parse(since));
    const endsAt = this.#elapsed() + Math.max(0, this.#milliseconds - age);
    this.#seen.set(name, { since, endsAt });
    for (const oldest of this.#seen.keys()) {
      if (this.#seen.size <= MOST_TIMED) break;
      this.#seen.delete(oldest);
    }
    return endsAt;
  }
}
