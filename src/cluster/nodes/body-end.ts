import type { Framing } from './framing.js';

/** Follows a body to its last byte, so that no byte behind it is taken for a part of it. */
export interface BodyEnd {
  readonly isOver: boolean;
  /** @returns where the body ends in a packet, or the packet does; undefined: the body is malformed */
  next(packet: Buffer, from: number): number | undefined;
}

export function bodyEnd(framing: Framing): BodyEnd {
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
