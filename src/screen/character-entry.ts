import { aplByteOf } from '../codepage/apl-character-set.js';
import { characterSets } from '../datastream/attributes.js';
import type { BufferAddress } from '../datastream/buffer-address.js';
import { isAutoSkip, isNumeric, isProtected } from '../datastream/field-attribute.js';
import { formatControls, SPACE } from '../datastream/orders.js';
import { settleFieldAt } from './double-byte-cells.js';
import { makeRoom } from './insertion.js';
import { type OperatorError, operatorErrors } from './operator-information.js';
import { doubleByteStates, GRAPHIC_ESCAPED } from './planes.js';
import type { ScreenState } from './screen-state.js';

export interface EntryRules {
  /** Numeric fields take digits, minus, full stop and DUP only. */
  readonly numericLock: boolean;
  /** Nulls before what is typed become blanks, and blanks at the end of a field make room to insert. */
  readonly blankFill: boolean;
}

type Refusal = OperatorError | undefined;

/** Digits, minus, full stop, and what DUP enters. */
const numericCodes: ReadonlySet<number> = new Set([
  ...Array.from({ length: 10 }, (_, digit) => 0xf0 + digit),
  0x60,
  0x4b,
  formatControls.duplicate,
]);

/** Types one character at the cursor. @returns why it could not be; nothing has changed then */
export function enterCodePoint(state: ScreenState, codePoint: number, rules: EntryRules): Refusal {
  const { codePage } = state;
  const byte = codePage.encodeCodePoint(codePoint);
  if (byte >= 0) return enterCode(state, byte, rules);
  const pair = codePage.doubleByte?.encodePair(String.fromCodePoint(codePoint)) ?? 0;
  if (pair !== 0) return enterPair(state, pair, rules);
  const apl = aplByteOf(codePoint);
  return apl >= 0 ? enterCode(state, apl, rules, true) : operatorErrors.minusFunction;
}

/** Types one code of the single-byte code page, or of the APL character set. */
export function enterCode(state: ScreenState, code: number, rules: EntryRules, graphicEscape = false): Refusal {
  const { space } = state;
  const { planes } = space;
  const refusal = refusalAt(state, code, rules);
  if (refusal !== undefined) return refusal;
  const field = space.fieldOf(space.cursor);
  if (field !== undefined && planes.characterSets[field] === characterSets.doubleByte) return operatorErrors.doubleByte;
  let at = space.cursor;
  if (state.doubleByte) {
    const prepared = placeForSingleByte(state, at, rules);
    if (typeof prepared === 'string') return prepared;
    at = prepared;
  } else if (state.operator.insertMode && !makeRoom(space, at, 1, rules.blankFill)) {
    return operatorErrors.overflow;
  }
  put(state, at, code, graphicEscape);
  finishEntry(state, at, 1, rules, code !== formatControls.duplicate);
  return undefined;
}

function refusalAt(state: ScreenState, code: number, rules: EntryRules): Refusal {
  const { space } = state;
  const attribute = space.attributeOf(space.cursor);
  if (space.isFieldAttribute(space.cursor) || isProtected(attribute)) return operatorErrors.protected;
  if (rules.numericLock && isNumeric(attribute) && !numericCodes.has(code)) return operatorErrors.numeric;
  return undefined;
}

/** Makes the position at the cursor, or near, a single-byte one. Returns where the character goes. */
function placeForSingleByte(
  state: ScreenState,
  cursor: BufferAddress,
  rules: EntryRules,
): BufferAddress | OperatorError {
  const { space, operator } = state;
  const { planes } = space;
  let at = cursor;
  if (planes.doubleByte[at] === doubleByteStates.shiftIn) {
    at = space.next(at);
    if (space.isFieldAttribute(at)) return operatorErrors.overflow;
  }
  if (planes.codes[at] === formatControls.shiftOut && !operator.insertMode) {
    const following = space.next(at);
    const emptySubfield = planes.codes[following] === formatControls.shiftIn;
    planes.setCharacter(following, SPACE);
    if (!emptySubfield) planes.setCharacter(space.next(following), formatControls.shiftOut);
    return at;
  }
  const half = planes.doubleByte[at];
  if (half === doubleByteStates.left || half === doubleByteStates.right) {
    return splitSubfield(state, half === doubleByteStates.right ? space.previous(at) : at, rules);
  }
  if (operator.insertMode && !makeRoom(space, at, 1, rules.blankFill)) return operatorErrors.overflow;
  return at;
}

/** Ends a double-byte subfield before a character and begins it again behind: SI, the single byte, SO. */
function splitSubfield(state: ScreenState, left: BufferAddress, rules: EntryRules): BufferAddress | OperatorError {
  const { space, operator } = state;
  const { planes } = space;
  if (operator.insertMode) {
    const before = space.previous(left);
    if (planes.codes[before] === formatControls.shiftOut) {
      return makeRoom(space, before, 1, rules.blankFill) ? before : operatorErrors.overflow;
    }
    if (!makeRoom(space, left, 3, rules.blankFill)) return operatorErrors.overflow;
    planes.setCharacter(left, formatControls.shiftIn);
    planes.setCharacter(space.next(space.next(left)), formatControls.shiftOut);
    return space.next(left);
  }
  planes.setCharacter(left, formatControls.shiftIn);
  const third = space.next(space.next(left));
  const endsThere = planes.codes[third] === formatControls.shiftIn;
  planes.setCharacter(third, SPACE);
  if (!endsThere) planes.setCharacter(space.next(third), formatControls.shiftOut);
  return space.next(left);
}

/** Types one double-byte character: over another one, into a double-byte field, or into a new subfield of its own. */
function enterPair(state: ScreenState, pair: number, rules: EntryRules): Refusal {
  const { space, operator } = state;
  const { planes } = space;
  const refusal = refusalAt(state, SPACE, rules);
  if (refusal !== undefined) return refusal;
  const half = planes.doubleByte[space.cursor];
  let at = half === doubleByteStates.right ? space.previous(space.cursor) : space.cursor;
  if (half === doubleByteStates.shiftIn) {
    // behind the last character of a subfield: the shift-in moves on to make the subfield longer
    if (!lengthenSubfield(state, at, rules)) return operatorErrors.overflow;
  } else if (half === doubleByteStates.left || half === doubleByteStates.right) {
    if (operator.insertMode && !makeRoom(space, at, 2, rules.blankFill)) return operatorErrors.overflow;
  } else if (planes.codes[at] === formatControls.shiftOut) {
    at = space.next(at);
    if (planes.codes[at] === formatControls.shiftIn || operator.insertMode) {
      if (!makeOrTakeRoom(state, at, 2, rules)) return operatorErrors.overflow;
    }
  } else {
    if (!allowsNewSubfield(state, at)) return operatorErrors.doubleByte;
    const begin = space.next(at);
    if (!makeOrTakeRoom(state, at, 4, rules)) return operatorErrors.overflow;
    planes.setCharacter(at, formatControls.shiftOut);
    planes.setCharacter((at + 3) % space.positions, formatControls.shiftIn);
    at = begin;
  }
  put(state, at, pair >> 8, false);
  put(state, space.next(at), pair & 0xff, false);
  finishEntry(state, at, 2, rules, true);
  return undefined;
}

function lengthenSubfield({ space, operator }: ScreenState, shiftIn: BufferAddress, rules: EntryRules): boolean {
  if (operator.insertMode) return makeRoom(space, shiftIn, 2, rules.blankFill);
  const second = space.next(shiftIn);
  const third = space.next(second);
  if (space.isFieldAttribute(second) || space.isFieldAttribute(third)) return false;
  space.planes.setCharacter(third, formatControls.shiftIn);
  return true;
}

/** Whether shift-out and shift-in may be typed: in a double-byte field not needed, else where input control enables it. */
function allowsNewSubfield({ space }: ScreenState, at: BufferAddress): boolean {
  const field = space.fieldOf(at);
  return field !== undefined && space.planes.inputControls[field] !== 0;
}

/** Room for `count` codes at an address: inserted in insert mode, else taken from what stands there. */
function makeOrTakeRoom(state: ScreenState, address: BufferAddress, count: number, rules: EntryRules): boolean {
  const { space, operator } = state;
  if (operator.insertMode || space.planes.codes[address] === formatControls.shiftIn) {
    return makeRoom(space, address, count, rules.blankFill);
  }
  let at = address;
  for (let done = 0; done < count; done++) {
    if (space.isFieldAttribute(at)) return false;
    at = space.next(at);
  }
  return true;
}

function put(state: ScreenState, at: BufferAddress, code: number, graphicEscape: boolean): void {
  const { planes } = state.space;
  planes.setCharacter(at, code);
  if (graphicEscape) planes.characterSets[at] = GRAPHIC_ESCAPED;
}

/** Moves the cursor behind what was typed at `at`, and does what typing into a field brings with it. */
function finishEntry(state: ScreenState, at: BufferAddress, length: number, rules: EntryRules, skips: boolean): void {
  const { space } = state;
  const field = space.fieldOf(at);
  if (field !== undefined) {
    if (rules.blankFill) blankLeadingNulls(state, field, at);
    space.planes.fieldAttributes[field] = (space.planes.fieldAttributes[field] as number) | 1;
  }
  let cursor = at;
  for (let done = 0; done < length; done++) cursor = space.next(cursor);
  if (skips) {
    for (let passed = 0; space.isFieldAttribute(cursor) && passed < space.positions; passed++) {
      const attribute = space.planes.fieldAttributes[cursor] as number;
      cursor = isAutoSkip(attribute) ? space.nextUnprotected(cursor) : space.next(cursor);
    }
  }
  space.cursor = cursor;
  if (state.doubleByte) settleFieldAt(state, at);
}

/** Back to the start of the field, or to the first line of it that is nothing but nulls. */
function blankLeadingNulls(state: ScreenState, field: BufferAddress, from: BufferAddress): void {
  const { space } = state;
  const { planes, columns } = space;
  for (let at = space.previous(from); at !== field; at = space.previous(at)) {
    if (at % columns === columns - 1 && lineIsNull(state, field, at)) return;
    if (planes.codes[at] === 0) planes.setCharacter(at, SPACE);
  }
}

function lineIsNull(state: ScreenState, field: BufferAddress, lineEnd: BufferAddress): boolean {
  const { space } = state;
  for (let at = lineEnd; at !== field; at = space.previous(at)) {
    if (space.planes.codes[at] !== 0) return false;
    if (at % space.columns === 0) return true;
  }
  return true;
}
