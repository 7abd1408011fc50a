import { BLANK, NULL, RIGHT_HALF, SHIFT_IN, SHIFT_OUT } from './cell-signs.js';

/** The text that cells hold, nulls as U+0000; what shift codes the host needs it makes itself. */
export function textOfCells(cells: Iterable<string>): string {
  let text = '';
  for (const cell of cells) if (cell !== RIGHT_HALF && cell !== SHIFT_OUT && cell !== SHIFT_IN) text += cell;
  return text;
}

/** Without the nulls and blanks of its end. */
export function withoutEnd(text: string): string {
  let end = text.length;
  while (text[end - 1] === NULL || text[end - 1] === BLANK) end--;
  return text.slice(0, end);
}

/** How many positions cells take at the host, where shift-out and shift-in stand round double-byte characters. */
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
