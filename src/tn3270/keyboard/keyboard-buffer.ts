import type { BufferAddress } from '../datastream/buffer-address.js';
import { FIELD_ATTRIBUTE_MARK, fieldAttributeBits, isProtected } from '../datastream/field-attribute.js';

/** What a key looks for at a position, whatever code or character stands for it there. */
export const cellContents = {
  /** Anything else, and a field attribute. */
  character: 0,
  null: 1,
  blank: 2,
  underscore: 3,
  shiftOut: 4,
  shiftIn: 5,
} as const;

export type CellContent = (typeof cellContents)[keyof typeof cellContents];

/** What stands in for a field attribute on an unformatted screen: unprotected, alphanumeric, displayed. */
const NO_FIELD = FIELD_ATTRIBUTE_MARK;

/**
 * The character buffer that a keyboard types into: positions, the fields that they form, and the cursor. Positions run row
 * by row and wrap round from the last to the first; a field runs from behind its attribute up to the next attribute.
 */
export abstract class KeyboardBuffer {
  abstract readonly columns: number;
  abstract readonly positions: number;
  /** 0 where no field begins, else the attribute byte with `FIELD_ATTRIBUTE_MARK`. */
  abstract readonly fieldAttributes: Uint8Array;
  /** Of each field at the position of its attribute: the bits of `validations`. */
  abstract readonly validations: Uint8Array;
  cursor: BufferAddress = 0;
  /** Whether there is a field at all. */
  formatted = false;

  abstract contentAt(address: BufferAddress): CellContent;
  abstract isLeftHalf(address: BufferAddress): boolean;
  abstract isRightHalf(address: BufferAddress): boolean;
  /** Writes a null without attributes of its own. */
  abstract erase(address: BufferAddress): void;
  /** Writes a blank; attributes of the position stay. */
  abstract blank(address: BufferAddress): void;
  /** Moves a character with its attributes, replacing the one there. */
  abstract copyCharacter(from: BufferAddress, to: BufferAddress): void;
  /** Neither characters nor fields are left, and the cursor is at the first position. */
  abstract clear(): void;

  next(address: BufferAddress): BufferAddress {
    return address + 1 === this.positions ? 0 : address + 1;
  }

  previous(address: BufferAddress): BufferAddress {
    return address === 0 ? this.positions - 1 : address - 1;
  }

  isFieldAttribute(address: BufferAddress): boolean {
    return this.fieldAttributes[address] !== 0;
  }

  /** From a right half to its left one. */
  leftHalf(address: BufferAddress): BufferAddress {
    return this.isRightHalf(address) ? this.previous(address) : address;
  }

  /** The position of the field attribute that rules a position, itself included; undefined on an unformatted screen. */
  fieldOf(address: BufferAddress): BufferAddress | undefined {
    if (!this.formatted) return undefined;
    const { fieldAttributes } = this;
    for (let at = address; at >= 0; at--) if (fieldAttributes[at] !== 0) return at;
    for (let at = this.positions - 1; at > address; at--) if (fieldAttributes[at] !== 0) return at;
    return undefined;
  }

  /** The attribute byte that rules a position. */
  attributeOf(address: BufferAddress): number {
    const field = this.fieldOf(address);
    return field === undefined ? NO_FIELD : (this.fieldAttributes[field] as number);
  }

  canBeTypedAt(address: BufferAddress): boolean {
    return !this.isFieldAttribute(address) && !isProtected(this.attributeOf(address));
  }

  /** The position of the next field attribute behind an address, round the end; undefined if there is none but itself. */
  nextField(address: BufferAddress): BufferAddress | undefined {
    const { fieldAttributes } = this;
    for (let at = this.next(address); at !== address; at = this.next(at)) if (fieldAttributes[at] !== 0) return at;
    return undefined;
  }

  /**
   * The first position of the first unprotected field whose attribute stands at or behind an address, round the end; 0
   * where there is none. A field of no length is passed over.
   */
  nextUnprotected(address: BufferAddress): BufferAddress {
    const { fieldAttributes } = this;
    let at = address;
    do {
      const attribute = fieldAttributes[at] as number;
      const following = this.next(at);
      if (attribute !== 0 && !isProtected(attribute) && fieldAttributes[following] === 0) return following;
      at = following;
    } while (at !== address);
    return 0;
  }

  /**
   * The address behind the last position that takes part when characters are inserted or deleted at an address: the end of
   * the field or, on an unformatted screen, of the line.
   */
  endOfEntry(address: BufferAddress): BufferAddress {
    if (!this.formatted) return ((Math.floor(address / this.columns) + 1) * this.columns) % this.positions;
    return this.nextField(address) ?? address;
  }

  /** Sets the modified data tag of the field whose attribute stands at `field`. */
  setModified(field: BufferAddress, modified: boolean): void {
    const attribute = this.fieldAttributes[field] as number;
    const { modified: tag } = fieldAttributeBits;
    this.fieldAttributes[field] = modified ? attribute | tag : attribute & ~tag;
  }
}
