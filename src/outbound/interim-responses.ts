import type { Socket } from 'node:net';
import { errors } from 'undici';

/** The beginning of an interim response (RFC 9110, section 15.2); `#` is a digit. */
const SHAPE = 'HTTP/1.# 1##';
/** Switching Protocols is no interim response: nobody asked for it, and what follows is not HTTP. */
const SWITCHING = ' 101';
const HEAD_END = '\r\n\r\n';
const NOTHING: Buffer = Buffer.alloc(0);

/**
 * Takes interim responses (100 Continue, 103 Early Hints …) out of what undici reads: it takes an unasked 100 for a broken
 * reply, while a client must be able to read any number of them before the final response (RFC 9110, section 15.2).
 */
export class InterimResponses {
  #held: Buffer = NOTHING;
  #beforeFinal = false;
  #skippedBytes = 0;

  /** @param bound bytes of interim responses before one final response */
  constructor(readonly bound: number) {}

  /** A request is sent: what comes next is the head of a response. */
  expectResponse(): void {
    this.#held = NOTHING;
    this.#beforeFinal = true;
    this.#skippedBytes = 0;
  }

  /** Has whoever reads from the socket, piece by piece, read past them. */
  skipOn(socket: Socket): void {
    const read = socket.read.bind(socket);
    socket.read = (size?: number): unknown => {
      // Node itself reads with a size, 0, to begin
      if (size !== undefined) return read(size);
      for (;;) {
        const piece: Buffer | null = read();
        if (piece === null || !this.#beforeFinal) return piece;
        const rest = this.#next(piece, socket);
        if (rest.length > 0) return rest;
      }
    };
  }

  /** What undici is to see of a piece. */
  #next(piece: Buffer, socket: Socket): Buffer {
    let bytes = this.#held.length === 0 ? piece : Buffer.concat([this.#held, piece]);
    this.#held = NOTHING;
    while (isInterim(bytes)) {
      const end = bytes.indexOf(HEAD_END);
      const skipped = end < 0 ? bytes.length : end + HEAD_END.length;
      if (this.#skippedBytes + skipped > this.bound) {
        socket.destroy(new errors.HeadersOverflowError());
        return NOTHING;
      }
      if (end < 0) {
        this.#held = bytes;
        return NOTHING;
      }
      this.#skippedBytes += skipped;
      bytes = bytes.subarray(skipped);
    }
    if (bytes.length > 0) this.#beforeFinal = false;
    return bytes;
  }
}

/** Also where the bytes end before it can be told. */
function isInterim(bytes: Buffer): boolean {
  const begin = bytes.toString('latin1', 0, SHAPE.length);
  if (begin === '' || begin.endsWith(SWITCHING)) return false;
  return Array.from(begin).every((character, at) =>
    SHAPE.charAt(at) === '#' ? character >= '0' && character <= '9' : character === SHAPE.charAt(at),
  );
}
