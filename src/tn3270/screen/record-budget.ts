/**
 * Limit per record on positions filled by orders, and on positions erased, updated or sent. A few bytes may affect the
 * whole presentation space, so this limit bounds the time: about 10 ms each.
 */
export const MOST_FILLED_POSITIONS = 1 << 21;

export class RecordBudget {
  #filled = 0;
  #swept = 0;

  begin(): void {
    this.#filled = 0;
    this.#swept = 0;
  }

  fill(positions: number): boolean {
    this.#filled += positions;
    return this.#filled <= MOST_FILLED_POSITIONS;
  }

  readonly look = (positions: number): void => {
    this.#filled += positions;
  };

  sweep(positions: number): void {
    this.#swept += positions;
  }

  get isExhausted(): boolean {
    return this.#swept > MOST_FILLED_POSITIONS;
  }
}
