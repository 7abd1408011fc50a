import { type OperatorError, operatorErrors } from '../../../src/screen/operator-information.js';
import { DUPLICATE, FIELD_MARK, NULL } from './cell-signs.js';
import { enterCell } from './character-entry.js';
import type { EntryState } from './entry-state.js';
import { isProtected } from './field-attribute.js';
import type { PresentationBuffer } from './presentation-buffer.js';

/** What a key does to the screen. Returns why it could not; nothing has changed then. */
type EditingKey = (state: EntryState) => OperatorError | undefined;

const keys = {
  Delete: deleteCharacter,
  EraseEOF: eraseToEndOfField,
  EraseInput: eraseInput,
  Dup: enterDuplicate,
  FieldMark: (state) => enterCell(state, FIELD_MARK),
} as const satisfies Record<string, EditingKey>;

export const editingKeys: ReadonlyMap<string, EditingKey> = new Map(Object.entries(keys));

function deleteCharacter(state: EntryState): OperatorError | undefined {
  const { buffer } = state;
  if (!buffer.canBeTypedAt(buffer.cursor)) return operatorErrors.protected;
  const at = buffer.leftHalf(buffer.cursor);
  const count = buffer.isLeftHalf(at) ? 2 : 1;
  if (!buffer.formatted && at % buffer.columns === buffer.columns - count) return undefined;
  closeGap(buffer, at, count);
  markEdited(state, at);
  buffer.cursor = at;
  return undefined;
}

/** Moves what stands behind `count` positions to the left over them, up to the end, and fills up with nulls. */
function closeGap(buffer: PresentationBuffer, start: number, count: number): void {
  const length = (buffer.endOfEntry(start) - start + buffer.positions) % buffer.positions || buffer.positions;
  let to = start;
  let from = (start + count) % buffer.positions;
  for (let moved = count; moved < length; moved++) {
    buffer.copyCell(from, to);
    to = buffer.next(to);
    from = buffer.next(from);
  }
  for (let cleared = 0; cleared < Math.min(count, length); cleared++) {
    buffer.setCell(to, NULL);
    to = buffer.next(to);
  }
}

function eraseToEndOfField(state: EntryState): OperatorError | undefined {
  const { buffer } = state;
  if (!buffer.canBeTypedAt(buffer.cursor)) return operatorErrors.protected;
  const start = buffer.leftHalf(buffer.cursor);
  const end = buffer.formatted ? buffer.endOfEntry(start) : 0;
  let at = start;
  do {
    buffer.setCell(at, NULL);
    at = buffer.next(at);
  } while (at !== end);
  markEdited(state, start);
  return undefined;
}

/** Empties every unprotected field; they count as not typed into, but what the host has in them it must be told is gone. */
function eraseInput({ buffer, edited, isFilledByHost }: EntryState): undefined {
  if (!buffer.formatted) {
    for (let at = 0; at < buffer.positions; at++) buffer.setCell(at, NULL);
    buffer.cursor = 0;
    return undefined;
  }
  let cursor: number | undefined;
  for (let field = 0; field < buffer.positions; field++) {
    const attribute = buffer.attributes[field] as number;
    if (attribute === 0 || isProtected(attribute)) continue;
    cursor ??= buffer.next(field);
    for (const at of buffer.positionsOf(field)) buffer.setCell(at, NULL);
    buffer.setModified(field, false);
    if (isFilledByHost(field)) edited.add(field);
    else edited.delete(field);
  }
  buffer.cursor = cursor ?? 0;
  return undefined;
}

/** DUP goes on to the next field, as the rest of this one is to be duplicated by the application. */
function enterDuplicate(state: EntryState): OperatorError | undefined {
  const { buffer } = state;
  const from = buffer.cursor;
  const refusal = enterCell(state, DUPLICATE);
  if (refusal === undefined) buffer.cursor = buffer.nextUnprotected(from);
  return refusal;
}

function markEdited({ buffer, edited }: EntryState, at: number): void {
  const field = buffer.fieldOf(at);
  if (field === undefined) return;
  buffer.setModified(field, true);
  edited.add(field);
}
