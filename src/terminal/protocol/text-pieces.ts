import type { TextPiece } from './server-message.js';
import { SEVERAL_UNITS, type ShownCells } from './shown-cells.js';

/** Pieces with fewer positions to leave out between them cost less as one. */
const JOINED_ACROSS = 6;

/** Text of the cells that are not left out, and of a few between them. */
export function textPieces({ units, text, wide }: ShownCells, isLeftOut: (at: number) => boolean): TextPiece[] {
  const pieces: TextPiece[] = [];
  for (let at = 0; at < units.length; at++) {
    if (isLeftOut(at)) continue;
    if (units[at] === SEVERAL_UNITS) {
      pieces.push([at, [wide.get(at) ?? '']]);
      continue;
    }
    let end = at + 1;
    for (let next = end; next < units.length && next < end + JOINED_ACROSS; next++) {
      if (units[next] === SEVERAL_UNITS) break;
      if (!isLeftOut(next)) end = next + 1;
    }
    pieces.push([at, text.slice(at, end)]);
    at = end - 1;
  }
  return pieces;
}
