import { isProtected } from '../datastream/field-attribute.js';
import { cellContents } from './cell-contents.js';
import type { KeyboardBuffer } from './keyboard-buffer.js';

/** A null or a blank stands there. */
export function isEmptyAt(buffer: KeyboardBuffer, at: number): boolean {
  const content = buffer.contentAt(at);
  return content === cellContents.null || content === cellContents.blank;
}

function isProtectedAt(buffer: KeyboardBuffer, at: number): boolean {
  return isProtected(buffer.attributeOf(at));
}

/** The next word that stands where something can be typed, this one included. */
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

/** The next word of this field or, where this word is its last one, the place behind it. */
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

/** The first character of the next word that can be changed, or the place behind the last one of a field. */
export function nextWord(buffer: KeyboardBuffer): number | undefined {
  const { cursor, formatted } = buffer;
  if (!formatted) return undefined;
  const isOutside = buffer.isFieldAttribute(cursor) || isProtectedAt(buffer, cursor);
  return (isOutside ? undefined : nextWordOfField(buffer, cursor)) ?? nextUnprotectedWord(buffer, cursor);
}

/** The first character of the word, or of the one before. */
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
