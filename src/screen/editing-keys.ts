import { characterSets } from '../datastream/attributes.js';
import type { BufferAddress } from '../datastream/buffer-address.js';
import { isProtected } from '../datastream/field-attribute.js';
import { formatControls } from '../datastream/orders.js';
import { type EntryRules, enterCode } from './character-entry.js';
import { leftHalf } from './cursor-keys.js';
import { settleDoubleByteCells, settleFieldAt, takesDoubleByteAt } from './double-byte-cells.js';
import { endOfEntry } from './insertion.js';
import { type OperatorError, operatorErrors } from './operator-information.js';
import { doubleByteStates } from './planes.js';
import type { ScreenState } from './screen-state.js';

/** What a key does to the screen. Returns why it could not; nothing has changed then. */
export type EditingKey = (state: ScreenState, rules: EntryRules) => OperatorError | undefined;

export const editingKeys = {
  Delete: deleteCharacter,
  EraseEOF: eraseToEndOfField,
  EraseInput: eraseInput,
  Dup: enterDuplicate,
  FieldMark: (state, rules) => enterCode(state, formatControls.fieldMark, rules),
} as const satisfies Record<string, EditingKey>;

function deleteCharacter(state: ScreenState): OperatorError | undefined {
  const { space } = state;
  const { planes } = space;
  if (!canBeTyped(state)) return operatorErrors.protected;
  const at = leftHalf(space, space.cursor);
  const code = planes.codes[at];
  let count = planes.doubleByte[at] === doubleByteStates.left ? 2 : 1;
  if (state.doubleByte && (code === formatControls.shiftOut || code === formatControls.shiftIn)) {
    if (code === formatControls.shiftIn || planes.codes[space.next(at)] !== formatControls.shiftIn) {
      return operatorErrors.doubleByte;
    }
    count = 2;
  }
  const end = endOfEntry(space, at);
  if (!space.formatted && at % space.columns === space.columns - count) return undefined;
  closeGap(state, at, count, end);
  markModified(state, at);
  space.cursor = at;
  if (state.doubleByte) settleDoubleByteCells(state);
  return undefined;
}

/** Moves what stands behind `count` positions to the left over them, up to `end`, and fills up with nulls. */
function closeGap({ space }: ScreenState, start: BufferAddress, count: number, end: BufferAddress): void {
  const length = (end - start + space.positions) % space.positions || space.positions;
  let to = start;
  let from = (start + count) % space.positions;
  for (let moved = count; moved < length; moved++) {
    space.planes.copyCharacter(from, to);
    to = space.next(to);
    from = space.next(from);
  }
  for (let cleared = 0; cleared < Math.min(count, length); cleared++) {
    space.planes.setCharacter(to, 0);
    to = space.next(to);
  }
}

function eraseToEndOfField(state: ScreenState): OperatorError | undefined {
  const { space } = state;
  const { planes } = space;
  if (!canBeTyped(state)) return operatorErrors.protected;
  const inSubfield = state.doubleByte && insideSubfield(state);
  let at = leftHalf(space, space.cursor);
  const start = at;
  const end = space.formatted ? endOfEntry(space, at) : 0;
  do {
    planes.setCharacter(at, 0);
    at = space.next(at);
  } while (at !== end);
  if (inSubfield) planes.setCharacter(start, formatControls.shiftIn);
  markModified(state, start);
  if (state.doubleByte) settleFieldAt(state, start);
  return undefined;
}

/** Whether the cursor stands between shift-out and shift-in, rather than in a double-byte field. */
function insideSubfield({ space }: ScreenState): boolean {
  if (!takesDoubleByteAt(space, space.cursor)) return false;
  const field = space.fieldOf(space.cursor);
  return field === undefined || space.planes.characterSets[field] !== characterSets.doubleByte;
}

function eraseInput(state: ScreenState): undefined {
  const { space } = state;
  const { planes } = space;
  if (!space.formatted) {
    space.clear();
    return undefined;
  }
  let cursor: BufferAddress | undefined;
  for (let at = 0; at < space.positions; at++) {
    const attribute = planes.fieldAttributes[at] as number;
    if (attribute !== 0 && !isProtected(attribute)) {
      cursor ??= space.next(at);
      planes.fieldAttributes[at] = attribute & ~1;
      for (let cell = space.next(at); planes.fieldAttributes[cell] === 0; cell = space.next(cell)) {
        planes.setCharacter(cell, 0);
      }
    }
  }
  space.cursor = cursor ?? 0;
  if (state.doubleByte) settleDoubleByteCells(state);
  return undefined;
}

/** DUP goes on to the next field, as the rest of this one is to be duplicated by the application. */
function enterDuplicate(state: ScreenState, rules: EntryRules): OperatorError | undefined {
  const { space } = state;
  const from = space.cursor;
  const refusal = enterCode(state, formatControls.duplicate, rules);
  if (refusal === undefined) space.cursor = space.nextUnprotected(from);
  return refusal;
}

function canBeTyped({ space }: ScreenState): boolean {
  return !space.isFieldAttribute(space.cursor) && !isProtected(space.attributeOf(space.cursor));
}

function markModified({ space }: ScreenState, at: BufferAddress): void {
  const field = space.fieldOf(at);
  if (field === undefined) return;
  space.planes.fieldAttributes[field] = (space.planes.fieldAttributes[field] as number) | 1;
}
