import { BLANK, NULL, RIGHT_HALF, SHIFT_IN, SHIFT_OUT } from './cell-signs.js';

/** Text of cells, nulls as U+0000, without shift codes: the host inserts them. */
export function textOfCells(cells: Iterable<string>): string {
  let text = '';
  for (const cell of cells) if (cell !== RIGHT_HALF && cell !== SHIFT_OUT && cell !== SHIFT_IN) text += cell;
  return text;
}

/** Removes trailing nulls and blanks. */
export function withoutEnd(text: string): string {
  let end = text.length;
  while (text[end - 1] === NULL || text[end - 1] === BLANK) end--;
  return text.slice(0, end);
}

/** Number of positions at the host, including shift-out and shift-in around double-byte characters. */
export function positionsAtHost(cells: readonly string[]): number {
  let last = cells.length;
  while (last > 0 && (cells[last - 1] === NULL || cells[last - 1] === BLANK)) last--;
  let taken = 0;
  let inSubfield = false;
  for (let at = 0; at < last; at++) {
    const cell = cells[at] as string;
    if (cell === SHIFT_OUT || cell === SHIFT_IN) continue;
    const isWide = cell === RIGHT_HALF || cells[at + 1] === RIGHT_HALF;
    if (isWide && !inSubfield) taken += 2;
    inSubfield = isWide;
    taken++;
  }
  return taken;
}
