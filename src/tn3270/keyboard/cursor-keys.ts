import type { BufferAddress } from '../datastream/buffer-address.js';
import { isProtected } from '../datastream/field-attribute.js';
import { cellContents, type KeyboardBuffer } from './keyboard-buffer.js';

/** Returns the new cursor position. All keys wrap around at the end of the buffer. */
type CursorKey = (buffer: KeyboardBuffer) => BufferAddress;

const keys = {
  Up: (buffer) => (buffer.cursor - buffer.columns + buffer.positions) % buffer.positions,
  Down: (buffer) => (buffer.cursor + buffer.columns) % buffer.positions,
  Left: (buffer) => toTheLeft(buffer, buffer.cursor),
  Right: (buffer) => toTheRight(buffer, buffer.cursor),
  Home: (buffer) => (buffer.formatted ? buffer.nextUnprotected(buffer.positions - 1) : 0),
  Tab: (buffer) => (buffer.formatted ? buffer.nextUnprotected(buffer.cursor) : 0),
  BackTab: (buffer) => (buffer.formatted ? previousUnprotected(buffer) : 0),
  Newline: (buffer) => {
    const { columns, positions } = buffer;
    const line = Math.floor(((buffer.cursor + columns) % positions) / columns) * columns;
    return buffer.canBeTypedAt(line) ? line : buffer.nextUnprotected(line);
  },
  FieldEnd: behindLastCharacter,
  Left2: (buffer) => toTheLeft(buffer, toTheLeft(buffer, buffer.cursor)),
  Right2: (buffer) => toTheRight(buffer, toTheRight(buffer, buffer.cursor)),
  NextWord: (buffer) => nextWord(buffer) ?? buffer.cursor,
  PreviousWord: (buffer) => previousWord(buffer) ?? buffer.cursor,
} as const satisfies Record<string, CursorKey>;

/** If the result is a right half, the keyboard moves the cursor to the left half. */
export const cursorKeys: ReadonlyMap<string, CursorKey> = new Map(Object.entries(keys));

function toTheLeft(buffer: KeyboardBuffer, address: BufferAddress): BufferAddress {
  return buffer.previous(buffer.leftHalf(address));
}

function toTheRight(buffer: KeyboardBuffer, address: BufferAddress): BufferAddress {
  const right = buffer.next(address);
  return buffer.isRightHalf(right) ? buffer.next(right) : right;
}

/** The first position of the current field or, if the cursor is already there, of the previous unprotected field. */
function previousUnprotected(buffer: KeyboardBuffer): BufferAddress {
  const { fieldAttributes } = buffer;
  let at = buffer.previous(buffer.cursor);
  if (fieldAttributes[at] !== 0) at = buffer.previous(at);
  const start = at;
  do {
    const attribute = fieldAttributes[at] as number;
    if (attribute !== 0 && !isProtected(attribute) && fieldAttributes[buffer.next(at)] === 0) return buffer.next(at);
    at = buffer.previous(at);
  } while (at !== start);
  return 0;
}

/** The position after the field's last character that is neither null nor blank; no change in a protected field. */
function behindLastCharacter(buffer: KeyboardBuffer): BufferAddress {
  const field = buffer.fieldOf(buffer.cursor);
  if (field === undefined || !buffer.canBeTypedAt(buffer.cursor)) return buffer.cursor;
  const first = buffer.next(field);
  let target = first;
  for (let at = first; !buffer.isFieldAttribute(at); at = buffer.next(at)) {
    if (isEmptyAt(buffer, at)) continue;
    const behind = buffer.next(at);
    target = buffer.isFieldAttribute(behind) ? at : behind;
  }
  return target;
}

export function isEmptyAt(buffer: KeyboardBuffer, at: number): boolean {
  const content = buffer.contentAt(at);
  return content === cellContents.null || content === cellContents.blank;
}

function isProtectedAt(buffer: KeyboardBuffer, at: number): boolean {
  return isProtected(buffer.attributeOf(at));
}

function nextUnprotectedWord(buffer: KeyboardBuffer, start: number): number | undefined {
  let at = start;
  let isGuarded = isProtectedAt(buffer, at);
  do {
    if (buffer.isFieldAttribute(at)) isGuarded = isProtectedAt(buffer, at);
    else if (!isGuarded && !isEmptyAt(buffer, at)) return at;
    at = buffer.next(at);
  } while (at !== start);
  return undefined;
}

function nextWordOfField(buffer: KeyboardBuffer, start: number): number | undefined {
  let end = isEmptyAt(buffer, start) ? start : undefined;
  let at = start;
  do {
    if (buffer.isFieldAttribute(at)) return end === start ? undefined : (end ?? at);
    if (isEmptyAt(buffer, at)) end ??= at;
    else if (end !== undefined) return at;
    at = buffer.next(at);
  } while (at !== start);
  return undefined;
}

export function nextWord(buffer: KeyboardBuffer): number | undefined {
  const { cursor, formatted } = buffer;
  if (!formatted) return undefined;
  const isOutside = buffer.isFieldAttribute(cursor) || isProtectedAt(buffer, cursor);
  return (isOutside ? undefined : nextWordOfField(buffer, cursor)) ?? nextUnprotectedWord(buffer, cursor);
}

export function previousWord(buffer: KeyboardBuffer): number | undefined {
  const { cursor, formatted } = buffer;
  if (!formatted) return undefined;
  let at = cursor;
  let isGuarded = isProtectedAt(buffer, at);
  while (!isGuarded && !buffer.isFieldAttribute(at) && !isEmptyAt(buffer, at)) {
    at = buffer.previous(at);
    if (at === cursor) return undefined;
  }
  const start = at;
  do {
    if (buffer.isFieldAttribute(at)) {
      at = buffer.previous(at);
      isGuarded = isProtectedAt(buffer, at);
      continue;
    }
    if (!isGuarded && !isEmptyAt(buffer, at)) break;
    at = buffer.previous(at);
  } while (at !== start);
  if (at === start) return undefined;
  do at = buffer.previous(at);
  while (!buffer.isFieldAttribute(at) && !isEmptyAt(buffer, at));
  return buffer.next(at);
}
