import type { BufferAddress } from '../datastream/buffer-address.js';
import type { ScreenState } from './screen-state.js';

export class NvtRegion {
  readonly #state: ScreenState;
  #rows: { readonly top: number; readonly bottom: number } | undefined;

  constructor(state: ScreenState) {
    this.#state = state;
  }

  get top(): number {
    return this.#rows?.top ?? 0;
  }

  get bottom(): number {
    return this.#rows?.bottom ?? this.#state.space.rows - 1;
  }

  reset(): void {
    this.#rows = undefined;
  }

  /** @returns false if the rows are not valid */
  set(top: number, bottom: number): boolean {
    const { rows } = this.#state.space;
    if (top >= bottom || bottom >= rows) return false;
    this.#rows = top === 0 && bottom === rows - 1 ? undefined : { top, bottom };
    return true;
  }

  holds(row: number): boolean {
    return row >= this.top && row <= this.bottom;
  }

  scrollUp(row: number, count: number): void {
    const { columns } = this.#state.space;
    const start = row * columns;
    const end = (this.bottom + 1) * columns;
    const gone = Math.min(count * columns, end - start);
    this.#move(start + gone, start, end - start - gone);
    this.clear(end - gone, end);
  }

  scrollDown(row: number, count: number): void {
    const { columns } = this.#state.space;
    const start = row * columns;
    const end = (this.bottom + 1) * columns;
    const gone = Math.min(count * columns, end - start);
    this.#move(start, start + gone, end - start - gone);
    this.clear(start, start + gone);
  }

  /** Shifts the rest of the row from the cursor to the right or, if `count` is negative, to the left. */
  shiftLine(count: number): void {
    const { cursor, columns } = this.#state.space;
    const end = cursor - (cursor % columns) + columns;
    if (count > 0) {
      this.#move(cursor, cursor + count, end - cursor - count);
      this.clear(cursor, cursor + count);
    } else {
      this.#move(cursor - count, cursor, end - cursor + count);
      this.clear(end + count, end);
    }
  }

  clear(start: BufferAddress, end: BufferAddress): void {
    if (start === 0 && end === this.#state.space.positions) this.#state.noteErased();
    this.#state.space.planes.clearRange(start, end);
    this.#state.lineCharacters?.fill(0, start, end);
  }

  #move(from: BufferAddress, to: BufferAddress, count: number): void {
    const { space, lineCharacters } = this.#state;
    space.planes.moveRange(from, to, count);
    lineCharacters?.copyWithin(to, from, from + count);
  }
}
