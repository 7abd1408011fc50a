import type { BufferAddress } from '../datastream/buffer-address.js';
import { formatControls, SPACE } from '../datastream/orders.js';
import { type CellContent, cellContents, KeyboardBuffer } from '../keyboard/keyboard-buffer.js';
import { doubleByteStates, Planes } from './planes.js';
import { DEFAULT_SIZE, type ScreenSize } from './screen-size.js';

const UNDERSCORE = 0x6d;

const contentOfCode = new Uint8Array(256);
contentOfCode[formatControls.null] = cellContents.null;
contentOfCode[SPACE] = cellContents.blank;
contentOfCode[UNDERSCORE] = cellContents.underscore;
contentOfCode[formatControls.shiftOut] = cellContents.shiftOut;
contentOfCode[formatControls.shiftIn] = cellContents.shiftIn;

export class PresentationSpace extends KeyboardBuffer {
  readonly planes: Planes;
  defaultSize: ScreenSize;
  alternateSize: ScreenSize;
  rows: number;
  columns: number;
  positions: number;

  /** Called while the old content is still present. */
  beforeClear: (() => void) | undefined;

  /** Starts with the alternate size, as a terminal does before the first write. */
  constructor(defaultSize: ScreenSize, alternateSize: ScreenSize, hasDoubleByte: boolean) {
    super();
    this.defaultSize = defaultSize;
    this.alternateSize = alternateSize;
    this.rows = alternateSize.rows;
    this.columns = alternateSize.columns;
    this.positions = this.rows * this.columns;
    this.planes = new Planes(Math.max(this.positions, defaultSize.rows * defaultSize.columns), hasDoubleByte);
  }

  get fieldAttributes(): Uint8Array {
    return this.planes.fieldAttributes;
  }

  get validations(): Uint8Array {
    return this.planes.validations;
  }

  /** The caller checks the size with `holds` and clears the content. */
  resize({ rows, columns }: ScreenSize): void {
    this.rows = rows;
    this.columns = columns;
    this.positions = rows * columns;
  }

  holds({ rows, columns }: ScreenSize): boolean {
    return rows >= DEFAULT_SIZE.rows && columns >= DEFAULT_SIZE.columns && rows * columns <= this.planes.positions;
  }

  clear(): void {
    this.beforeClear?.();
    this.planes.clear();
    this.cursor = 0;
    this.formatted = false;
  }

  /** Moves a cursor left of the margin (a column, from 0) to the margin in the same row. */
  moveToMargin(margin: number): void {
    this.cursor += Math.max(0, margin - (this.cursor % this.columns));
  }

  contentAt(address: BufferAddress): CellContent {
    return contentOfCode[this.planes.codes[address] as number] as CellContent;
  }

  isLeftHalf(address: BufferAddress): boolean {
    return this.planes.doubleByte[address] === doubleByteStates.left;
  }

  isRightHalf(address: BufferAddress): boolean {
    return this.planes.doubleByte[address] === doubleByteStates.right;
  }

  erase(address: BufferAddress): void {
    this.planes.setCharacter(address, formatControls.null);
  }

  blank(address: BufferAddress): void {
    this.planes.codes[address] = SPACE;
  }

  copyCharacter(from: BufferAddress, to: BufferAddress): void {
    this.planes.copyCharacter(from, to);
  }

  updateFormatted(): void {
    this.formatted = this.firstField() !== undefined;
  }

  firstField(): BufferAddress | undefined {
    const { fieldAttributes } = this.planes;
    for (let at = 0; at < this.positions; at++) if (fieldAttributes[at] !== 0) return at;
    return undefined;
  }

  fieldLength(field: BufferAddress): number {
    const end = this.nextField(field);
    if (end === undefined) return this.positions - 1;
    return (end - field - 1 + this.positions) % this.positions;
  }
}
