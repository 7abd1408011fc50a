import type { BufferAddress } from '../datastream/buffer-address.js';
import { isProtected } from '../datastream/field-attribute.js';
import { FIELD_ATTRIBUTE_MARK, Planes } from './planes.js';
import { DEFAULT_SIZE, type ScreenSize } from './screen-size.js';

/** What stands in for a field attribute on an unformatted screen: unprotected, alphanumeric, displayed. */
const NO_FIELD = FIELD_ATTRIBUTE_MARK;

/**
 * The character buffer: positions, the fields that they form, and the cursor. Positions run row by row and wrap round
 * from the last to the first; a field runs from behind its attribute up to the next attribute.
 */
export class PresentationSpace {
  readonly planes: Planes;
  /** After Erase/Write. */
  defaultSize: ScreenSize;
  /** After Erase/Write Alternate. */
  alternateSize: ScreenSize;
  rows: number;
  columns: number;
  positions: number;
  cursor: BufferAddress = 0;
  /** Whether there is a field at all. */
  formatted = false;

  /** Starts with the alternate size, as a terminal does that no host has written to. */
  constructor(defaultSize: ScreenSize, alternateSize: ScreenSize, hasDoubleByte: boolean) {
    this.defaultSize = defaultSize;
    this.alternateSize = alternateSize;
    this.rows = alternateSize.rows;
    this.columns = alternateSize.columns;
    this.positions = this.rows * this.columns;
    this.planes = new Planes(Math.max(this.positions, defaultSize.rows * defaultSize.columns), hasDoubleByte);
  }

  /** A size that the buffer has room for. What stands in it is the caller's to clear. */
  resize({ rows, columns }: ScreenSize): void {
    this.rows = rows;
    this.columns = columns;
    this.positions = rows * columns;
  }

  /** Whether the buffer has room for a size; none is smaller than a model 2's. */
  holds({ rows, columns }: ScreenSize): boolean {
    return rows >= DEFAULT_SIZE.rows && columns >= DEFAULT_SIZE.columns && rows * columns <= this.planes.positions;
  }

  clear(): void {
    this.planes.clear();
    this.cursor = 0;
    this.formatted = false;
  }

  /** Looks once more whether there is a field. */
  updateFormatted(): void {
    this.formatted = this.firstField() !== undefined;
  }

  next(address: BufferAddress): BufferAddress {
    return address + 1 === this.positions ? 0 : address + 1;
  }

  previous(address: BufferAddress): BufferAddress {
    return address === 0 ? this.positions - 1 : address - 1;
  }

  isFieldAttribute(address: BufferAddress): boolean {
    return this.planes.fieldAttributes[address] !== 0;
  }

  /** The position of the first field attribute of the buffer. */
  firstField(): BufferAddress | undefined {
    const { fieldAttributes } = this.planes;
    for (let at = 0; at < this.positions; at++) if (fieldAttributes[at] !== 0) return at;
    return undefined;
  }

  /** The position of the field attribute that rules a position, itself included; undefined on an unformatted screen. */
  fieldOf(address: BufferAddress): BufferAddress | undefined {
    if (!this.formatted) return undefined;
    const { fieldAttributes } = this.planes;
    for (let at = address; at >= 0; at--) if (fieldAttributes[at] !== 0) return at;
    for (let at = this.positions - 1; at > address; at--) if (fieldAttributes[at] !== 0) return at;
    return undefined;
  }

  /** The attribute byte that rules a position. */
  attributeOf(address: BufferAddress): number {
    const field = this.fieldOf(address);
    return field === undefined ? NO_FIELD : (this.planes.fieldAttributes[field] as number);
  }

  /** The position of the next field attribute behind an address, round the end; undefined where there is none but itself. */
  nextField(address: BufferAddress): BufferAddress | undefined {
    const { fieldAttributes } = this.planes;
    for (let at = this.next(address); at !== address; at = this.next(at)) if (fieldAttributes[at] !== 0) return at;
    return undefined;
  }

  /**
   * The first position of the first unprotected field whose attribute stands at or behind an address, round the end; 0
   * where there is none. A field of no length is passed over.
   */
  nextUnprotected(address: BufferAddress): BufferAddress {
    const { fieldAttributes } = this.planes;
    let at = address;
    do {
      const attribute = fieldAttributes[at] as number;
      const following = this.next(at);
      if (attribute !== 0 && !isProtected(attribute) && fieldAttributes[following] === 0) return following;
      at = following;
    } while (at !== address);
    return 0;
  }

  /** The number of positions of the field whose attribute stands at `field`. */
  fieldLength(field: BufferAddress): number {
    const end = this.nextField(field);
    if (end === undefined) return this.positions - 1;
    return (end - field - 1 + this.positions) % this.positions;
  }
}
