import type { ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Framing } from './passed-headers.js';

const HEAD_END = '\r\n\r\n';

type Feed = (bytes: Buffer) => void;

/**
 * Prevents pipelining on a connection of the internal line. It sits between the connection and the parser of Node.js,
 * which treats all bytes after a request as the next request. Nodes never send bytes before the last response is
 * complete, so such bytes close the connection.
 */
export class OneRequestAtATime {
  readonly #connection: Duplex;
  readonly #onEarly: () => void;
  #feed: Feed | undefined;
  /** Last bytes received of a head, for an end that is split between packets. */
  #tail = '';
  #isHeadWhole = false;
  #body: BodyEnd | undefined;
  /** Undefined after the response was completely sent. */
  #response: ServerResponse | undefined;
  #isHeld = false;

  /** @param onEarly called once, after unexpected bytes have closed the connection */
  constructor(connection: Duplex, onEarly: () => void) {
    this.#connection = connection;
    this.#onEarly = onEarly;
    const parser = connection.listeners('data') as Feed[];
    connection.removeAllListeners('data');
    this.#feed = (bytes) => {
      for (const listener of parser) listener.call(connection, bytes);
    };
    connection.on('data', this.#onData);
  }

  /**
   * Call when the parser has read a head.
   * @returns false if the received bytes are not exactly one head
   */
  begin(framing: Framing, response?: ServerResponse): boolean {
    if (!this.#isHeadWhole || this.#body !== undefined) return false;
    this.#body = bodyEnd(framing);
    if (response !== undefined) {
      this.#response = response;
      response.once('close', () => this.#answered());
    }
    return true;
  }

  /** Stops reading, for example to switch protocols. */
  release(): void {
    this.#feed = undefined;
    this.#connection.off('data', this.#onData);
  }

  #answered(): void {
    this.#response = undefined;
    if (this.#body?.isOver) this.#awaitHead();
    if (!this.#isHeld) return;
    this.#isHeld = false;
    this.#connection.resume();
  }

  #awaitHead(): void {
    this.#body = undefined;
    this.#isHeadWhole = false;
    this.#tail = '';
  }

  readonly #onData = (packet: Buffer): void => {
    for (let from = 0; from < packet.length; ) {
      if (this.#connection.isPaused()) {
        this.#connection.unshift(packet.subarray(from));
        return;
      }
      const end = this.#endOfPortion(packet, from);
      if (end === undefined) {
        this.#end();
        return;
      }
      if (end === from) continue;
      this.#feed?.(packet.subarray(from, end));
      from = end;
      if (this.#isWrongBehind(packet, from)) {
        this.#end();
        return;
      }
      if (this.#body?.isOver && this.#response === undefined) this.#awaitHead();
    }
  };

  /** @returns `from` while the connection is paused, undefined for unexpected bytes */
  #endOfPortion(packet: Buffer, from: number): number | undefined {
    if (this.#body === undefined) return this.#endOfHead(packet, from);
    if (!this.#body.isOver) return this.#body.next(packet, from);
    if (from > 0 || !mayBeReceived(this.#response)) return undefined;
    this.#isHeld = true;
    this.#connection.pause();
    return from;
  }

  /** True for a head that the parser does not accept, or for bytes of another protocol before the switch. */
  #isWrongBehind(packet: Buffer, from: number): boolean {
    return this.#feed === undefined ? from < packet.length : this.#isHeadWhole && this.#body === undefined;
  }

  #endOfHead(packet: Buffer, from: number): number {
    const text = this.#tail + packet.toString('latin1', from);
    const at = text.indexOf(HEAD_END);
    if (at < 0) {
      this.#tail = text.slice(1 - HEAD_END.length);
      return packet.length;
    }
    this.#isHeadWhole = true;
    return from + at + HEAD_END.length - this.#tail.length;
  }

  #end(): void {
    this.release();
    this.#connection.destroy();
    this.#onEarly();
  }
}

/**
 * True if the other node may already have the whole response. A response with a length or without a body is complete
 * with its last byte, a chunked response with the chunk that `end` writes.
 */
function mayBeReceived(response: ServerResponse | undefined): boolean {
  if (response === undefined) return false;
  return response.writableEnded || (response.headersSent && !response.chunkedEncoding);
}

interface BodyEnd {
  readonly isOver: boolean;
  /** @returns end of the body or of the packet, or undefined for a malformed body */
  next(packet: Buffer, from: number): number | undefined;
}

function bodyEnd(framing: Framing): BodyEnd {
  return framing === 'chunked' ? new ChunksEnd() : new LengthEnd(framing === 'none' ? 0 : framing);
}

class LengthEnd implements BodyEnd {
  constructor(private left: number) {}

  get isOver(): boolean {
    return this.left === 0;
  }

  next(packet: Buffer, from: number): number {
    const taken = Math.min(this.left, packet.length - from);
    this.left -= taken;
    return from + taken;
  }
}

const CR = 0x0d;
const LF = 0x0a;
const MOST_DIGITS = 8;

type ChunkPart = 'size' | 'sizeLf' | 'data' | 'dataCr' | 'dataLf' | 'lastCr' | 'lastLf' | 'over';

/** Chunks as Node.js writes them: without extensions and trailers. */
class ChunksEnd implements BodyEnd {
  #part: ChunkPart = 'size';
  #size = 0;
  #digits = 0;

  get isOver(): boolean {
    return this.#part === 'over';
  }

  next(packet: Buffer, from: number): number | undefined {
    let at = from;
    while (at < packet.length && this.#part !== 'over') {
      if (this.#part === 'data') {
        const taken = Math.min(this.#size, packet.length - at);
        this.#size -= taken;
        at += taken;
        if (this.#size === 0) this.#part = 'dataCr';
      } else {
        const part = this.#after(packet[at] ?? 0);
        if (part === undefined) return undefined;
        this.#part = part;
        at++;
      }
    }
    return at;
  }

  #after(byte: number): ChunkPart | undefined {
    switch (this.#part) {
      case 'size':
        return this.#afterSize(byte);
      case 'sizeLf':
        this.#digits = 0;
        if (byte !== LF) return undefined;
        return this.#size === 0 ? 'lastCr' : 'data';
      case 'dataCr':
        return byte === CR ? 'dataLf' : undefined;
      case 'dataLf':
        return byte === LF ? 'size' : undefined;
      case 'lastCr':
        return byte === CR ? 'lastLf' : undefined;
      default:
        return byte === LF ? 'over' : undefined;
    }
  }

  #afterSize(byte: number): ChunkPart | undefined {
    if (byte === CR) return this.#digits === 0 ? undefined : 'sizeLf';
    const digit = Number.parseInt(String.fromCharCode(byte), 16);
    if (Number.isNaN(digit) || ++this.#digits > MOST_DIGITS) return undefined;
    this.#size = this.#size * 16 + digit;
    return 'size';
  }
}
