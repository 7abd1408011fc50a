import { isOneCodePoint } from '../../lib/text/typed-characters.js';
import { aplByteOf } from '../codepage/apl-character-set.js';
import { characterSets } from '../datastream/attributes.js';
import type { BufferAddress } from '../datastream/buffer-address.js';
import { formatControls } from '../datastream/orders.js';
import { blankLeadingNulls, type Filler } from '../keyboard/blank-filling.js';
import type { EntryTerminal, Subfields } from '../keyboard/entry-terminal.js';
import { makeRoom } from '../keyboard/insertion.js';
import { type OperatorError, operatorErrors } from '../keyboard/operator-errors.js';
import { settleFieldAt, takesDoubleByteAt } from './double-byte-cells.js';
import { placeForPair, placeForSingleByte, takesPairAtCursor } from './double-byte-entry.js';
import type { EntryRules } from './entry-rules.js';
import { doubleByteStates, GRAPHIC_ESCAPED } from './planes.js';
import type { PresentationSpace } from './presentation-space.js';
import type { ScreenState } from './screen-state.js';

/** One byte of the code page, two of its double-byte characters, or one of the APL character set with `APL` added to it. */
type TypedCode = number;

const APL = 0x1_00_00;
const LARGEST_BYTE = 0xff;

/** Digits, minus, full stop, and what DUP enters; in the APL character set the codes of digits are superscript ones. */
const numericBytes: ReadonlySet<number> = new Set([
  ...Array.from({ length: 10 }, (_, digit) => 0xf0 + digit),
  0x60,
  0x4b,
  formatControls.duplicate,
]);

/** A screen as it is typed into, in the codes of its host. */
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

  /** As the rules are now: they may change while a session lasts. */
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
    if (code >= APL) planes.setCharacterSet(at, GRAPHIC_ESCAPED);
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

/** No shift code and no half of a double-byte character stands at the cursor. */
function isOutsideSubfields({ cursor, planes }: PresentationSpace): boolean {
  return planes.doubleByte[cursor] === doubleByteStates.none && planes.codes[cursor] !== formatControls.shiftOut;
}

class ScreenSubfields implements Subfields {
  readonly #state: ScreenState;

  constructor(state: ScreenState) {
    this.#state = state;
  }

  /** Not in a double-byte field, where there are none. */
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
