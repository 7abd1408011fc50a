const FIRST_CAPACITY = 65_536;

/** Stores every latency in milliseconds, for exact percentiles. */
export class Latencies {
  #values = new Float64Array(FIRST_CAPACITY);
  #count = 0;

  get count(): number {
    return this.#count;
  }

  add(milliseconds: number): void {
    if (this.#count === this.#values.length) {
      const larger = new Float64Array(this.#count * 2);
      larger.set(this.#values);
      this.#values = larger;
    }
    this.#values[this.#count] = milliseconds;
    this.#count += 1;
  }

  /** Nearest-rank percentile. @param share 0 to 1 @returns NaN without values */
  percentile(share: number): number {
    const sorted = this.#values.slice(0, this.#count).sort();
    return sorted[Math.max(0, Math.ceil(share * this.#count) - 1)] ?? Number.NaN;
  }
}
