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
    this.#shift(row * columns, (this.bottom + 1) * columns, count * columns);
  }

  scrollDown(row: number, count: number): void {
    this.scrollUp(row, -count);
  }

  /** Shifts the rest of the row from the cursor to the right or, if `count` is negative, to the left. */
  shiftLine(count: number): void {
    const { cursor, columns } = this.#state.space;
    this.#shift(cursor, cursor - (cursor % columns) + columns, -count);
  }

  /** Moves the content of positions towards `start` or, if `count` is negative, towards `end`. */
  #shift(start: BufferAddress, end: BufferAddress, count: number): void {
    const gone = Math.min(Math.abs(count), end - start);
    const [from, to] = count > 0 ? [start + gone, start] : [start, start + gone];
    this.#move(from, to, end - start - gone);
    if (count > 0) this.clear(end - gone, end);
    else this.clear(start, start + gone);
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
