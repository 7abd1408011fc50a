/** Users who are counted at the same time; the one counted longest is forgotten. */
const MOST_COUNTED = 10_000;

interface Count {
  failed: number;
  underWay: number;
}

/** Failures in a row, each with those that are under way: as many as are allowed may be tried at once, and no more. */
export class FailureCount {
  readonly #most: number;
  readonly #counts = new Map<string, Count>();

  constructor(most: number) {
    this.#most = most;
  }

  /** @returns false where one more try is too many */
  begin(key: string): boolean {
    const count = this.#counts.get(key) ?? { failed: 0, underWay: 0 };
    if (count.failed + count.underWay >= this.#most) return false;
    count.underWay++;
    this.#counts.set(key, count);
    for (const oldest of this.#counts.keys()) {
      if (this.#counts.size <= MOST_COUNTED) break;
      this.#counts.delete(oldest);
    }
    return true;
  }

  end(key: string, hasSucceeded: boolean): void {
    const count = this.#counts.get(key);
    if (count === undefined) return;
    count.underWay--;
    if (hasSucceeded) count.failed = 0;
    else count.failed++;
    if (count.failed === 0 && count.underWay === 0) this.#counts.delete(key);
  }

  isReached(key: string): boolean {
    return (this.#counts.get(key)?.failed ?? 0) >= this.#most;
  }

  forget(key: string): void {
    this.#counts.delete(key);
  }
}
