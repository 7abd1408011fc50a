import { connect, type Socket } from 'node:net';
import { eventually } from './eventually.js';

const bytes = (text: string) => Buffer.from(text.replaceAll(' ', ''), 'hex');

/**
 * WILL TN3270E, the device and the functions: the whole negotiation of a terminal, sent without waiting for answers.
 */
const DEVICE_REQUEST = 'fffa280207 49424d2d333237382d32 fff0';
const AGREEMENT = `fffb28 ${DEVICE_REQUEST} fffa280307 04 fff0`;

export interface RawTerminalOptions {
  readonly port: number;
  readonly localAddress?: string;
  /** False to keep this side open after the host has closed its side. */
  readonly ends?: boolean;
}

/** A terminal that sends arbitrary bytes, valid or not. */
export class RawTerminal {
  static readonly deviceRequest = bytes(DEVICE_REQUEST);
  readonly socket: Socket;
  #chunks: Buffer[] = [];
  hasEnded = false;
  isClosed = false;

  constructor({ port, localAddress, ends = true }: RawTerminalOptions) {
    const from = localAddress === undefined ? {} : { localAddress };
    this.socket = connect({ host: '127.0.0.1', port, allowHalfOpen: !ends, ...from });
    this.socket.on('data', (chunk) => {
      this.#chunks.push(chunk);
    });
    this.socket.on('error', () => undefined);
    this.socket.on('end', () => {
      this.hasEnded = true;
    });
    this.socket.on('close', () => {
      this.isClosed = true;
    });
  }

  get received(): Buffer {
    if (this.#chunks.length !== 1) this.#chunks = [Buffer.concat(this.#chunks)];
    return this.#chunks[0] ?? Buffer.alloc(0);
  }

  send(data: string | Uint8Array): void {
    this.socket.write(typeof data === 'string' ? bytes(data) : data);
  }

  /**
   * Waits for data. @param data hexadecimal if text
   * @throws Error if the connection is closed first
   */
  async hears(data: string | Buffer): Promise<void> {
    const expected = typeof data === 'string' ? bytes(data) : data;
    let searched = 0;
    await eventually(() => {
      const { received } = this;
      if (received.includes(expected, searched)) return true;
      searched = Math.max(0, received.length - expected.length);
      if (this.isClosed) throw new Error(`the host closed the connection without ${expected.toString('hex')}`);
      return undefined;
    });
  }

  /** Negotiates TN3270E without BIND-IMAGE, and waits for the first panel. */
  async agree(): Promise<void> {
    this.send(AGREEMENT);
    await this.hears('00 00 00 00 00 f5');
  }

  async ended(): Promise<void> {
    await eventually(() => (this.hasEnded || this.isClosed ? true : undefined));
  }

  destroy(): void {
    this.socket.destroy();
  }
}
