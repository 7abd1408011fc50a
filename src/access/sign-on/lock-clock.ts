interface Seen {
  readonly since: string;
  readonly endsAt: number;
}

/** Limit of locks with a timer. The oldest is evicted and read from the file again. */
const MOST_TIMED = 10_000;

/**
 * Measures how long users stay locked. The file has the start by the system clock. From the first time this process
 * sees a lock, it measures the remaining time with a monotonic clock, so that setting the system clock neither ends nor
 * extends a lock.
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

  isOver(name: string, since: string): boolean {
    return this.#elapsed() >= this.#endOf(name, since);
  }

  #endOf(name: string, since: string): number {
    const known = this.#seen.get(name);
    if (known?.since === since) return known.endsAt;
    // A time in the future was written before the system clock was set back. Such a lock starts now.
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
