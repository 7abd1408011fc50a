import { NULL } from './cell-signs.js';
import type { PresentationBuffer } from './presentation-buffer.js';

/**
 * Makes room for `count` characters at an address by moving what stands there to the right over the nearest nulls.
 * @returns false where there is no room; nothing has moved then
 */
export function makeRoom(buffer: PresentationBuffer, address: number, count: number): boolean {
  const end = buffer.endOfEntry(address);
  const holes: number[] = [];
  let at = address;
  do {
    if (buffer.cells[at] === NULL) holes.push(at);
    at = buffer.next(at);
  } while (at !== end && holes.length < count);
  if (holes.length < count) return false;
  for (const hole of holes) closeHole(buffer, hole, address);
  return true;
}

/** Moves what stands from `address` up to the hole one position to the right; `address` is free then. */
function closeHole(buffer: PresentationBuffer, hole: number, address: number): void {
  for (let at = hole; at !== address; ) {
    const left = buffer.previous(at);
    buffer.copyCell(left, at);
    at = left;
  }
}
