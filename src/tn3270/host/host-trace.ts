import type { ByteRange, InboundRecord } from '../screen/inbound-records.js';

/** Where a trace goes: a line at a time, without its line end. */
interface HostTraceSink {
  write(line: string): void;
}

const BYTES_PER_LINE = 32;
/** A trace that has grown to this many bytes says so and stops. */
const MOST_TRACE_BYTES = 64 << 20;
/** What a trace shows for each byte of a non-displayable field: an EBCDIC asterisk. */
const MASK = 0x5c;

/**
 * Writes what goes over a host connection, in the text form of 3270 emulators: `< 0x0   hex` from the host, `> 0x0   hex` to it,
 * 32 bytes a line, the offset counting within one transfer; lines of `//` are remarks.
 */
export class HostTrace {
  readonly #sink: HostTraceSink;
  readonly #most: number;
  #written = 0;

  constructor(sink: HostTraceSink, most = MOST_TRACE_BYTES) {
    this.#sink = sink;
    this.#most = most;
  }

  remark(text: string): void {
    this.#line(`// ${text.replace(/[^\x20-\x7e]/g, '?')}`);
  }

  /** The same in words, with what a person needs to read it. */
  words(way: '<' | '>', rows: readonly string[]): void {
    const time = new Date().toISOString();
    rows.forEach((row, index) => {
      this.#line(`// ${index === 0 ? `${time} ${way} ` : ''}${row}`);
    });
  }

  received(bytes: Uint8Array): void {
    this.#transfer('<', bytes);
  }

  /** What is no secret: negotiation, commands, and records masked by `maskRanges`. */
  sent(bytes: Uint8Array): void {
    this.#transfer('>', bytes);
  }

  #transfer(way: '<' | '>', bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; at += BYTES_PER_LINE) {
      const hex = Buffer.from(bytes.subarray(at, at + BYTES_PER_LINE)).toString('hex');
      this.#line(`${way} 0x${at.toString(16).padEnd(3)} ${hex}`);
    }
  }

  #line(text: string): void {
    if (this.#written > this.#most) return;
    this.#written += Buffer.byteLength(text) + 1;
    this.#sink.write(this.#written > this.#most ? `// the trace ends here: it has ${this.#most} bytes` : text);
  }
}

/** A copy in which nothing can be read of the ranges. */
export function maskRanges(bytes: Uint8Array, ranges: readonly ByteRange[]): Uint8Array {
  // slice() of a Buffer would be no copy
  const masked = new Uint8Array(bytes);
  for (const { start, end } of ranges) masked.fill(MASK, start, end);
  return masked;
}

/** A password may be typed to a line terminal or to the services of the network: whether it is shown, only the host knows. */
export function hiddenRecord(bytes: Uint8Array): InboundRecord {
  return { bytes, nonDisplayable: [{ start: 0, end: bytes.length }] };
}
