import type { BufferAddress } from '../datastream/buffer-address.js';
import { isProtected } from '../datastream/field-attribute.js';
import { SPACE } from '../datastream/orders.js';
import { doubleByteStates } from './planes.js';
import type { PresentationSpace } from './presentation-space.js';

/** Where the cursor goes. All keys wrap round the end of the buffer. */
export type CursorKey = (space: PresentationSpace) => BufferAddress;

export const cursorKeys = {
  Up: (space) => (space.cursor - space.columns + space.positions) % space.positions,
  Down: (space) => (space.cursor + space.columns) % space.positions,
  Left: (space) => leftHalf(space, space.previous(space.cursor)),
  Right: (space) => {
    const right = space.next(space.cursor);
    return space.planes.doubleByte[right] === doubleByteStates.right ? space.next(right) : right;
  },
  Home: (space) => (space.formatted ? space.nextUnprotected(space.positions - 1) : 0),
  Tab: (space) => (space.formatted ? space.nextUnprotected(space.cursor) : 0),
  BackTab: (space) => (space.formatted ? previousUnprotected(space) : 0),
  /** The first place to type in on the next line, or behind. */
  Newline: (space) => {
    const line = Math.floor(((space.cursor + space.columns) % space.positions) / space.columns) * space.columns;
    if (space.isFieldAttribute(line) || isProtected(space.attributeOf(line))) return space.nextUnprotected(line);
    return line;
  },
  FieldEnd: behindLastCharacter,
} as const satisfies Record<string, CursorKey>;

/** From a right half to its left one. */
export function leftHalf(space: PresentationSpace, address: BufferAddress): BufferAddress {
  return space.planes.doubleByte[address] === doubleByteStates.right ? space.previous(address) : address;
}

/** The first position of the field the cursor is in or, at that position already, of the unprotected field before. */
function previousUnprotected(space: PresentationSpace): BufferAddress {
  const { fieldAttributes } = space.planes;
  let at = space.previous(space.cursor);
  if (fieldAttributes[at] !== 0) at = space.previous(at);
  const start = at;
  do {
    const attribute = fieldAttributes[at] as number;
    if (attribute !== 0 && !isProtected(attribute) && fieldAttributes[space.next(at)] === 0) return space.next(at);
    at = space.previous(at);
  } while (at !== start);
  return 0;
}

/** Behind the last character of the field that is neither null nor blank; stays where nothing can be typed. */
function behindLastCharacter(space: PresentationSpace): BufferAddress {
  const field = space.fieldOf(space.cursor);
  if (field === undefined || field === space.cursor) return space.cursor;
  const { codes, fieldAttributes } = space.planes;
  if (isProtected(fieldAttributes[field] as number)) return space.cursor;
  const first = space.next(field);
  let target = first;
  for (let at = first; fieldAttributes[at] === 0; at = space.next(at)) {
    if (codes[at] === 0 || codes[at] === SPACE) continue;
    const behind = space.next(at);
    target = fieldAttributes[behind] === 0 ? behind : at;
  }
  return target;
}
