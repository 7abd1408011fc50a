import type { BufferAddress } from '../datastream/buffer-address.js';
import { type CellContent, cellContents, type KeyboardBuffer } from './keyboard-buffer.js';

/** What gives way if nothing but the same, nulls, or the end of the field follows. */
const fillers: Readonly<Record<Filler, ReadonlySet<CellContent>>> = {
  nulls: new Set(),
  blanks: new Set([cellContents.blank]),
  blanksAndUnderscores: new Set([cellContents.blank, cellContents.underscore]),
};

/**
 * Makes room for `count` characters at an address by moving what stands there to the right over the nearest nulls.
 * @param over what gives way besides nulls
 * @returns false if there is no room; nothing has moved then
 */
export function makeRoom(buffer: KeyboardBuffer, address: BufferAddress, count: number, over: Filler): boolean {
  const givesWay = fillers[over];
  const end = buffer.endOfEntry(address);
  const holes: BufferAddress[] = [];
  /** Blanks that are holes if nothing but blanks and nulls follow. */
  let blanks: BufferAddress[] = [];
  let at = address;
  do {
    const content = buffer.contentAt(at);
    if (content === cellContents.null) {
      holes.push(...blanks, at);
      blanks = [];
    } else if (givesWay.has(content)) {
      blanks.push(at);
    } else {
      blanks = [];
    }
    at = buffer.next(at);
  } while (at !== end && holes.length < count);
  holes.push(...blanks);
  if (holes.length < count) return false;
  for (const hole of holes.slice(0, count)) closeHole(buffer, hole, address);
  return true;
}

/** Moves what stands from `address` up to the hole one position to the right; `address` is free then. */
function closeHole(buffer: KeyboardBuffer, hole: BufferAddress, address: BufferAddress): void {
  for (let at = hole; at !== address; ) {
    const left = buffer.previous(at);
    buffer.copyCharacter(left, at);
    at = left;
  }
}

/** Over what an insertion moves characters to the right: nulls; blanks before a null or the end of the field, too; underscores, too. */
export type Filler = 'nulls' | 'blanks' | 'blanksAndUnderscores';

/**
 * Nulls before typed text become blanks, back to the start of the field, or to its first row that holds nothing but nulls. Their
 * colours and highlighting stay.
 */
export function blankLeadingNulls(buffer: KeyboardBuffer, field: BufferAddress, from: BufferAddress): void {
  const { columns } = buffer;
  for (let at = buffer.previous(from); at !== field; at = buffer.previous(at)) {
    if (at % columns === columns - 1 && lineIsNull(buffer, field, at)) return;
    if (buffer.contentAt(at) === cellContents.null) buffer.blank(at);
  }
}

function lineIsNull(buffer: KeyboardBuffer, field: BufferAddress, lineEnd: BufferAddress): boolean {
  for (let at = lineEnd; at !== field; at = buffer.previous(at)) {
    if (buffer.contentAt(at) !== cellContents.null) return false;
    if (at % buffer.columns === 0) return true;
  }
  return true;
}
