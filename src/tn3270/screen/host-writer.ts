import { aids } from '../datastream/aid.js';
import { attributeTypes, characterSets, colours, inputControls } from '../datastream/attributes.js';
import { type AddressMode, addressModeFor, type BufferAddress } from '../datastream/buffer-address.js';
import { writeControls } from '../datastream/commands.js';
import type { AttributePairs, WriteCommand, WriteFault, WriteHandler } from '../datastream/data-stream-handler.js';
import { FIELD_ATTRIBUTE_MARK, isProtected } from '../datastream/field-attribute.js';
import { formatControls } from '../datastream/orders.js';
import {
  faultOfText,
  halfInSubfield,
  settleDoubleByteCells,
  takesDoubleByteAt,
  writeFaults,
} from './double-byte-cells.js';
import { GRAPHIC_ESCAPED } from './planes.js';
import { RecordBudget } from './record-budget.js';
import type { ScreenState } from './screen-state.js';

/** Highlighting bits stored for a field, whose intensity comes from its field attribute. */
const FIELD_HIGHLIGHTINGS = 0x07;
const CHARACTER_HIGHLIGHTINGS = 0x0f;

function storedHighlighting(value: number, kept: number): number {
  return (value & kept) === 0 ? 0 : 0xf0 | (value & kept);
}

/** Values below 0xf0 select the device's default. */
function storedColour(value: number): number {
  return value >= colours.neutralBlack ? value : colours.default;
}

/** After these, as after an order, Program Tab clears nothing. */
const controlsLikeOrders: ReadonlySet<number> = new Set([
  formatControls.formFeed,
  formatControls.carriageReturn,
  formatControls.newLine,
  formatControls.endOfMedium,
  formatControls.duplicate,
  formatControls.fieldMark,
  formatControls.lineFeed,
  formatControls.substitute,
  formatControls.eightOnes,
]);

/** Larger than every address, and a small integer of V8. */
const NOWHERE = 1 << 24;

/** Executes the orders of a write on the presentation space (GA23-0059, chapter 4). */
export class HostWriter implements WriteHandler {
  readonly #state: ScreenState;
  #address: BufferAddress = 0;
  #hasErased = false;
  /** Attributes are still those of an erased screen from here to the end. Valid during one record. */
  #untouchedFrom: BufferAddress = NOWHERE;
  #writeControl = 0;
  protected readonly budget = new RecordBudget();
  #foreground = 0;
  #background = 0;
  #highlighting = 0;
  #characterSet = 0;
  #inputControl = 0;
  /** True after a character, or after a Program Tab that cleared and wrapped around. */
  #tabClears = false;
  #tabWrapped = false;

  constructor(state: ScreenState) {
    this.#state = state;
  }

  get addressMode(): AddressMode {
    return addressModeFor(this.positions);
  }

  get positions(): number {
    return this.#state.space.positions;
  }

  get address(): BufferAddress {
    return this.#address;
  }

  get isExhausted(): boolean {
    return this.budget.isExhausted;
  }

  beginRecord(): void {
    this.#hasErased = false;
    this.#untouchedFrom = NOWHERE;
    this.budget.begin();
  }

  beginWrite(command: WriteCommand, writeControl: number): void {
    const { space, operator } = this.#state;
    operator.queried = false;
    operator.awaitsFirstWrite = false;
    this.#state.hostWrites++;
    if (command !== 'write') this.erase(command === 'eraseWriteAlternate');
    this.#resetCharacterAttributes();
    this.#address = space.cursor;
    this.#writeControl = writeControl;
    this.#tabClears = false;
    this.#tabWrapped = false;
    if (command !== 'write' && (writeControl & writeControls.reset) !== 0) this.#state.replyMode = 'field';
    if (command === 'write' && (writeControl & writeControls.resetModified) !== 0) space.planes.resetModified();
  }

  get hasErased(): boolean {
    return this.#hasErased;
  }

  erase(alternate: boolean): void {
    const { space } = this.#state;
    this.#hasErased = true;
    this.budget.sweep(space.planes.positions);
    space.clear();
    space.resize(alternate ? space.alternateSize : space.defaultSize);
    this.#address = 0;
    this.#untouchedFrom = 0;
    this.#resetCharacterAttributes();
  }

  setBufferAddress(address: BufferAddress): void {
    this.#address = address;
    this.#noteOrder();
  }

  insertCursor(): void {
    this.#state.space.cursor = this.#address;
    this.#noteOrder();
  }

  programTab(): WriteFault | undefined {
    const { space } = this.#state;
    const { fieldAttributes } = space.planes;
    const attribute = fieldAttributes[this.#address] as number;
    if (attribute !== 0 && !isProtected(attribute)) {
      this.#address = space.next(this.#address);
      this.#noteOrder();
      return undefined;
    }
    if (!this.budget.fill(space.positions)) return writeFaults.fillsTooMuch;
    const found = space.nextUnprotected(this.#address);
    const target = found < this.#address ? 0 : found;
    if (this.#tabClears || this.#tabWrapped) {
      let at = this.#address;
      while (at !== target && fieldAttributes[at] === 0) {
        space.planes.setCharacter(at, 0);
        at = space.next(at);
      }
      if (target === 0) this.#tabWrapped = true;
    } else {
      this.#tabWrapped = false;
    }
    this.#address = target;
    this.#tabClears = false;
    return undefined;
  }

  takesDoubleByte(): boolean {
    return this.#state.doubleByte && takesDoubleByteAt(this.#state.space, this.#address, this.budget.look);
  }

  repeatToAddress(stop: BufferAddress, code: number, second: number | undefined, graphicEscape: boolean) {
    const { space } = this.#state;
    const length = (stop - this.#address + space.positions) % space.positions || space.positions;
    if (this.#state.doubleByte && halfInSubfield(space, this.#address, this.budget.look) === 'right') {
      return writeFaults.repeatFromMiddle;
    }
    if (second !== undefined && length % 2 !== 0) return writeFaults.repeatToMiddle;
    if (!this.budget.fill(length)) return writeFaults.fillsTooMuch;
    this.#repeat(length, code, second, graphicEscape);
    this.#noteOrder();
    return undefined;
  }

  eraseUnprotectedToAddress(stop: BufferAddress): WriteFault | undefined {
    const { space } = this.#state;
    if (!this.budget.fill(space.positions)) return writeFaults.fillsTooMuch;
    let attribute = space.attributeOf(this.#address);
    do {
      const own = space.planes.fieldAttributes[this.#address] as number;
      if (own !== 0) attribute = own;
      else if (!isProtected(attribute)) space.planes.eraseCode(this.#address);
      this.#address = space.next(this.#address);
    } while (this.#address !== stop);
    this.#noteOrder();
    return undefined;
  }

  startField(attribute: number): void {
    this.#beginField(attribute);
    this.#address = this.#state.space.next(this.#address);
    this.#noteOrder();
  }

  startFieldExtended(pairs: AttributePairs): void {
    this.#beginField(0);
    this.#applyToField(pairs, FIELD_HIGHLIGHTINGS);
    this.#address = this.#state.space.next(this.#address);
    this.#noteOrder();
  }

  modifyField(pairs: AttributePairs): void {
    const { space } = this.#state;
    if (space.isFieldAttribute(this.#address)) {
      this.#applyToField(pairs, CHARACTER_HIGHLIGHTINGS);
      this.#address = space.next(this.#address);
    }
    this.#noteOrder();
  }

  setAttribute(type: number, value: number): void {
    switch (type) {
      case attributeTypes.resetAll:
        this.#resetCharacterAttributes();
        break;
      case attributeTypes.foreground:
        if (this.#state.model.color) this.#foreground = storedColour(value);
        break;
      case attributeTypes.background:
        if (this.#state.model.color) this.#background = storedColour(value);
        break;
      case attributeTypes.highlighting:
        this.#highlighting = storedHighlighting(value, CHARACTER_HIGHLIGHTINGS);
        break;
      case attributeTypes.characterSet:
        this.#characterSet = this.#storedCharacterSet(value);
        break;
      case attributeTypes.inputControl:
        this.#inputControl = this.#storedInputControl(value);
        break;
    }
    this.#noteOrder();
  }

  graphicEscape(code: number): WriteFault | undefined {
    if (!this.budget.fill(1)) return writeFaults.fillsTooMuch;
    if (this.takesDoubleByte()) return writeFaults.graphicEscapeAmongPairs;
    this.#put(code, true);
    this.#noteCharacter();
    return undefined;
  }

  text(record: Uint8Array, start: number, end: number): WriteFault | undefined {
    if (!this.budget.fill(end - start)) return writeFaults.fillsTooMuch;
    const { space } = this.#state;
    if (this.#state.doubleByte) {
      const fault = faultOfText(space, this.#address, record, start, end, this.budget.look);
      if (fault !== undefined) return fault;
    }
    for (let at = start; at < end; ) {
      const run = Math.min(end - at, space.positions - this.#address);
      const hasShiftIn = this.#putRun(record, at, run);
      // the screen before the record is restored
      if (hasShiftIn && !this.#state.doubleByte) return writeFaults.shiftInUnknown;
      at += run;
    }
    const last = record[end - 1] as number;
    if (controlsLikeOrders.has(last)) this.#noteOrder();
    else this.#noteCharacter();
    return undefined;
  }

  endWrite(): WriteFault | undefined {
    const state = this.#state;
    this.budget.sweep(state.space.positions);
    state.space.updateFormatted();
    if ((this.#writeControl & writeControls.restoreKeyboard) !== 0) this.restoreKeyboard();
    else state.operator.keepLocked();
    if ((this.#writeControl & writeControls.soundAlarm) !== 0) state.alarms++;
    if (!state.doubleByte || settleDoubleByteCells(state)) return undefined;
    return writeFaults.shiftsUnmatched;
  }

  eraseAllUnprotected(): void {
    const { space } = this.#state;
    this.#hasErased = true;
    this.budget.sweep(space.positions);
    const { planes } = space;
    const first = space.firstField();
    if (first === undefined) {
      space.clear();
    } else {
      let cursor: BufferAddress | undefined;
      let attribute = 0;
      let at = first;
      do {
        const own = planes.fieldAttributes[at] as number;
        if (own !== 0) {
          attribute = own;
          if (!isProtected(own)) {
            planes.fieldAttributes[at] = own & ~1;
            cursor ??= space.next(at);
          }
        } else if (!isProtected(attribute)) {
          planes.eraseCode(at);
        }
        at = space.next(at);
      } while (at !== first);
      space.cursor = cursor ?? 0;
      if (this.#state.doubleByte) settleDoubleByteCells(this.#state);
    }
    this.restoreKeyboard();
  }

  restoreKeyboard(): void {
    const { operator } = this.#state;
    this.#state.aid = aids.none;
    operator.awaitsFirstWrite = false;
    operator.unlock();
  }

  #noteOrder(): void {
    this.#tabClears = false;
    this.#tabWrapped = false;
  }

  #noteCharacter(): void {
    this.#tabClears = true;
    this.#tabWrapped = false;
  }

  #put(code: number, graphicEscape: boolean): void {
    const { planes } = this.#state.space;
    const at = this.#address;
    planes.codes[at] = code;
    planes.fieldAttributes[at] = 0;
    planes.foregrounds[at] = this.#foreground;
    planes.setRare('backgrounds', at, this.#background);
    planes.highlightings[at] = this.#highlighting;
    planes.setRare('characterSets', at, graphicEscape ? GRAPHIC_ESCAPED : this.#characterSet);
    planes.inputControls[at] = this.#inputControl;
    planes.validations[at] = 0;
    planes.outlinings[at] = 0;
    this.#touch(at + 1);
    this.#address = this.#state.space.next(at);
  }

  /** Copies in a loop: most texts are short, and a view of the record takes longer. @returns true for shift-in */
  #putRun(record: Uint8Array, start: number, length: number): boolean {
    const { codes } = this.#state.space.planes;
    const to = this.#address;
    let hasShiftIn = false;
    for (let at = 0; at < length; at++) {
      const code = record[start + at] as number;
      codes[to + at] = code;
      if (code === formatControls.shiftIn) hasShiftIn = true;
    }
    this.#dress(to, to + length, this.#characterSet);
    return hasShiftIn;
  }

  #dress(at: BufferAddress, end: BufferAddress, characterSet: number): void {
    const { planes, positions } = this.#state.space;
    const foreground = this.#foreground;
    const background = this.#background;
    const highlighting = this.#highlighting;
    const inputControl = this.#inputControl;
    // most texts of most screens: an erased screen, and the attributes of the field
    const isPlain = (foreground | background | highlighting | characterSet | inputControl) === 0;
    if (!isPlain || at < this.#untouchedFrom) {
      planes.fillAttributes(at, end, foreground, background, highlighting, characterSet, inputControl);
    }
    this.#touch(end);
    this.#address = end === positions ? 0 : end;
  }

  #touch(end: BufferAddress): void {
    if (end > this.#untouchedFrom) this.#untouchedFrom = end;
  }

  #repeat(length: number, code: number, second: number | undefined, graphicEscape: boolean): void {
    const characterSet = graphicEscape ? GRAPHIC_ESCAPED : this.#characterSet;
    for (let left = length; left > 0; ) {
      const { codes } = this.#state.space.planes;
      const at = this.#address;
      const end = Math.min(at + left, this.positions);
      codes.fill(code, at, end);
      if (second !== undefined) for (let odd = at + 1 - ((length - left) % 2); odd < end; odd += 2) codes[odd] = second;
      this.#dress(at, end, characterSet);
      left -= end - at;
    }
  }

  #beginField(attribute: number): void {
    const { planes } = this.#state.space;
    planes.setCharacter(this.#address, 0);
    planes.fieldAttributes[this.#address] = FIELD_ATTRIBUTE_MARK | attribute;
    this.#touch(this.#address + 1);
    this.#state.space.formatted = true;
  }

  #applyToField({ record, start, count }: AttributePairs, highlightingBits: number): void {
    const { planes } = this.#state.space;
    const field = this.#address;
    for (let pair = 0; pair < count; pair++) {
      const value = record[start + 2 * pair + 1] as number;
      switch (record[start + 2 * pair]) {
        case attributeTypes.field:
          planes.fieldAttributes[field] = FIELD_ATTRIBUTE_MARK | value;
          break;
        case attributeTypes.foreground:
          if (this.#state.model.color) planes.foregrounds[field] = storedColour(value);
          break;
        case attributeTypes.background:
          if (this.#state.model.color) planes.setRare('backgrounds', field, storedColour(value));
          break;
        case attributeTypes.highlighting:
          planes.highlightings[field] = storedHighlighting(value, highlightingBits);
          break;
        case attributeTypes.characterSet:
          planes.setRare('characterSets', field, this.#storedCharacterSet(value));
          break;
        case attributeTypes.inputControl:
          planes.inputControls[field] = this.#storedInputControl(value);
          break;
        case attributeTypes.validation:
          planes.setRare('validations', field, value & 0x07);
          break;
        case attributeTypes.outlining:
          planes.setRare('outlinings', field, value & 0x0f);
          break;
      }
    }
  }

  #resetCharacterAttributes(): void {
    this.#foreground = 0;
    this.#background = 0;
    this.#highlighting = 0;
    this.#characterSet = 0;
    this.#inputControl = 0;
  }

  /** Only terminals with double-byte characters support this attribute. */
  #storedInputControl(value: number): number {
    return value === inputControls.enabled && this.#state.doubleByte ? value : inputControls.disabled;
  }

  #storedCharacterSet(value: number): number {
    if (value === characterSets.apl) return value;
    return value === characterSets.doubleByte && this.#state.doubleByte ? value : characterSets.default;
  }
}
