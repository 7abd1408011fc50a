import { aids, isShortRead } from '../datastream/aid.js';
import { attributeTypes, characterSets } from '../datastream/attributes.js';
import { addressModeFor, type BufferAddress, encodeBufferAddress, graphicCode } from '../datastream/buffer-address.js';
import type { ReadCommand } from '../datastream/data-stream-handler.js';
import { isModified, isNonDisplayable } from '../datastream/field-attribute.js';
import { formatControls, orders, SPACE } from '../datastream/orders.js';
import { GRAPHIC_ESCAPED } from './planes.js';
import type { ScreenState } from './screen-state.js';

export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** A record for the host, with the ranges that a trace must mask. */
export interface EncodedRecord {
  readonly bytes: Uint8Array;
  readonly nonDisplayable: readonly ByteRange[];
}

/** Sent for SYS REQ instead of identifier and cursor, if there is no separate command (GA23-0059, chapter 3). */
const TEST_REQUEST = [0x01, 0x6c, 0x61, 0x02];

const NO_FIELD = -1;

export function readByCommand(state: ScreenState, command: ReadCommand, aid: number): EncodedRecord {
  if (command === 'readBuffer') return readBuffer(state, aid);
  return readModified(state, aid, command === 'readModifiedAll');
}

/**
 * Layout: attention identifier, cursor, then SBA, address and text of each modified field, without nulls. A light pen
 * selection omits the text. An unformatted screen is one piece without SBA.
 * @param all true to send fields for PA keys and Clear too (Read Modified All)
 */
export function readModified(state: ScreenState, aid: number, all: boolean): EncodedRecord {
  const builder = new RecordBuilder(state);
  const isTestRequest = aid === aids.systemRequest;
  if (isTestRequest) for (const byte of TEST_REQUEST) builder.byte(byte);
  else builder.byte(aid);
  if (!all && isShortRead(aid)) return builder.finish();
  const tellsText = all || aid !== aids.cursorSelect;
  const { space } = state;
  const { planes } = space;
  const { fieldAttributes } = planes;
  if (!isTestRequest) builder.address(space.cursor);
  const first = space.firstField();
  if (first === undefined) {
    for (let at = 0; at < space.positions; at++) if (planes.codes[at] !== 0) builder.character(at, NO_FIELD, NO_FIELD);
    return builder.finish();
  }
  let at = first;
  do {
    const field = at;
    const attribute = fieldAttributes[field] as number;
    const sends = isModified(attribute);
    at = space.next(at);
    if (sends) {
      builder.byte(orders.setBufferAddress);
      builder.address(at);
    }
    builder.beginText(isNonDisplayable(attribute));
    while (fieldAttributes[at] === 0) {
      if (sends && tellsText && planes.codes[at] !== 0) builder.character(at, field, field);
      at = space.next(at);
    }
    builder.endText();
  } while (at !== first);
  return builder.finish();
}

/** Layout: attention identifier, cursor, every position: SF or SFE for field attributes, nulls included. */
function readBuffer(state: ScreenState, aid: number): EncodedRecord {
  const builder = new RecordBuilder(state);
  const { space } = state;
  builder.byte(aid);
  builder.address(space.cursor);
  builder.beginText(isNonDisplayable(space.attributeOf(0)) && !space.isFieldAttribute(0));
  let field = space.fieldOf(0) ?? NO_FIELD;
  for (let at = 0; at < space.positions; at++) {
    const attribute = space.planes.fieldAttributes[at] as number;
    if (attribute === 0) {
      builder.character(at, field, NO_FIELD);
      continue;
    }
    builder.endText();
    builder.field(at);
    field = at;
    builder.beginText(isNonDisplayable(attribute));
  }
  builder.endText();
  return builder.finish();
}

class RecordBuilder {
  readonly #state: ScreenState;
  readonly #tellsAttributes: boolean;
  #bytes: Uint8Array;
  #length = 0;
  readonly #nonDisplayable: ByteRange[] = [];
  #textStart = -1;
  /** Values of the last Set Attribute of each type, across fields; 0 before the first one. */
  #foreground = 0;
  #background = 0;
  #highlighting = 0;
  #characterSet = 0;

  constructor(state: ScreenState) {
    this.#state = state;
    this.#tellsAttributes = state.replyMode === 'character';
    this.#bytes = new Uint8Array(256);
  }

  byte(value: number): void {
    if (this.#length === this.#bytes.length) {
      const larger = new Uint8Array(this.#bytes.length * 4);
      larger.set(this.#bytes);
      this.#bytes = larger;
    }
    this.#bytes[this.#length++] = value;
  }

  address(address: number): void {
    const { positions } = this.#state.space;
    const [first, second] = encodeBufferAddress(address, positions, addressModeFor(positions));
    this.byte(first);
    this.byte(second);
  }

  /** @param inherited field whose attributes apply to a character without its own, or `NO_FIELD` */
  character(at: number, field: BufferAddress, inherited: BufferAddress): void {
    const { planes } = this.#state.space;
    const code = planes.codes[at] as number;
    if (this.#tellsAttributes) this.#setAttributes(at, inherited);
    if (isGraphic(code) && this.#isOfAlternateSet(at, field)) this.byte(orders.graphicEscape);
    this.byte(code);
  }

  #isOfAlternateSet(at: number, field: BufferAddress): boolean {
    const { characterSets: sets } = this.#state.space.planes;
    const set = inForce(sets, at, field);
    return set === GRAPHIC_ESCAPED || set === characterSets.apl;
  }

  #tells(type: number): boolean {
    return this.#tellsAttributes && this.#state.replyAttributes.includes(type);
  }

  field(at: number): void {
    const { planes } = this.#state.space;
    const attribute = graphicCode(planes.fieldAttributes[at] as number);
    if (this.#state.replyMode === 'field') {
      this.byte(orders.startField);
      this.byte(attribute);
      return;
    }
    this.byte(orders.startFieldExtended);
    const count = this.#length;
    this.byte(1);
    this.byte(attributeTypes.field);
    this.byte(attribute);
    this.#pair(count, attributeTypes.foreground, planes.foregrounds[at] as number);
    this.#pair(count, attributeTypes.background, planes.backgrounds[at] as number);
    this.#pair(count, attributeTypes.highlighting, planes.highlightings[at] as number);
    this.#pair(count, attributeTypes.characterSet, planes.characterSets[at] as number);
  }

  beginText(nonDisplayable: boolean): void {
    this.#textStart = nonDisplayable ? this.#length : -1;
  }

  endText(): void {
    if (this.#textStart >= 0 && this.#length > this.#textStart) {
      this.#nonDisplayable.push({ start: this.#textStart, end: this.#length });
    }
    this.#textStart = -1;
  }

  finish(): EncodedRecord {
    return { bytes: this.#bytes.slice(0, this.#length), nonDisplayable: this.#nonDisplayable };
  }

  #pair(count: number, type: number, value: number): void {
    if (value === 0) return;
    this.byte(type);
    this.byte(value);
    this.#bytes[count] = (this.#bytes[count] as number) + 1;
  }

  #setAttributes(at: number, inherited: BufferAddress): void {
    const { foregrounds, backgrounds, highlightings, characterSets: sets } = this.#state.space.planes;
    this.#foreground = this.#set(attributeTypes.foreground, inForce(foregrounds, at, inherited), this.#foreground);
    this.#background = this.#set(attributeTypes.background, inForce(backgrounds, at, inherited), this.#background);
    this.#highlighting = this.#set(
      attributeTypes.highlighting,
      inForce(highlightings, at, inherited),
      this.#highlighting,
    );
    const set = inForce(sets, at, inherited);
    const told = set === GRAPHIC_ESCAPED ? characterSets.default : set;
    this.#characterSet = this.#set(attributeTypes.characterSet, told, this.#characterSet);
  }

  #set(type: number, value: number, current: number): number {
    if (value === current || !this.#tells(type)) return current;
    this.byte(orders.setAttribute);
    this.byte(type);
    this.byte(value);
    return value;
  }
}

function inForce(plane: Uint8Array, at: BufferAddress, field: BufferAddress): number {
  const own = plane[at] as number;
  return own === 0 && field !== NO_FIELD ? (plane[field] as number) : own;
}

/** Nulls and format controls belong to no character set and never follow Graphic Escape (GA23-0059, chapter 4). */
function isGraphic(code: number): boolean {
  return code >= SPACE && code !== formatControls.eightOnes;
}
