import {
  type AddressMode,
  addressModeFor,
  type BufferAddress,
  encodeBufferAddress,
  graphicCode,
} from './buffer-address.js';
import { commandCodes, writeControls } from './commands.js';
import type { ReplyMode, WriteCommand } from './data-stream-handler.js';
import { orders } from './orders.js';
import {
  NO_PARTITION,
  ONLY_PARTITION,
  queryListRequests,
  readOperations,
  replyModes,
  structuredFields,
} from './structured-fields.js';

const MOST_WRITE_BYTES = 1 << 20;

export interface WriteControl {
  readonly reset?: boolean;
  readonly soundAlarm?: boolean;
  readonly restoreKeyboard?: boolean;
  readonly resetModified?: boolean;
  readonly startPrinter?: boolean;
}

export type AttributePair = readonly [type: number, value: number];

/** Builds the record of a Write, Erase/Write or Erase/Write Alternate, order by order (GA23-0059, chapters 3 and 4). */
export class WriteEncoder {
  readonly #builder = new ByteBuilder(MOST_WRITE_BYTES);
  readonly #positions: number;
  readonly #addressMode: AddressMode;

  constructor(command: WriteCommand, control: WriteControl, positions: number) {
    this.#positions = positions;
    this.#addressMode = addressModeFor(positions);
    this.#builder.byte(commandCodes[command].sna ?? commandCodes[command].ccw);
    this.#builder.byte(graphicCode(encodeWriteControl(control)));
  }

  setBufferAddress(address: BufferAddress): this {
    const [first, second] = this.#address(address);
    return this.#order(orders.setBufferAddress, first, second);
  }

  startField(attribute: number): this {
    return this.#order(orders.startField, graphicCode(attribute));
  }

  /** @param pairs at most 255 */
  startFieldExtended(pairs: readonly AttributePair[]): this {
    return this.#pairs(orders.startFieldExtended, pairs);
  }

  modifyField(pairs: readonly AttributePair[]): this {
    return this.#pairs(orders.modifyField, pairs);
  }

  setAttribute(type: number, value: number): this {
    return this.#order(orders.setAttribute, type, value);
  }

  insertCursor(): this {
    return this.#order(orders.insertCursor);
  }

  programTab(): this {
    return this.#order(orders.programTab);
  }

  /** @param codes one byte, or the two of a double-byte character */
  repeatToAddress(stop: BufferAddress, codes: readonly number[], graphicEscape = false): this {
    const prefix = graphicEscape ? [orders.graphicEscape] : [];
    return this.#order(orders.repeatToAddress, ...this.#address(stop), ...prefix, ...codes);
  }

  eraseUnprotectedToAddress(stop: BufferAddress): this {
    return this.#order(orders.eraseUnprotectedToAddress, ...this.#address(stop));
  }

  graphicEscape(code: number): this {
    return this.#order(orders.graphicEscape, code);
  }

  text(codes: ArrayLike<number>): this {
    this.#builder.bytes(codes);
    return this;
  }

  finish(): Uint8Array {
    return this.#builder.finish();
  }

  #order(...bytes: number[]): this {
    for (const byte of bytes) this.#builder.byte(byte);
    return this;
  }

  #pairs(order: number, pairs: readonly AttributePair[]): this {
    this.#order(order, pairs.length);
    for (const [type, value] of pairs) this.#order(type, value);
    return this;
  }

  #address(address: BufferAddress): [number, number] {
    return encodeBufferAddress(address, this.#positions, this.#addressMode);
  }
}

function encodeWriteControl(control: WriteControl): number {
  const { reset, soundAlarm, restoreKeyboard, resetModified, startPrinter } = control;
  return (
    (startPrinter === true ? writeControls.startPrinter : 0) |
    (reset === true ? writeControls.reset : 0) |
    (soundAlarm === true ? writeControls.soundAlarm : 0) |
    (restoreKeyboard === true ? writeControls.restoreKeyboard : 0) |
    (resetModified === true ? writeControls.resetModified : 0)
  );
}

/** Two bytes of length, the identifier, then the content (GA23-0059, chapter 5). */
function encodeStructuredField(identifier: number, body: ArrayLike<number>): Uint8Array {
  const field = new Uint8Array(body.length + 3);
  field.set([(field.length >> 8) & 0xff, field.length & 0xff, identifier]);
  field.set(body, 3);
  return field;
}

export function encodeWriteStructuredField(...fields: readonly Uint8Array[]): Uint8Array {
  const record = new Uint8Array(1 + fields.reduce((sum, { length }) => sum + length, 0));
  record[0] = commandCodes.writeStructuredField.sna ?? 0;
  let at = 1;
  for (const field of fields) {
    record.set(field, at);
    at += field.length;
  }
  return record;
}

export const readPartitionQuery = (): Uint8Array =>
  encodeStructuredField(structuredFields.readPartition, [NO_PARTITION, readOperations.query]);

export const readPartitionQueryList = (codes: readonly number[]): Uint8Array =>
  encodeStructuredField(structuredFields.readPartition, [
    NO_PARTITION,
    readOperations.queryList,
    queryListRequests.list,
    ...codes,
  ]);

export const setReplyMode = (mode: ReplyMode, attributes: readonly number[] = []): Uint8Array =>
  encodeStructuredField(structuredFields.setReplyMode, [ONLY_PARTITION, replyModes[mode], ...attributes]);

export const eraseReset = (alternate: boolean): Uint8Array =>
  encodeStructuredField(structuredFields.eraseReset, [alternate ? 0x80 : 0x00]);

export const fileTransferData = (body: Uint8Array): Uint8Array =>
  encodeStructuredField(structuredFields.fileTransfer, body);

export const outbound3270DataStream = (write: Uint8Array): Uint8Array =>
  encodeStructuredField(structuredFields.outbound3270DataStream, [ONLY_PARTITION, ...write]);

const FIRST_CAPACITY = 256;

class ByteBuilder {
  readonly #most: number;
  #bytes = new Uint8Array(FIRST_CAPACITY);
  #length = 0;

  constructor(most: number) {
    this.#most = most;
  }

  byte(value: number): void {
    this.#reserve(1);
    this.#bytes[this.#length++] = value;
  }

  bytes(values: ArrayLike<number>): void {
    this.#reserve(values.length);
    this.#bytes.set(values, this.#length);
    this.#length += values.length;
  }

  finish(): Uint8Array {
    return this.#bytes.slice(0, this.#length);
  }

  #reserve(count: number): void {
    const length = this.#length + count;
    if (length > this.#most) throw new RangeError(`a record of more than ${this.#most} bytes`);
    if (length <= this.#bytes.length) return;
    const larger = new Uint8Array(Math.max(length, this.#bytes.length * 2));
    larger.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = larger;
  }
}
