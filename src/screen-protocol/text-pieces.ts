import { RIGHT_HALF_SIGN } from './right-half.js';
import type { TextPiece } from './server-message.js';

/** Pieces with fewer positions to leave out between them cost less as one. */
const JOINED_ACROSS = 6;

/** Text of the cells that are not left out, and of a few between them. */
export function textPieces(cells: readonly string[], isLeftOut: (at: number) => boolean): TextPiece[] {
  const pieces: TextPiece[] = [];
  for (let at = 0; at < cells.length; at++) {
    if (isLeftOut(at)) continue;
    if (takesSeveralUnits(cells, at)) {
      pieces.push([at, [cells[at] as string]]);
      continue;
    }
    let end = at + 1;
    for (let next = end; next < cells.length && next < end + JOINED_ACROSS; next++) {
      if (takesSeveralUnits(cells, next)) break;
      if (!isLeftOut(next)) end = next + 1;
    }
    let text = '';
    for (let position = at; position < end; position++) text += cells[position] || RIGHT_HALF_SIGN;
    pieces.push([at, text]);
    at = end - 1;
  }
  return pieces;
}

function takesSeveralUnits(cells: readonly string[], at: number): boolean {
  return (cells[at] ?? '').length > 1;
}
