import type { BufferAddress } from '../datastream/buffer-address.js';
import { type CellContent, cellContents, type KeyboardBuffer } from './keyboard-buffer.js';

const fillers: Readonly<Record<Filler, ReadonlySet<CellContent>>> = {
  nulls: new Set(),
  blanks: new Set([cellContents.blank]),
  blanksAndUnderscores: new Set([cellContents.blank, cellContents.underscore]),
};

/** Shifts characters to the right into nulls or fillers. Returns false, without any change, if there is no room. */
export function makeRoom(buffer: KeyboardBuffer, address: BufferAddress, count: number, over: Filler): boolean {
  const givesWay = fillers[over];
  const end = buffer.endOfEntry(address);
  const holes: BufferAddress[] = [];
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

function closeHole(buffer: KeyboardBuffer, hole: BufferAddress, address: BufferAddress): void {
  for (let at = hole; at !== address; ) {
    const left = buffer.previous(at);
    buffer.copyCharacter(left, at);
    at = left;
  }
}

/** Characters that an insertion may overwrite: blanks and underscores only before a null or the end of the field. */
export type Filler = 'nulls' | 'blanks' | 'blanksAndUnderscores';

/** Replaces nulls by blanks, back to the start of the field or to a row of nulls. Keeps colours and highlighting. */
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
