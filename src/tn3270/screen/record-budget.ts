/**
 * Limit on the positions that the orders of one record fill, and on those that its structured fields erase, update or
 * send. A few bytes may affect the whole presentation space, so this limit bounds the time instead of the record's
 * length: about 10 ms each.
 */
export const MOST_FILLED_POSITIONS = 1 << 21;

export class RecordBudget {
  #filled = 0;
  #swept = 0;

  begin(): void {
    this.#filled = 0;
    this.#swept = 0;
  }

  /** @returns false if the limit is exceeded */
  fill(positions: number): boolean {
    this.#filled += positions;
    return this.#filled <= MOST_FILLED_POSITIONS;
  }

  /** Examined positions count as filled positions. */
  readonly look = (positions: number): void => {
    this.#filled += positions;
  };

  /** For operations on the whole screen, mainly by structured fields. */
  sweep(positions: number): void {
    this.#swept += positions;
  }

  get isExhausted(): boolean {
    return this.#swept > MOST_FILLED_POSITIONS;
  }
}
