/**
 * How many positions the orders of one record may fill, and how many its structured fields may erase, settle or tell: either can take
 * the whole presentation space in a few bytes. So this, and not the length of the record, bounds the time: some 10 ms each.
 */
export const MOST_FILLED_POSITIONS = 1 << 21;

/** Counts what a record asks for. */
export class RecordBudget {
  #filled = 0;
  #swept = 0;

  begin(): void {
    this.#filled = 0;
    this.#swept = 0;
  }

  /** @returns whether an order may fill so many more */
  fill(positions: number): boolean {
    this.#filled += positions;
    return this.#filled <= MOST_FILLED_POSITIONS;
  }

  /** Looking counts as filling does, so that no record can take long by either. */
  readonly look = (positions: number): void => {
    this.#filled += positions;
  };

  /** Of a structured field, over all that there is. */
  sweep(positions: number): void {
    this.#swept += positions;
  }

  /** Whether structured fields have asked for as much as one record may. */
  get isExhausted(): boolean {
    return this.#swept > MOST_FILLED_POSITIONS;
  }
}
