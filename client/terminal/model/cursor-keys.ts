import { BLANK, NULL } from './cell-signs.js';
import { isProtected } from './field-attribute.js';
import type { PresentationBuffer } from './presentation-buffer.js';

/** Where the cursor goes. All keys wrap round the end of the buffer. */
type CursorKey = (buffer: PresentationBuffer) => number;

const keys = {
  Up: (buffer) => (buffer.cursor - buffer.columns + buffer.positions) % buffer.positions,
  Down: (buffer) => (buffer.cursor + buffer.columns) % buffer.positions,
  Left: (buffer) => buffer.previous(buffer.cursor),
  Right: (buffer) => {
    const right = buffer.next(buffer.cursor);
    return buffer.isRightHalf(right) ? buffer.next(right) : right;
  },
  Home: (buffer) => (buffer.formatted ? buffer.nextUnprotected(buffer.positions - 1) : 0),
  Tab: (buffer) => (buffer.formatted ? buffer.nextUnprotected(buffer.cursor) : 0),
  BackTab: (buffer) => (buffer.formatted ? previousUnprotected(buffer) : 0),
  /** The first place to type in on the next line, or behind. */
  Newline: (buffer) => {
    const { columns, positions } = buffer;
    const line = Math.floor(((buffer.cursor + columns) % positions) / columns) * columns;
    return buffer.canBeTypedAt(line) ? line : buffer.nextUnprotected(line);
  },
  FieldEnd: behindLastCharacter,
} as const satisfies Record<string, CursorKey>;

export const cursorKeys: ReadonlyMap<string, CursorKey> = new Map(Object.entries(keys));

/** The first position of the field the cursor is in or, at that position already, of the unprotected field before. */
function previousUnprotected(buffer: PresentationBuffer): number {
  const { attributes } = buffer;
  let at = buffer.previous(buffer.cursor);
  if (attributes[at] !== 0) at = buffer.previous(at);
  const start = at;
  do {
    const attribute = attributes[at] as number;
    const first = buffer.next(at);
    if (attribute !== 0 && !isProtected(attribute) && attributes[first] === 0) return first;
    at = buffer.previous(at);
  } while (at !== start);
  return 0;
}

/** Behind the last character of the field that is neither null nor blank; stays where nothing can be typed. */
function behindLastCharacter(buffer: PresentationBuffer): number {
  const { cursor, cells } = buffer;
  const field = buffer.fieldOf(cursor);
  if (field === undefined || !buffer.canBeTypedAt(cursor)) return cursor;
  let target = buffer.next(field);
  for (const at of buffer.positionsOf(field)) {
    if (cells[at] === NULL || cells[at] === BLANK) continue;
    const behind = buffer.next(at);
    target = buffer.isFieldAttribute(behind) ? at : behind;
  }
  return target;
}
