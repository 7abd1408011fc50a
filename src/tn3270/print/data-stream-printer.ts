import type { CodePage } from '../codepage/code-page.js';
import { attributeTypes, characterSets } from '../datastream/attributes.js';
import { type AddressMode, addressModeFor, type BufferAddress } from '../datastream/buffer-address.js';
import { writeControls } from '../datastream/commands.js';
import {
  type AttributePairs,
  type DataStreamHandler,
  programChecks,
  type ReadCommand,
  type WriteCommand,
  type WriteFault,
} from '../datastream/data-stream-handler.js';
import { decodeOutboundRecord } from '../datastream/decoder.js';
import { isIntensified, isProtected } from '../datastream/field-attribute.js';
import { formatControls } from '../datastream/orders.js';
import { encodeQueryReplies } from '../datastream/query-reply.js';
import {
  PAPER_FULL,
  type Paper,
  type PrintFault,
  printedAplCharacter,
  printedCharacter,
  printedPair,
} from './paper.js';
import {
  type Carriage,
  nullCell,
  PRINT_POSITIONS,
  type PrintCell,
  PrintCells,
  printFormatted,
  printUnformatted,
} from './print-cells.js';
import { type PrintStyle, printStyles, withAttribute } from './printed-page.js';

/** Positions that one record may fill: a few bytes of repeating orders could fill very many. */
const MOST_FILLED_POSITIONS = 64 * PRINT_POSITIONS;

/** Indexed by bits 2 and 3 of the write control character: positions of a line. 0: format orders end the lines. */
const lineLengths = [0, 40, 64, 80] as const;

const kindOfControl: Readonly<Record<number, PrintCell>> = {
  [formatControls.null]: nullCell,
  [formatControls.newLine]: { kind: 'newLine' },
  [formatControls.carriageReturn]: { kind: 'carriageReturn' },
  [formatControls.formFeed]: { kind: 'formFeed' },
  [formatControls.endOfMedium]: { kind: 'endOfMedium' },
};

const shown: Readonly<Record<number, string>> = { [formatControls.duplicate]: '*', [formatControls.fieldMark]: ';' };

/**
 * Prints the 3270 data stream of LU type 3 and of plain TN3270 printers. The buffer keeps its contents until the host
 * erases it: a write that changes the buffer and starts the printer prints the whole buffer, in the same job or a later
 * one. Never throws for malformed records.
 */
export class DataStreamPrinter implements DataStreamHandler {
  readonly addressMode: AddressMode = addressModeFor(PRINT_POSITIONS);
  readonly positions = PRINT_POSITIONS;
  readonly #codePage: CodePage;
  readonly #paper: Paper;
  readonly #cells = new PrintCells();
  readonly #carriage: Carriage = { column: 0 };
  readonly #reply: (record: Uint8Array) => void;
  #address: BufferAddress = 0;
  #writeControl = 0;
  #style: PrintStyle | undefined;
  #characterSet: number = characterSets.default;
  #isShifted = false;
  #firstOfPair: number | undefined;
  #filled = 0;
  #fault: PrintFault | undefined;
  #hasUnprinted = false;

  constructor(codePage: CodePage, paper: Paper, reply: (record: Uint8Array) => void) {
    this.#codePage = codePage;
    this.#paper = paper;
    this.#reply = reply;
  }

  print(record: Uint8Array): PrintFault | undefined {
    this.#filled = 0;
    this.#fault = undefined;
    const fault = decodeOutboundRecord(record, this);
    if (fault !== undefined) return fault;
    if (this.#fault !== undefined) return this.#fault;
    if (!this.#paper.isFull) return undefined;
    return { sense: 'interventionRequired', reason: PAPER_FULL, offset: record.length };
  }

  get isWaiting(): boolean {
    return this.#hasUnprinted;
  }

  endJob(): void {
    if (this.#hasUnprinted) this.#printBuffer();
    this.#carriage.column = 0;
    this.#address = 0;
  }

  /** Empties the buffer, so that no application prints data of the previous one. */
  reset(): void {
    this.#clear();
    this.#carriage.column = 0;
  }

  get isExhausted(): boolean {
    return this.#filled > MOST_FILLED_POSITIONS;
  }

  beginWrite(command: WriteCommand, writeControl: number): void {
    this.#writeControl = writeControl;
    if (command !== 'write') this.#clear();
    this.#style = undefined;
    this.#characterSet = characterSets.default;
    this.#shift(false);
  }

  /** If format orders end the lines, the carriage can only move forward, over blanks. */
  setBufferAddress(address: BufferAddress): void {
    if (this.#lineLength === 0) {
      this.#filled += Math.max(0, address - this.#address);
      if (this.isExhausted) this.#fault = tooMuch;
      else while (this.#address < address) this.#put(blank);
    } else {
      this.#address = address;
    }
  }

  insertCursor(): void {}

  programTab(): undefined {}

  takesDoubleByte(): boolean {
    return this.#takesPairs;
  }

  repeatToAddress(
    stop: BufferAddress,
    code: number,
    second: number | undefined,
    graphicEscape: boolean,
  ): WriteFault | undefined {
    // if both addresses are equal, the order fills the whole buffer
    let positions = stop > this.#address ? stop - this.#address : stop + PRINT_POSITIONS - this.#address;
    const fault = this.#spend(positions);
    if (fault !== undefined) return fault;
    const isPair = second !== undefined;
    const cell = isPair
      ? this.#character(printedPair(this.#codePage, code, second))
      : this.#cellOf(code, graphicEscape);
    for (; positions > 0; positions -= isPair ? 2 : 1) {
      this.#put(cell);
      if (isPair) this.#put(rightHalf);
    }
    return undefined;
  }

  eraseUnprotectedToAddress(stop: BufferAddress): WriteFault | undefined {
    const end = stop > this.#address ? stop : PRINT_POSITIONS;
    const fault = this.#spend(end - this.#address);
    if (fault !== undefined) return fault;
    this.#eraseUnprotected(this.#address, end);
    this.#address = stop;
    return undefined;
  }

  startField(attribute: number): void {
    this.#putAttribute(attribute, printStyles.plain);
  }

  startFieldExtended(pairs: AttributePairs): void {
    const { attribute, style } = readPairs(pairs, { attribute: 0, style: printStyles.plain });
    this.#putAttribute(attribute, style);
  }

  modifyField(pairs: AttributePairs): void {
    const cell = this.#cells.at(this.#address);
    if (cell.kind !== 'attribute') return;
    this.#put({ kind: 'attribute', ...readPairs(pairs, cell) });
  }

  setAttribute(type: number, value: number): void {
    if (type === attributeTypes.characterSet || type === attributeTypes.resetAll) {
      this.#characterSet = type === attributeTypes.characterSet ? value : characterSets.default;
      this.#firstOfPair = undefined;
    }
    const style = withAttribute(this.#style ?? printStyles.plain, type, value);
    this.#style = style === printStyles.plain ? undefined : style;
  }

  graphicEscape(code: number): undefined {
    this.#put(this.#cellOf(code, true));
  }

  text(record: Uint8Array, start: number, end: number): undefined {
    for (let at = start; at < end; at++) this.#takeCode(record[at] as number);
  }

  endWrite(): undefined {
    if ((this.#writeControl & writeControls.startPrinter) !== 0) this.#printBuffer();
  }

  eraseAllUnprotected(): void {
    this.#eraseUnprotected(0, this.#cells.used);
    this.#address = 0;
  }

  read(_command: ReadCommand): void {
    this.#fault = notForPrinters;
  }

  readPartition(_command: ReadCommand): void {
    this.#fault = notForPrinters;
  }

  fileTransfer(): void {
    this.#fault = notForPrinters;
  }

  eraseReset(): void {
    this.#clear();
  }

  setReplyMode(): void {}

  createPartition(): void {}

  query(codes: Uint8Array | 'all'): void {
    this.#filled += PRINT_POSITIONS;
    const size = { rows: 24, columns: 80, defaultRows: 24, defaultColumns: 80 };
    const device = { ...size, color: false, codePage: this.#codePage.number, transferBufferBytes: 0 };
    this.#reply(encodeQueryReplies(device, codes));
  }

  get #lineLength(): number {
    return lineLengths[(this.#writeControl >> 4) & 0x03] ?? 0;
  }

  get #takesPairs(): boolean {
    if (this.#codePage.doubleByte === undefined) return false;
    return this.#isShifted || this.#characterSet === characterSets.doubleByte;
  }

  #takeCode(code: number): void {
    if (code === formatControls.shiftOut || code === formatControls.shiftIn) {
      this.#shift(code === formatControls.shiftOut);
      this.#put(blank);
      return;
    }
    if (!this.#takesPairs || kindOfControl[code] !== undefined) {
      this.#put(this.#cellOf(code, this.#characterSet === characterSets.apl));
      return;
    }
    const first = this.#firstOfPair;
    this.#firstOfPair = first === undefined ? code : undefined;
    if (first === undefined) return;
    this.#put(this.#character(printedPair(this.#codePage, first, code)));
    this.#put(rightHalf);
  }

  #cellOf(code: number, isApl: boolean): PrintCell {
    const control = isApl ? undefined : kindOfControl[code];
    if (control !== undefined) return control;
    if (isApl) return this.#character(printedAplCharacter(code));
    return this.#character(shown[code] ?? printedCharacter(this.#codePage, code));
  }

  #character(character: string): PrintCell {
    return { kind: 'character', character, style: this.#style };
  }

  #shift(isShifted: boolean): void {
    this.#isShifted = isShifted;
    this.#firstOfPair = undefined;
  }

  #put(cell: PrintCell): void {
    this.#hasUnprinted = true;
    this.#cells.put(this.#address, cell);
    this.#address = (this.#address + 1) % PRINT_POSITIONS;
  }

  #putAttribute(attribute: number, style: PrintStyle): void {
    const bold = isIntensified(attribute) ? printStyles.bold : printStyles.plain;
    this.#put({ kind: 'attribute', attribute, style: style | bold });
  }

  #eraseUnprotected(from: BufferAddress, to: BufferAddress): void {
    let field = this.#cells.fieldBefore(from);
    for (let at = from; at < Math.min(to, this.#cells.used); at++) {
      const cell = this.#cells.at(at);
      if (cell.kind === 'attribute') field = cell;
      else if (field === undefined || !isProtected(field.attribute)) this.#cells.put(at, nullCell);
    }
  }

  #clear(): void {
    this.#filled += this.#cells.used;
    this.#cells.clear();
    this.#hasUnprinted = false;
    this.#address = 0;
  }

  #printBuffer(): void {
    this.#filled += this.#cells.used;
    const length = this.#lineLength;
    if (length === 0) printUnformatted(this.#cells, this.#paper, this.#carriage);
    else printFormatted(this.#cells, length, this.#paper);
    this.#hasUnprinted = false;
    this.#address = 0;
  }

  #spend(positions: number): WriteFault | undefined {
    this.#filled += positions;
    if (!this.isExhausted) return undefined;
    return { programCheck: programChecks.order, reason: tooMuch.reason };
  }
}

const blank: PrintCell = { kind: 'character', character: ' ', style: undefined };
const notForPrinters: PrintFault = { sense: 'commandReject', reason: 'a printer does not support this', offset: 0 };
const tooMuch: PrintFault = {
  sense: 'operationCheck',
  reason: 'a record that fills too many positions',
  offset: 0,
};
const rightHalf: PrintCell = { kind: 'rightHalf' };

function readPairs(
  { record, start, count }: AttributePairs,
  before: { readonly attribute: number; readonly style: PrintStyle },
): { readonly attribute: number; readonly style: PrintStyle } {
  let { attribute, style } = before;
  for (let at = start; at < start + 2 * count; at += 2) {
    const [type, value] = [record[at] as number, record[at + 1] as number];
    if (type === attributeTypes.field) attribute = value;
    else style = withAttribute(style, type, value);
  }
  return { attribute, style };
}
