import { BLANK, NULL, RIGHT_HALF, SHIFT_IN, SHIFT_OUT } from './cell-signs.js';

/** The text that cells hold, nulls as blanks; what shift codes the host needs it makes itself. */
export function textOfCells(cells: Iterable<string>): string {
  let text = '';
  for (const cell of cells) {
    if (cell === RIGHT_HALF || cell === SHIFT_OUT || cell === SHIFT_IN) continue;
    text += cell === NULL ? BLANK : cell;
  }
  return text;
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
