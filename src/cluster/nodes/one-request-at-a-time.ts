import type { ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Framing } from './passed-headers.js';

const HEAD_END = '\r\n\r\n';

type Feed = (bytes: Buffer) => void;

/**
 * Lets one request at a time over a connection of the internal line. Sits between the connection and Node's parser, which takes all bytes
 * behind a request for the next one. Here bytes that arrive before the last answer is sent end the connection: no node sends them.
 */
export class OneRequestAtATime {
  readonly #connection: Duplex;
  readonly #onEarly: () => void;
  #feed: Feed | undefined;
  /** The end of what has come of a head, where the head may end with the next bytes. */
  #tail = '';
  #isHeadWhole = false;
  /** Of the request under way; undefined: the next head is awaited. */
  #body: BodyEnd | undefined;
  /** Undefined: its answer is completely sent. */
  #response: ServerResponse | undefined;
  #isHeld = false;

  /** @param onEarly called once, when bytes have come that no node sends; the connection has ended */
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

  /** Begins a request whose head the parser has just read. @returns whether the head is what came, and the only one */
  begin(framing: Framing, response?: ServerResponse): boolean {
    if (!this.#isHeadWhole || this.#body !== undefined) return false;
    this.#body = bodyEnd(framing);
    if (response !== undefined) {
      this.#response = response;
      response.once('close', () => this.#answered());
    }
    return true;
  }

  /** Reads nothing more, or leaves the connection to another protocol. */
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

  /** @returns `from` while the connection is held; undefined for bytes that no node sends */
  #endOfPortion(packet: Buffer, from: number): number | undefined {
    if (this.#body === undefined) return this.#endOfHead(packet, from);
    if (!this.#body.isOver) return this.#body.next(packet, from);
    if (from > 0 || !mayBeReceived(this.#response)) return undefined;
    this.#isHeld = true;
    this.#connection.pause();
    return from;
  }

  /** A head that the parser takes for no request, or bytes of another protocol before it has begun. */
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
 * Whether the other node may have the whole answer, though its end is still to come here: an answer with a length, and an answer
 * without a body, are complete with their last byte. An answer in chunks is complete with the chunk that `end` writes.
 */
function mayBeReceived(response: ServerResponse | undefined): boolean {
  if (response === undefined) return false;
  return response.writableEnded || (response.headersSent && !response.chunkedEncoding);
}

/** Follows a body to its last byte, so that no byte behind it is taken for a part of it. */
interface BodyEnd {
  readonly isOver: boolean;
  /** @returns where the body ends in a packet, or the packet does; undefined: the body is malformed */
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
/** Digits of the size of a chunk. */
const MOST_DIGITS = 8;

type ChunkPart = 'size' | 'sizeLf' | 'data' | 'dataCr' | 'dataLf' | 'lastCr' | 'lastLf' | 'over';

/** Chunks as Node writes them: without extensions and trailers. */
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
