import { NULL, RIGHT_HALF } from './cell-signs.js';
import { isProtected, MODIFIED } from './field-attribute.js';

/** Makes every field attribute other than 0. */
const ATTRIBUTE_MARK = 0xc0;

/** Attributes that a character has of its own. */
export interface CharacterStyle {
  readonly colour: number;
  readonly highlighting: number;
  readonly background: number;
}

/**
 * The character buffer that is typed into: positions, the fields that they form, and the cursor. Positions run row by row and
 * wrap round from the last to the first; a field runs from behind its attribute up to the next attribute.
 */
export class PresentationBuffer {
  readonly rows: number;
  readonly columns: number;
  readonly positions: number;
  /** A character, or one of the signs of cell-signs.ts. */
  readonly cells: string[];
  readonly styles: Array<CharacterStyle | undefined>;
  /** 0 where no field begins, else the attribute with a mark. */
  readonly attributes: Uint8Array;
  readonly validations: Uint8Array;
  cursor = 0;
  formatted = false;

  constructor(rows: number, columns: number) {
    this.rows = rows;
    this.columns = columns;
    this.positions = rows * columns;
    this.cells = new Array<string>(this.positions).fill(NULL);
    this.styles = new Array<CharacterStyle | undefined>(this.positions).fill(undefined);
    this.attributes = new Uint8Array(this.positions);
    this.validations = new Uint8Array(this.positions);
  }

  setField(address: number, attribute: number, validation: number): void {
    this.attributes[address] = attribute | ATTRIBUTE_MARK;
    this.validations[address] = validation;
    this.formatted = true;
  }

  /** Without attributes of its own. */
  setCell(at: number, cell: string): void {
    this.cells[at] = cell;
    this.styles[at] = undefined;
  }

  copyCell(from: number, to: number): void {
    this.cells[to] = this.cells[from] as string;
    this.styles[to] = this.styles[from];
  }

  setModified(field: number, modified: boolean): void {
    const attribute = this.attributes[field] as number;
    this.attributes[field] = modified ? attribute | MODIFIED : attribute & ~MODIFIED;
  }

  next(address: number): number {
    return address + 1 === this.positions ? 0 : address + 1;
  }

  previous(address: number): number {
    return address === 0 ? this.positions - 1 : address - 1;
  }

  isFieldAttribute(address: number): boolean {
    return this.attributes[address] !== 0;
  }

  isRightHalf(address: number): boolean {
    return this.cells[address] === RIGHT_HALF;
  }

  isLeftHalf(address: number): boolean {
    return !this.isRightHalf(address) && this.cells[this.next(address)] === RIGHT_HALF;
  }

  /** From a right half to its left one. */
  leftHalf(address: number): number {
    return this.isRightHalf(address) ? this.previous(address) : address;
  }

  /** The position of the field attribute that rules a position, itself included; undefined on an unformatted screen. */
  fieldOf(address: number): number | undefined {
    if (!this.formatted) return undefined;
    for (let at = address; at >= 0; at--) if (this.attributes[at] !== 0) return at;
    for (let at = this.positions - 1; at > address; at--) if (this.attributes[at] !== 0) return at;
    return undefined;
  }

  /** The attribute that rules a position; on an unformatted screen, that of an unprotected field. */
  attributeOf(address: number): number {
    const field = this.fieldOf(address);
    return field === undefined ? ATTRIBUTE_MARK : (this.attributes[field] as number);
  }

  canBeTypedAt(address: number): boolean {
    return !this.isFieldAttribute(address) && !isProtected(this.attributeOf(address));
  }

  /** The positions of a field, in their order. */
  *positionsOf(field: number): Generator<number> {
    for (let at = this.next(field); this.attributes[at] === 0; at = this.next(at)) yield at;
  }

  /**
   * The first position of the first unprotected field whose attribute stands at or behind an address, round the end; 0 where
   * there is none. A field of no length is passed over.
   */
  nextUnprotected(address: number): number {
    let at = address;
    do {
      const attribute = this.attributes[at] as number;
      const following = this.next(at);
      if (attribute !== 0 && !isProtected(attribute) && this.attributes[following] === 0) return following;
      at = following;
    } while (at !== address);
    return 0;
  }

  /**
   * The address behind the last position that takes part when characters are inserted or deleted at an address: the end of
   * the field or, on an unformatted screen, of the line.
   */
  endOfEntry(address: number): number {
    if (!this.formatted) return ((Math.floor(address / this.columns) + 1) * this.columns) % this.positions;
    let end = this.next(address);
    while (end !== address && this.attributes[end] === 0) end = this.next(end);
    return end;
  }
}
