import type { ReadOutcome } from '../../../lib/read-outcome.js';
import { aids } from '../../../tn3270/datastream/aid.js';
import { encodeWriteStructuredField, fileTransferData, WriteEncoder } from '../../../tn3270/datastream/encoder.js';
import { displays, fieldAttributeBits } from '../../../tn3270/datastream/field-attribute.js';
import { decodeInboundRecord } from '../../../tn3270/datastream/inbound-decoder.js';
import {
  CUT_MARK,
  CUT_POSITIONS,
  CutDecoder,
  CutEncoder,
  cutControls,
  cutFrameTypes,
  dataFrame,
  END_OF_FILE_CODES,
  MOST_CUT_DATA,
  REFUSAL,
  REQUEST_ATTRIBUTE,
  readSentData,
  sixBits,
} from '../../../tn3270/file-transfer/cut-frame.js';
import {
  type DftReply,
  type DftRequest,
  dftRequestBody,
  readDftReply,
} from '../../../tn3270/file-transfer/dft-frame.js';

export interface TransferTerminal {
  /** Record size in both directions; 0 for transfers by screens. */
  readonly transferBytes: number;
  exchange(record: Uint8Array): Promise<Uint8Array>;
  /** Called before each buffer, to apply faults. @returns true to send invalid data first */
  betweenBuffers(): Promise<boolean>;
}

export class TransferError extends Error {
  override readonly name = 'TransferError';
}

const TERMINAL_CANCELED = 'TRANS00   Error in file transfer: file transfer canceled';

function soundValue<Value>(outcome: ReadOutcome<Value>): Value {
  if (outcome.kind === 'fault') throw new TransferError(TERMINAL_CANCELED);
  return outcome.value;
}

/** @param next returns undefined at the end of the file */
async function gathered(mostBytes: number, next: () => Promise<Uint8Array | undefined>): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  for (let piece = await next(); piece !== undefined; piece = await next()) {
    pieces.push(piece);
    length += piece.length;
    if (length > mostBytes)
      throw new TransferError('TRANS15   Required host storage unavailable: file transfer canceled');
  }
  return Uint8Array.from(Buffer.concat(pieces));
}

const SENSELESS_FRAME = Uint8Array.of(0x99);
const BLANK = 0x40;
const FIRST_REQUESTED = REQUEST_ATTRIBUTE + 1;
const MOST_WORDS = 80;

/** Host side of CUT: frames are screens, and the terminal answers each with a key. */
export class CutHost {
  readonly #terminal: TransferTerminal;
  readonly #encode: (text: string) => Uint8Array;
  #sequence = 0;
  #hasBegun = false;

  constructor(terminal: TransferTerminal, encode: (text: string) => Uint8Array) {
    this.#terminal = terminal;
    this.#encode = encode;
  }

  /** @throws TransferError */
  async receive(mostBytes: number): Promise<Uint8Array> {
    await this.#begin();
    const decoder = new CutDecoder();
    return gathered(mostBytes, async () => {
      await this.#betweenBuffers();
      const sequence = this.#nextSequence();
      const data = soundValue(readSentData(sequence, await this.#request(sequence)));
      return isEndOfFile(data) ? undefined : soundValue(decoder.decode(data));
    });
  }

  /** @throws TransferError */
  async send(file: Uint8Array): Promise<void> {
    await this.#begin();
    const encoder = new CutEncoder();
    for (let at = 0; at < file.length; ) {
      await this.#betweenBuffers();
      const { codes, taken } = encoder.encode(file.subarray(at, at + MOST_CUT_DATA), MOST_CUT_DATA);
      at += taken;
      await this.#exchange(frameRecord(dataFrame(this.#nextSequence(), codes)));
    }
    await this.#exchange(frameRecord(dataFrame(this.#nextSequence(), END_OF_FILE_CODES)));
  }

  /** Reports the end of the transfer to the terminal. Messages of successful transfers are not sent. */
  async finish(words: string): Promise<void> {
    await this.#begin();
    const isDone = words.startsWith('TRANS03');
    const message = isDone ? [] : this.#encode(`${words}$`.slice(0, MOST_WORDS));
    const frame = controlFrame(isDone ? cutControls.complete : cutControls.abortFile, message);
    await this.#terminal.exchange(frameRecord(frame));
  }

  async #begin(): Promise<void> {
    if (this.#hasBegun) return;
    this.#hasBegun = true;
    await this.#exchange(frameRecord(controlFrame(cutControls.acknowledge, [])));
  }

  async #betweenBuffers(): Promise<void> {
    if (await this.#terminal.betweenBuffers()) await this.#exchange(frameRecord(SENSELESS_FRAME));
  }

  #nextSequence(): number {
    return sixBits(this.#sequence++);
  }

  async #exchange(record: Uint8Array): Promise<Uint8Array> {
    const answer = await this.#terminal.exchange(record);
    if (answer[0] !== aids.enter) throw new TransferError(TERMINAL_CANCELED);
    return answer;
  }

  async #request(sequence: number): Promise<Uint8Array> {
    const head = [cutFrameTypes.dataRequest];
    const answer = await this.#exchange(frameRecord(Uint8Array.from(head), [BLANK, sequence]));
    const inbound = decodeInboundRecord(answer, CUT_POSITIONS);
    const field =
      inbound.kind === 'read' ? inbound.fields.find(({ address }) => address === FIRST_REQUESTED) : undefined;
    return field?.text ?? new Uint8Array(0);
  }
}

function controlFrame(code: number, message: ArrayLike<number>): Uint8Array {
  return Uint8Array.of(cutFrameTypes.control, sixBits(0), code >> 8, code & 0xff, ...Array.from(message));
}

function isEndOfFile(codes: Uint8Array): boolean {
  return codes.length === END_OF_FILE_CODES.length && END_OF_FILE_CODES.every((code, at) => codes[at] === code);
}

/**
 * A 24 by 80 screen without displayed text, with the frame mark in its last position.
 * @param requested codes of a field that the terminal fills in and returns; undefined if the terminal returns only the
 * error field
 */
function frameRecord(codes: Uint8Array, requested?: readonly number[]): Uint8Array {
  const encoder = new WriteEncoder('eraseWrite', { reset: true, restoreKeyboard: true }, CUT_POSITIONS);
  const { protected: isProtected, numeric, modified } = fieldAttributeBits;
  encoder.setBufferAddress(0).text(codes);
  if (requested !== undefined) {
    encoder.startField(displays.nonDisplayable | modified).text(requested);
  } else {
    encoder.setBufferAddress(REFUSAL - 1).startField(displays.nonDisplayable | modified);
  }
  return encoder
    .setBufferAddress(CUT_MARK)
    .startField(isProtected | numeric | displays.nonDisplayable)
    .finish();
}

const SENSELESS_BUFFER = Uint8Array.of(0x47, 0x99, 0x00);
const SENT_HEAD = 11;

/** Host side of DFT: structured fields, each with a reply. */
export class DftHost {
  readonly #terminal: TransferTerminal;

  constructor(terminal: TransferTerminal) {
    this.#terminal = terminal;
  }

  /** @throws TransferError */
  async receive(mostBytes: number): Promise<Uint8Array> {
    await this.#open('FT:DATA', 'get');
    const file = await gathered(mostBytes, async () => {
      await this.#betweenBuffers();
      const reply = await this.#ask({ kind: 'setCursor' }, { kind: 'get' });
      if (reply.kind === 'endOfFile') return undefined;
      if (reply.kind !== 'data') throw new TransferError(TERMINAL_CANCELED);
      return reply.data.slice();
    });
    await this.#ask({ kind: 'close' });
    return file;
  }

  /** @throws TransferError */
  async send(file: Uint8Array): Promise<void> {
    await this.#open('FT:DATA', 'insert');
    const most = Math.max(1, this.#terminal.transferBytes - SENT_HEAD);
    for (let at = 0; at < file.length; at += most) {
      await this.#betweenBuffers();
      await this.#accepted(file.subarray(at, at + most));
    }
    await this.#ask({ kind: 'close' });
  }

  /** Reports the end of the transfer to the terminal, which does not answer a Close after it. */
  async finish(words: string): Promise<void> {
    await this.#open('FT:MSG', 'insert');
    await this.#accepted(Uint8Array.from(Buffer.from(`${words}$`, 'latin1')));
  }

  async #betweenBuffers(): Promise<void> {
    if (await this.#terminal.betweenBuffers()) await this.#exchange(SENSELESS_BUFFER);
  }

  async #open(name: string, access: 'insert' | 'get'): Promise<void> {
    const reply = await this.#exchange(dftRequestBody({ kind: 'open', name }, access));
    if (reply.kind !== 'opened') throw new TransferError(TERMINAL_CANCELED);
  }

  async #accepted(data: Uint8Array): Promise<void> {
    const reply = await this.#ask({ kind: 'insert' }, { kind: 'data', data });
    if (reply.kind !== 'accepted') throw new TransferError(TERMINAL_CANCELED);
  }

  async #ask(...requests: DftRequest[]): Promise<DftReply> {
    return this.#exchange(...requests.map((request) => dftRequestBody(request)));
  }

  async #exchange(...bodies: Uint8Array[]): Promise<DftReply> {
    const record = encodeWriteStructuredField(...bodies.map(fileTransferData));
    return soundValue(readDftReply(await this.#terminal.exchange(record)));
  }
}
