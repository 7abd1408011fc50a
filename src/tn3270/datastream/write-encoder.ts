import { type AddressMode, addressModeFor, type BufferAddress, encodeBufferAddress } from './buffer-address.js';
import { ByteBuilder } from './byte-builder.js';
import { commandCodes } from './commands.js';
import type { WriteCommand } from './data-stream-handler.js';
import { graphicCode } from './graphic-code.js';
import { orders } from './orders.js';
import { writeControls } from './write-control.js';

/** No record that a host builds is longer. */
const MOST_WRITE_BYTES = 1 << 20;

export interface WriteControl {
  readonly reset?: boolean;
  readonly soundAlarm?: boolean;
  readonly restoreKeyboard?: boolean;
  readonly resetModified?: boolean;
  readonly startPrinter?: boolean;
}

/** Attribute type and value, as SFE and MF carry them. */
export type AttributePair = readonly [type: number, value: number];

/** Builds the record of a Write, Erase/Write or Erase/Write Alternate, order by order (GA23-0059, chapters 3 and 4). */
export class WriteEncoder {
  readonly #builder = new ByteBuilder(MOST_WRITE_BYTES);
  readonly #positions: number;
  readonly #addressMode: AddressMode;

  /** @param positions the size of the presentation space that is written to: it decides how addresses are coded */
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

  /** @param pairs at most 255 */
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

  /** Codes of characters and format controls, as they are. */
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
