import type { BufferAddress } from '../datastream/buffer-address.js';
import { FIELD_ATTRIBUTE_MARK, fieldAttributeBits, isProtected } from '../datastream/field-attribute.js';

export const cellContents = {
  character: 0,
  null: 1,
  blank: 2,
  underscore: 3,
  shiftOut: 4,
  shiftIn: 5,
} as const;

export type CellContent = (typeof cellContents)[keyof typeof cellContents];

/** Attribute of an unformatted screen: unprotected, alphanumeric, displayed. */
const NO_FIELD = FIELD_ATTRIBUTE_MARK;

/** Positions run row by row and wrap around. A field starts after its attribute and ends before the next one. */
export abstract class KeyboardBuffer {
  abstract readonly columns: number;
  abstract readonly positions: number;
  /** Attribute byte with `FIELD_ATTRIBUTE_MARK` at each field attribute, else 0. */
  abstract readonly fieldAttributes: Uint8Array;
  /** Bits of `validations` at the position of each field attribute. */
  abstract readonly validations: Uint8Array;
  cursor: BufferAddress = 0;
  formatted = false;

  abstract contentAt(address: BufferAddress): CellContent;
  abstract isLeftHalf(address: BufferAddress): boolean;
  abstract isRightHalf(address: BufferAddress): boolean;
  /** Writes a null and clears the position's attributes. */
  abstract erase(address: BufferAddress): void;
  /** Writes a blank and keeps the position's attributes. */
  abstract blank(address: BufferAddress): void;
  abstract copyCharacter(from: BufferAddress, to: BufferAddress): void;
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

  leftHalf(address: BufferAddress): BufferAddress {
    return this.isRightHalf(address) ? this.previous(address) : address;
  }

  /** Address of the attribute that applies to a position or is there; undefined on an unformatted screen. */
  fieldOf(address: BufferAddress): BufferAddress | undefined {
    if (!this.formatted) return undefined;
    const { fieldAttributes } = this;
    for (let at = address; at >= 0; at--) if (fieldAttributes[at] !== 0) return at;
    for (let at = this.positions - 1; at > address; at--) if (fieldAttributes[at] !== 0) return at;
    return undefined;
  }

  attributeOf(address: BufferAddress): number {
    const field = this.fieldOf(address);
    return field === undefined ? NO_FIELD : (this.fieldAttributes[field] as number);
  }

  canBeTypedAt(address: BufferAddress): boolean {
    return !this.isFieldAttribute(address) && !isProtected(this.attributeOf(address));
  }

  /** Wraps around; undefined if there is no other field. */
  nextField(address: BufferAddress): BufferAddress | undefined {
    const { fieldAttributes } = this;
    for (let at = this.next(address); at !== address; at = this.next(at)) if (fieldAttributes[at] !== 0) return at;
    return undefined;
  }

  /** First position of the next unprotected field with its attribute at or after `address`, else 0. */
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

  /** Exclusive end of an insertion or deletion: of the field or, on an unformatted screen, of the row. */
  endOfEntry(address: BufferAddress): BufferAddress {
    if (!this.formatted) return ((Math.floor(address / this.columns) + 1) * this.columns) % this.positions;
    return this.nextField(address) ?? address;
  }

  setModified(field: BufferAddress, modified: boolean): void {
    const attribute = this.fieldAttributes[field] as number;
    const { modified: tag } = fieldAttributeBits;
    this.fieldAttributes[field] = modified ? attribute | tag : attribute & ~tag;
  }
}
