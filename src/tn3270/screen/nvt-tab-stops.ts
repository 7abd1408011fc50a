const TAB_WIDTH = 8;

/** Columns that a tab goes to: every eighth, until the host says otherwise. */
export class NvtTabStops {
  /** Those that the host has set or cleared. */
  readonly #changed = new Map<number, boolean>();
  #usual = true;

  reset(): void {
    this.#changed.clear();
    this.#usual = true;
  }

  set(column: number, isStop: boolean): void {
    this.#changed.set(column, isStop);
  }

  clear(): void {
    this.#changed.clear();
    this.#usual = false;
  }

  /** The column behind so many tabs; the last one where there are no more. */
  next(column: number, count: number, columns: number): number {
    let left = count;
    for (let at = column + 1; at < columns - 1; at++) {
      const isStop = this.#changed.get(at) ?? (this.#usual && at % TAB_WIDTH === 0);
      if (isStop && --left === 0) return at;
    }
    return columns - 1;
  }
}
