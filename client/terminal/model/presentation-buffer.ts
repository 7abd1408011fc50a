import { FIELD_ATTRIBUTE_MARK } from '../../../src/tn3270/datastream/field-attribute.js';
import { type CellContent, cellContents, KeyboardBuffer } from '../../../src/tn3270/keyboard/keyboard-buffer.js';
import { BLANK, NULL, RIGHT_HALF, SHIFT_IN, SHIFT_OUT } from './cell-signs.js';

const ONLY_DOUBLE_BYTE = 2;

export interface CharacterStyle {
  readonly colour: number;
  readonly highlighting: number;
  readonly background: number;
}

const contentOfSign: ReadonlyMap<string, CellContent> = new Map([
  [NULL, cellContents.null],
  [BLANK, cellContents.blank],
  ['_', cellContents.underscore],
  [SHIFT_OUT, cellContents.shiftOut],
  [SHIFT_IN, cellContents.shiftIn],
]);

/** Screen buffer in Unicode characters: the server does not send host codes. */
export class PresentationBuffer extends KeyboardBuffer {
  readonly rows: number;
  readonly columns: number;
  readonly positions: number;
  /** A character, or a special value of cell-signs.ts. */
  readonly cells: string[];
  readonly styles: Array<CharacterStyle | undefined>;
  readonly fieldAttributes: Uint8Array;
  readonly validations: Uint8Array;
  /** By attribute address: 0 single-byte characters only, 1 both, 2 double-byte characters only. */
  readonly doubleByteEntries: Uint8Array;

  constructor(rows: number, columns: number) {
    super();
    this.rows = rows;
    this.columns = columns;
    this.positions = rows * columns;
    this.cells = new Array<string>(this.positions).fill(NULL);
    this.styles = new Array<CharacterStyle | undefined>(this.positions).fill(undefined);
    this.fieldAttributes = new Uint8Array(this.positions);
    this.validations = new Uint8Array(this.positions);
    this.doubleByteEntries = new Uint8Array(this.positions);
  }

  setField(address: number, attribute: number, validation: number, doubleByteEntry = 0): void {
    this.fieldAttributes[address] = attribute | FIELD_ATTRIBUTE_MARK;
    this.validations[address] = validation;
    this.doubleByteEntries[address] = doubleByteEntry;
    this.formatted = true;
  }

  /** A double-byte character may always follow or replace another; elsewhere the field must allow shift codes. */
  takesWidthAtCursor(width: 1 | 2): boolean {
    const { cursor } = this;
    const field = this.fieldOf(cursor);
    const entry = field === undefined ? 0 : (this.doubleByteEntries[field] as number);
    if (width === 1) return entry !== ONLY_DOUBLE_BYTE;
    const [here, before] = [this.cells[cursor], this.cells[this.previous(cursor)]];
    const isInSubfield = here === RIGHT_HALF || here === SHIFT_OUT || here === SHIFT_IN || this.isLeftHalf(cursor);
    return entry !== 0 || isInSubfield || before === SHIFT_IN || before === RIGHT_HALF;
  }

  setCell(at: number, cell: string): void {
    this.cells[at] = cell;
    this.styles[at] = undefined;
  }

  contentAt(address: number): CellContent {
    return contentOfSign.get(this.cells[address] as string) ?? cellContents.character;
  }

  isLeftHalf(address: number): boolean {
    return !this.isRightHalf(address) && this.isRightHalf(this.next(address));
  }

  isRightHalf(address: number): boolean {
    return this.cells[address] === RIGHT_HALF;
  }

  erase(address: number): void {
    this.setCell(address, NULL);
  }

  blank(address: number): void {
    this.cells[address] = BLANK;
  }

  copyCharacter(from: number, to: number): void {
    this.cells[to] = this.cells[from] as string;
    this.styles[to] = this.styles[from];
  }

  clear(): void {
    this.cells.fill(NULL);
    this.styles.fill(undefined);
    this.fieldAttributes.fill(0);
    this.validations.fill(0);
    this.doubleByteEntries.fill(0);
    this.cursor = 0;
    this.formatted = false;
  }

  *positionsOf(field: number): Generator<number> {
    for (let at = this.next(field); !this.isFieldAttribute(at); at = this.next(at)) yield at;
  }
}
