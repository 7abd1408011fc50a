import { blankLeadingNulls, makeRoom } from '../../../src/tn3270/keyboard/insertion.js';
import { type OperatorError, operatorErrors } from '../../../src/tn3270/keyboard/operator-errors.js';
import { BLANK, RIGHT_HALF } from './cell-signs.js';
import { positionsAtHost } from './entry-text.js';
import type { PresentationBuffer } from './presentation-buffer.js';

/** Writes at the cursor if the host, too, has room, including shift codes. Leaves the cursor on the character. */
export function writeCells(
  buffer: PresentationBuffer,
  cell: string,
  width: 1 | 2,
  inserts: boolean,
  fillsBlanks: boolean,
): OperatorError | undefined {
  const start = buffer.leftHalf(buffer.cursor);
  const right = buffer.next(start);
  if (width === 2 && buffer.isFieldAttribute(right)) return operatorErrors.doubleByte;
  const undo = rememberEntry(buffer, start);
  if (inserts && !makeRoom(buffer, start, width, fillsBlanks ? 'blanks' : 'nulls')) return operatorErrors.overflow;
  put(buffer, start, cell);
  if (width === 2) put(buffer, right, RIGHT_HALF);
  const field = buffer.fieldOf(start);
  if (field !== undefined && !fitsAtHost(buffer, field)) {
    undo();
    return operatorErrors.doubleByte;
  }
  if (fillsBlanks && field !== undefined) blankLeadingNulls(buffer, field, start);
  buffer.cursor = start;
  return undefined;
}

/** Overwrites a position. If it halves a double-byte character, the other half becomes blank. */
function put(buffer: PresentationBuffer, at: number, cell: string): void {
  const right = buffer.next(at);
  if (buffer.isRightHalf(at) && cell !== RIGHT_HALF) buffer.setCell(buffer.previous(at), BLANK);
  if (buffer.isRightHalf(right)) buffer.setCell(right, BLANK);
  buffer.setCell(at, cell);
}

function fitsAtHost(buffer: PresentationBuffer, field: number): boolean {
  const cells = Array.from(buffer.positionsOf(field), (position) => buffer.cells[position] as string);
  return !cells.includes(RIGHT_HALF) || positionsAtHost(cells) <= cells.length;
}

function rememberEntry(buffer: PresentationBuffer, at: number): () => void {
  const end = buffer.endOfEntry(at);
  const before: [number, string, PresentationBuffer['styles'][number]][] = [];
  let position = at;
  do {
    before.push([position, buffer.cells[position] as string, buffer.styles[position]]);
    position = buffer.next(position);
  } while (position !== end);
  return () => {
    for (const [address, cell, style] of before) {
      buffer.cells[address] = cell;
      buffer.styles[address] = style;
    }
  };
}
