import { isOneCodePoint } from '../../lib/text/typed-characters.js';
import { aplByteOf } from '../codepage/apl-character-set.js';
import { characterSets } from '../datastream/attributes.js';
import type { BufferAddress } from '../datastream/buffer-address.js';
import { formatControls, SPACE } from '../datastream/orders.js';
import { blankLeadingNulls, type Filler, makeRoom } from '../keyboard/insertion.js';
import type { EntryTerminal, Subfields } from '../keyboard/keyboard-terminal.js';
import { type OperatorError, operatorErrors } from '../keyboard/operator-errors.js';
import { settleFieldAt, takesDoubleByteAt } from './double-byte-cells.js';
import { doubleByteStates, GRAPHIC_ESCAPED } from './planes.js';
import type { PresentationSpace } from './presentation-space.js';
import type { ScreenState } from './screen-state.js';

/** A byte of the code page, a double-byte pair, or a code of the APL character set plus `APL`. */
type TypedCode = number;

const APL = 0x1_00_00;
const LARGEST_BYTE = 0xff;

/** Digits, minus, full stop and DUP. In the APL character set, the codes of digits are superscript digits. */
const numericBytes: ReadonlySet<number> = new Set([
  ...Array.from({ length: 10 }, (_, digit) => 0xf0 + digit),
  0x60,
  0x4b,
  formatControls.duplicate,
]);

export class ScreenEntry implements EntryTerminal<TypedCode> {
  readonly subfields: Subfields | undefined;
  readonly duplicate = formatControls.duplicate;
  readonly fieldMark = formatControls.fieldMark;
  protected readonly state: ScreenState;
  readonly #rules: EntryRules;

  constructor(state: ScreenState, rules: EntryRules) {
    this.state = state;
    this.#rules = rules;
    this.subfields = state.doubleByte ? new ScreenSubfields(state) : undefined;
  }

  /** The rules may change during a session. */
  get numericLock(): boolean {
    return this.#rules.numericLock;
  }

  get reverseInput(): boolean {
    return this.#rules.reverseInput === true;
  }

  get buffer(): PresentationSpace {
    return this.state.space;
  }

  get insertMode(): boolean {
    return this.state.operator.insertMode;
  }

  set insertMode(on: boolean) {
    this.state.operator.insertMode = on;
  }

  codeOf(character: string): TypedCode | undefined {
    const { codePage } = this.state;
    if (!isOneCodePoint(character)) return codePage.doubleByte?.encodePair(character) || undefined;
    const codePoint = character.codePointAt(0) as number;
    const byte = codePage.encodeCodePoint(codePoint);
    if (byte >= 0) return byte;
    const pair = codePage.doubleByte?.encodePair(character) ?? 0;
    if (pair !== 0) return pair;
    const apl = aplByteOf(codePoint);
    return apl < 0 ? undefined : APL + apl;
  }

  isNumeric(code: TypedCode): boolean {
    return this.widthOf(code) === 1 && numericBytes.has(code & LARGEST_BYTE);
  }

  widthOf(code: TypedCode): 1 | 2 {
    return code > LARGEST_BYTE && code < APL ? 2 : 1;
  }

  write(code: TypedCode): OperatorError | undefined {
    const refusal = this.widthOf(code) === 2 ? this.#writePair(code) : this.#writeByte(code);
    if (refusal === undefined && this.#rules.blankFill) this.#fillWithBlanks();
    return refusal;
  }

  setModified(field: BufferAddress, modified: boolean): void {
    this.buffer.setModified(field, modified);
  }

  get #filler(): Filler {
    const { blankFill, underscoreFill = false } = this.#rules;
    if (!blankFill) return 'nulls';
    return underscoreFill ? 'blanksAndUnderscores' : 'blanks';
  }

  #fillWithBlanks(): void {
    const { buffer } = this;
    const field = buffer.fieldOf(buffer.cursor);
    if (field !== undefined) blankLeadingNulls(buffer, field, buffer.cursor);
  }

  #writeByte(code: TypedCode): OperatorError | undefined {
    const { state, buffer } = this;
    const { planes } = buffer;
    const field = buffer.fieldOf(buffer.cursor);
    if (field !== undefined && planes.characterSets[field] === characterSets.doubleByte) {
      return operatorErrors.doubleByte;
    }
    const isPlain = !state.doubleByte || (this.reverseInput && isOutsideSubfields(buffer));
    const at = isPlain ? this.#placeAtCursor() : placeForSingleByte(state, this.#filler);
    if (at === undefined) return operatorErrors.overflow;
    planes.setCharacter(at, code & LARGEST_BYTE);
    if (code >= APL) planes.setRare('characterSets', at, GRAPHIC_ESCAPED);
    buffer.cursor = at;
    return undefined;
  }

  #placeAtCursor(): BufferAddress | undefined {
    const { buffer } = this;
    const isInserted = this.insertMode || this.reverseInput;
    return !isInserted || makeRoom(buffer, buffer.cursor, 1, this.#filler) ? buffer.cursor : undefined;
  }

  #writePair(pair: TypedCode): OperatorError | undefined {
    const { state, buffer } = this;
    if (!takesPairAtCursor(state)) return operatorErrors.doubleByte;
    const at = placeForPair(state, this.#filler);
    if (at === undefined) return operatorErrors.overflow;
    buffer.planes.setCharacter(at, pair >> 8);
    buffer.planes.setCharacter(buffer.next(at), pair & LARGEST_BYTE);
    buffer.cursor = at;
    return undefined;
  }
}

function isOutsideSubfields({ cursor, planes }: PresentationSpace): boolean {
  return planes.doubleByte[cursor] === doubleByteStates.none && planes.codes[cursor] !== formatControls.shiftOut;
}

class ScreenSubfields implements Subfields {
  readonly #state: ScreenState;

  constructor(state: ScreenState) {
    this.#state = state;
  }

  /** False in a double-byte field, which has no subfields. */
  reach(address: BufferAddress): boolean {
    const { space } = this.#state;
    if (!takesDoubleByteAt(space, address)) return false;
    const field = space.fieldOf(address);
    return field === undefined || space.planes.characterSets[field] !== characterSets.doubleByte;
  }

  end(address: BufferAddress): void {
    this.#state.space.planes.setCharacter(address, formatControls.shiftIn);
  }

  settle(address: BufferAddress): void {
    settleFieldAt(this.#state, address);
  }
}

/** Returns the address for a single-byte character; undefined, without any change, if there is no room. */
function placeForSingleByte(state: ScreenState, over: Filler): BufferAddress | undefined {
  const { space, operator } = state;
  const { planes } = space;
  let at = space.cursor;
  if (planes.doubleByte[at] === doubleByteStates.shiftIn) {
    at = space.next(at);
    if (space.isFieldAttribute(at)) return undefined;
  }
  if (planes.codes[at] === formatControls.shiftOut && !operator.insertMode) {
    return beginBehind(space, space.next(at)) ? at : undefined;
  }
  const half = planes.doubleByte[at];
  if (half === doubleByteStates.left || half === doubleByteStates.right) {
    return splitSubfield(state, space.leftHalf(at), over);
  }
  return !operator.insertMode || makeRoom(space, at, 1, over) ? at : undefined;
}

/** Splits a double-byte subfield: SI, the single byte, SO. */
function splitSubfield(state: ScreenState, left: BufferAddress, over: Filler): BufferAddress | undefined {
  const { space, operator } = state;
  const { planes } = space;
  if (operator.insertMode) {
    const before = space.previous(left);
    if (planes.codes[before] === formatControls.shiftOut) {
      return makeRoom(space, before, 1, over) ? before : undefined;
    }
    if (!makeRoom(space, left, 3, over)) return undefined;
    planes.setCharacter(left, formatControls.shiftIn);
    planes.setCharacter(space.next(space.next(left)), formatControls.shiftOut);
    return space.next(left);
  }
  const middle = space.next(left);
  if (!beginBehind(space, space.next(middle))) return undefined;
  planes.setCharacter(left, formatControls.shiftIn);
  return middle;
}

/** Starts the rest of a subfield after a blank, unless it is empty. Returns false if the field ends before. */
function beginBehind(space: PresentationSpace, address: BufferAddress): boolean {
  const { planes } = space;
  const behind = space.next(address);
  const isEmpty = planes.codes[address] === formatControls.shiftIn;
  if (space.isFieldAttribute(address) || (!isEmpty && space.isFieldAttribute(behind))) return false;
  planes.setCharacter(address, SPACE);
  if (!isEmpty) planes.setCharacter(behind, formatControls.shiftOut);
  return true;
}

function takesPairAtCursor({ space }: ScreenState): boolean {
  const { cursor, planes } = space;
  const half = planes.doubleByte[cursor];
  if (half !== doubleByteStates.none && half !== doubleByteStates.dead) return true;
  if (shiftInBefore(space, cursor) !== undefined) return true;
  return planes.codes[cursor] === formatControls.shiftOut || allowsNewSubfield(space, cursor);
}

function shiftInBefore(space: PresentationSpace, address: BufferAddress): BufferAddress | undefined {
  const before = space.previous(address);
  const isBehind = !space.isFieldAttribute(address) && space.planes.doubleByte[before] === doubleByteStates.shiftIn;
  return isBehind ? before : undefined;
}

/** Returns the address for a double-byte character; undefined, without any change, if there is no room. */
function placeForPair(state: ScreenState, over: Filler): BufferAddress | undefined {
  const { space, operator } = state;
  const { planes } = space;
  const half = planes.doubleByte[space.cursor];
  const at = space.leftHalf(space.cursor);
  const shiftIn = half === doubleByteStates.shiftIn ? at : shiftInBefore(space, at);
  if (shiftIn !== undefined) {
    return lengthenSubfield(state, shiftIn, over) ? shiftIn : undefined;
  }
  if (half === doubleByteStates.left || half === doubleByteStates.right) {
    return !operator.insertMode || makeRoom(space, at, 2, over) ? at : undefined;
  }
  const begin = space.next(at);
  if (planes.codes[at] === formatControls.shiftOut) {
    return makeOrTakeRoom(state, begin, 2, over) ? begin : undefined;
  }
  if (!operator.insertMode) {
    const distance = [begin, space.next(begin), (at + 3) % space.positions].findIndex(
      (position) => planes.codes[position] === formatControls.shiftOut,
    );
    if (distance >= 0) return lengthenAhead(space, at, distance);
  }
  if (!makeOrTakeRoom(state, at, 4, over)) return undefined;
  planes.setCharacter(at, formatControls.shiftOut);
  planes.setCharacter((at + 3) % space.positions, formatControls.shiftIn);
  return begin;
}

/** Extends the next subfield to the left if it is too close. `distance`: positions between `at` and its shift-out. */
function lengthenAhead(space: PresentationSpace, at: BufferAddress, distance: number): BufferAddress | undefined {
  // no room for a shift-in and a shift-out
  if (distance > 1) return undefined;
  const shiftOut = distance === 1 ? at : space.previous(at);
  const begin = space.next(shiftOut);
  if (space.isFieldAttribute(shiftOut) || space.isFieldAttribute(begin)) return undefined;
  space.planes.setCharacter(shiftOut, formatControls.shiftOut);
  return begin;
}

function lengthenSubfield({ space, operator }: ScreenState, shiftIn: BufferAddress, over: Filler): boolean {
  if (operator.insertMode) return makeRoom(space, shiftIn, 2, over);
  const second = space.next(shiftIn);
  const third = space.next(second);
  if (space.isFieldAttribute(second)) return false;
  const { planes } = space;
  // joins the next subfield with this one
  if (planes.codes[second] === formatControls.shiftOut) return true;
  if (space.isFieldAttribute(third) || planes.codes[third] === formatControls.shiftOut) return false;
  planes.setCharacter(third, formatControls.shiftIn);
  return true;
}

function allowsNewSubfield(space: PresentationSpace, at: BufferAddress): boolean {
  const field = space.fieldOf(at);
  return field !== undefined && space.planes.inputControls[field] !== 0;
}

function makeOrTakeRoom(state: ScreenState, address: BufferAddress, count: number, over: Filler): boolean {
  const { space, operator } = state;
  if (space.isFieldAttribute(address)) return false;
  if (operator.insertMode || space.planes.codes[address] === formatControls.shiftIn) {
    return makeRoom(space, address, count, over);
  }
  let at = address;
  for (let done = 0; done < count; done++) {
    if (space.isFieldAttribute(at)) return false;
    at = space.next(at);
  }
  return true;
}

export interface EntryRules {
  /** True if numeric fields accept only digits, minus, full stop and DUP. */
  readonly numericLock: boolean;
  /** True to replace nulls before typed text by blanks, and to insert over blanks at the end of a field. */
  readonly blankFill: boolean;
  /** With `blankFill`: true to insert over underscores too, which are lost, as in s3270. */
  readonly underscoreFill?: boolean;
  /** True to insert typed characters and keep the cursor before them. */
  readonly reverseInput?: boolean;
}
