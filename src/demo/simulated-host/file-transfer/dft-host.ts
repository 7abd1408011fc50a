import { encodeWriteStructuredField, fileTransferData } from '../../../tn3270/datastream/encoder.js';
import {
  type DftReply,
  type DftRequest,
  dftRequestBody,
  readDftReply,
} from '../../../tn3270/file-transfer/dft-frame.js';
import { TERMINAL_CANCELED, TransferError, type TransferTerminal } from './transfer-terminal.js';

/** No request. */
const SENSELESS_BUFFER = Uint8Array.of(0x47, 0x99, 0x00);
const SENT_HEAD = 11;

/** The host's side of DFT: requests by structured fields, and a reply to each. */
export class DftHost {
  readonly #terminal: TransferTerminal;

  constructor(terminal: TransferTerminal) {
    this.#terminal = terminal;
  }

  /** @throws TransferError */
  async receive(mostBytes: number): Promise<Uint8Array> {
    await this.#open('FT:DATA', 'get');
    const pieces: Uint8Array[] = [];
    let length = 0;
    for (;;) {
      await this.#betweenBuffers();
      const reply = await this.#ask({ kind: 'setCursor' }, { kind: 'get' });
      if (reply.kind === 'endOfFile') break;
      if (reply.kind !== 'data') throw new TransferError(TERMINAL_CANCELED);
      pieces.push(reply.data.slice());
      length += reply.data.length;
      if (length > mostBytes)
        throw new TransferError('TRANS15   Required host storage unavailable: file transfer canceled');
    }
    await this.#ask({ kind: 'close' });
    return Uint8Array.from(Buffer.concat(pieces));
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

  /** Tells the terminal how the transfer has ended; it answers no Close behind that. */
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
    const reply = readDftReply(await this.#terminal.exchange(record));
    if (reply.kind === 'fault') throw new TransferError(TERMINAL_CANCELED);
    return reply.value;
  }
}
