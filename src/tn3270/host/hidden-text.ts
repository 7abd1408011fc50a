import { attributeTypes } from '../datastream/attributes.js';
import { addressModeFor, decodeBufferAddress } from '../datastream/buffer-address.js';
import { findCommand } from '../datastream/commands.js';
import { isNonDisplayable, isProtected } from '../datastream/field-attribute.js';
import { isCharacter, orders } from '../datastream/orders.js';
import { structuredFields } from '../datastream/structured-fields.js';
import type { ByteRange } from '../screen/inbound-records.js';
import type { PresentationSpace } from '../screen/presentation-space.js';

/** Marks field attributes in `#attributes`; attributes of the screen have this bit, too. */
const MARK = 0xc0;
/** Limit of positions examined for one record. A record that exceeds it is masked completely. */
const MOST_STEPS = 4_000_000;
/** Length and identifier of a structured field. */
const STRUCTURED_FIELD_HEAD = 3;

interface Piece {
  readonly start: number;
  readonly length: number;
  readonly position: number;
  readonly wasHidden: boolean;
}

/**
 * Finds the bytes of a host record that the screen does not display: text in a field that is non-displayable when it is
 * written or at the end of the record, and the contents of structured fields.
 *
 * @param space state before the record is processed
 */
export function hiddenText(record: Uint8Array, space: PresentationSpace): readonly ByteRange[] {
  const command = record[0] === undefined ? undefined : findCommand(record[0]);
  switch (command) {
    case 'write':
    case 'eraseWrite':
    case 'eraseWriteAlternate':
      return new WrittenFields(record, space, command !== 'write').hidden();
    case 'writeStructuredField':
      return heldByStructuredFields(record);
    default:
      return [];
  }
}

function heldByStructuredFields(record: Uint8Array): readonly ByteRange[] {
  const ranges: ByteRange[] = [];
  for (let at = 1; at < record.length; ) {
    const length = ((record[at] ?? 0) << 8) | (record[at + 1] ?? 0);
    const end = length < STRUCTURED_FIELD_HEAD ? record.length : Math.min(at + length, record.length);
    // queries contain no screen data, and replaying a trace needs them unmasked
    const isQuery = record[at + 2] === structuredFields.readPartition;
    if (!isQuery && end > at + STRUCTURED_FIELD_HEAD) ranges.push({ start: at + STRUCTURED_FIELD_HEAD, end });
    at = end;
  }
  return ranges;
}

class WrittenFields {
  readonly #record: Uint8Array;
  readonly #positions: number;
  /** Field attribute of each position with `MARK`; 0: none. */
  readonly #attributes: Uint8Array;
  readonly #pieces: Piece[] = [];
  #position: number;
  #steps = 0;

  constructor(record: Uint8Array, space: PresentationSpace, erases: boolean) {
    this.#record = record;
    // an erase may change the screen size: use the larger one
    this.#positions = erases ? space.planes.positions : space.positions;
    this.#attributes = erases ? new Uint8Array(this.#positions) : space.fieldAttributes.slice(0, this.#positions);
    this.#position = erases ? 0 : space.cursor;
  }

  hidden(): readonly ByteRange[] {
    for (let at = 2; at < this.#record.length && this.#steps < MOST_STEPS; ) at = this.#take(at);
    if (this.#steps >= MOST_STEPS) return [{ start: 2, end: this.#record.length }];
    const hiddenAtEnd = this.#hiddenPositions();
    const ranges: ByteRange[] = [];
    for (const { start, length, position, wasHidden } of this.#pieces) {
      for (let index = 0; index < length; index += 1) {
        if (wasHidden || hiddenAtEnd[(position + index) % this.#positions] === 1)
          ranges.push({ start: start + index, end: start + index + 1 });
      }
    }
    return ranges;
  }

  #take(at: number): number {
    const code = this.#record[at] as number;
    switch (code) {
      case orders.setBufferAddress:
      case orders.eraseUnprotectedToAddress:
        this.#position = this.#address(at + 1);
        return at + 3;
      case orders.startField:
        this.#begin(this.#record[at + 1] ?? 0);
        return at + 2;
      case orders.startFieldExtended:
        this.#begin(this.#attributeOf(at) ?? 0);
        return at + 2 + 2 * (this.#record[at + 1] ?? 0);
      case orders.modifyField: {
        const attribute = this.#attributeOf(at);
        if (attribute !== undefined && this.#attributes[this.#position] !== 0) this.#begin(attribute);
        else this.#move(1);
        return at + 2 + 2 * (this.#record[at + 1] ?? 0);
      }
      case orders.setAttribute:
        return at + 3;
      case orders.insertCursor:
        return at + 1;
      case orders.programTab:
        this.#tab();
        return at + 1;
      case orders.repeatToAddress:
        return this.#repeat(at);
      case orders.graphicEscape:
        this.#text(at + 1, 1);
        return at + 2;
      default:
        return isCharacter(code) ? this.#run(at) : at + 1;
    }
  }

  #run(start: number): number {
    let end = start;
    while (end < this.#record.length && isCharacter(this.#record[end] as number)) end += 1;
    this.#text(start, end - start);
    return end;
  }

  #repeat(at: number): number {
    const stop = this.#address(at + 1);
    const isEscaped = this.#record[at + 3] === orders.graphicEscape;
    const code = at + 3 + (isEscaped ? 1 : 0);
    const from = this.#position;
    const count = stop > from ? stop - from : stop - from + this.#positions;
    // the first position decides which field the text is in; attributes at all positions are overwritten
    this.#pieces.push({ start: code, length: 1, position: from, wasHidden: this.#isHidden(from) });
    this.#steps += count;
    for (let index = 0; index < count; index += 1) this.#attributes[(from + index) % this.#positions] = 0;
    this.#position = stop % this.#positions;
    return code + 1;
  }

  #text(start: number, length: number): void {
    this.#pieces.push({ start, length, position: this.#position, wasHidden: this.#isHidden(this.#position) });
    for (let index = 0; index < length; index += 1) this.#attributes[(this.#position + index) % this.#positions] = 0;
    this.#move(length);
  }

  #begin(attribute: number): void {
    this.#attributes[this.#position] = attribute | MARK;
    this.#move(1);
  }

  #tab(): void {
    for (let index = 0; index < this.#positions; index += 1) {
      this.#steps += 1;
      const at = (this.#position + index) % this.#positions;
      const attribute = this.#attributes[at] as number;
      if (attribute !== 0 && !isProtected(attribute)) {
        this.#position = (at + 1) % this.#positions;
        return;
      }
    }
    this.#position = 0;
  }

  #hiddenPositions(): Uint8Array {
    const hidden = new Uint8Array(this.#positions);
    let isHidden = this.#isHidden(0);
    for (let at = 0; at < this.#positions; at += 1) {
      hidden[at] = isHidden ? 1 : 0;
      const attribute = this.#attributes[at] as number;
      if (attribute !== 0) isHidden = isNonDisplayable(attribute);
    }
    return hidden;
  }

  #isHidden(position: number): boolean {
    for (let back = 1; back <= this.#positions; back += 1) {
      this.#steps += 1;
      const attribute = this.#attributes[(position - back + 2 * this.#positions) % this.#positions] as number;
      if (attribute !== 0) return isNonDisplayable(attribute);
    }
    return false;
  }

  #attributeOf(at: number): number | undefined {
    const count = this.#record[at + 1] ?? 0;
    for (let pair = 0; pair < count; pair += 1) {
      if (this.#record[at + 2 + 2 * pair] === attributeTypes.field) return this.#record[at + 3 + 2 * pair];
    }
    return undefined;
  }

  #address(at: number): number {
    const address = decodeBufferAddress(
      this.#record[at] ?? 0,
      this.#record[at + 1] ?? 0,
      addressModeFor(this.#positions),
    );
    return address % this.#positions;
  }

  #move(count: number): void {
    this.#position = (this.#position + count) % this.#positions;
  }
}
