import type { BufferAddress } from '../datastream/buffer-address.js';
import { formatControls, SPACE } from '../datastream/orders.js';
import type { PresentationSpace } from './presentation-space.js';

const UNDERSCORE = 0x6d;

/**
 * The address behind the last position that takes part when characters are inserted or deleted at an address: the end of
 * the field or, on an unformatted screen, of the line.
 */
export function endOfEntry(space: PresentationSpace, address: BufferAddress): BufferAddress {
  if (!space.formatted) return ((Math.floor(address / space.columns) + 1) * space.columns) % space.positions;
  const { fieldAttributes } = space.planes;
  let end = space.next(address);
  while (end !== address && fieldAttributes[end] === 0) end = space.next(end);
  return end;
}

/**
 * Makes room for `count` characters at an address by moving what stands there to the right over the nearest nulls.
 * @param overBlanks also over blanks and underscores that a null, or the end of the field, follows
 * @returns false where there is no room; nothing has moved then
 */
export function makeRoom(
  space: PresentationSpace,
  address: BufferAddress,
  count: number,
  overBlanks: boolean,
): boolean {
  const { planes } = space;
  const end = endOfEntry(space, address);
  const holes: BufferAddress[] = [];
  /** Blanks that are holes if nothing but blanks and nulls follow. */
  let blanks: BufferAddress[] = [];
  let at = address;
  do {
    const code = planes.codes[at];
    if (code === formatControls.null) {
      holes.push(...blanks, at);
      blanks = [];
    } else if (overBlanks && (code === SPACE || code === UNDERSCORE)) {
      blanks.push(at);
    } else {
      blanks = [];
    }
    at = space.next(at);
  } while (at !== end && holes.length < count);
  holes.push(...blanks);
  if (holes.length < count) return false;
  for (const hole of holes.slice(0, count)) closeHole(space, hole, address);
  return true;
}

/** Moves what stands from `address` up to the hole one position to the right; `address` is free then. */
function closeHole(space: PresentationSpace, hole: BufferAddress, address: BufferAddress): void {
  for (let at = hole; at !== address; ) {
    const left = space.previous(at);
    space.planes.copyCharacter(left, at);
    at = left;
  }
}
