import type { CodePage } from '../codepage/code-page.js';
import type { ByteRange, InboundRecord } from '../screen/inbound-records.js';
import type { Screen } from '../screen/screen.js';
import type { ClientMode } from '../telnet/client-negotiation.js';
import type { TelnetHandler } from '../telnet/telnet-decoder.js';
import { encodeData, encodeNegotiation, encodeRecord, encodeSubnegotiation } from '../telnet/telnet-encoder.js';
import { dataTypes, TN3270E_HEADER_BYTES } from '../telnet/tn3270e-header.js';
import { hiddenText } from './hidden-text.js';
import { inboundText, outboundText } from './record-text.js';

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

/** A session as it is before what the host sends is carried out. */
interface Overheard {
  readonly mode: ClientMode;
  readonly screen: Screen;
}

/**
 * The traces of a session: the one that it began with, of whoever drives it, with all that the host sends; and one that others
 * turn on and off, in which nothing can be read that the screen does not show, whoever sent it.
 */
export class SessionTraces {
  own: HostTrace | undefined;
  readonly #codePage: CodePage;
  /** Records of the screen that went to the host. */
  sentRecords = 0;
  /** Undefined: nobody else traces. */
  others: HostTrace | undefined;

  constructor(own: HostTrace | undefined, codePage: CodePage) {
    this.own = own;
    this.#codePage = codePage;
  }

  remark(text: string): void {
    this.own?.remark(text);
    this.others?.remark(text);
  }

  /** Bytes as they come; what is in them is told to others by the methods below. */
  received(chunk: Uint8Array): void {
    this.own?.received(chunk);
  }

  /** What the decoder finds, told to others before it is carried out. */
  overhear(session: Overheard, handler: TelnetHandler): TelnetHandler {
    return {
      ...handler,
      record: (bytes) => {
        this.#record(bytes, session);
        handler.record(bytes);
      },
      data: (bytes) => {
        this.others?.received(encodeData(bytes));
        handler.data(bytes);
      },
      negotiation: (verb, option) => {
        this.others?.received(encodeNegotiation(verb, option));
        handler.negotiation(verb, option);
      },
      subnegotiation: (body) => {
        this.others?.received(encodeSubnegotiation(body));
        handler.subnegotiation(body);
      },
    };
  }

  #record(bytes: Uint8Array, { mode, screen }: Overheard): void {
    if (this.others === undefined) return;
    const headBytes = mode === 'tn3270e' ? TN3270E_HEADER_BYTES : 0;
    const body = bytes.subarray(headBytes);
    const holdsScreen = headBytes === 0 || bytes[0] === dataTypes.data3270;
    const masked = holdsScreen ? maskRanges(body, hiddenText(body, screen.state.space)) : body;
    this.others.received(encodeRecord(masked, bytes.subarray(0, headBytes)));
    if (holdsScreen) this.others.words('<', outboundText(masked, this.#reading(screen)));
  }

  #reading({ state: { space } }: Screen) {
    // an erase may turn to the other size; addresses are of as many bits in both
    return { columns: space.columns, positions: space.positions, codePage: this.#codePage };
  }

  /** What was sent last was a record of the screen. @param masked as above */
  sentRecord(header: Uint8Array | undefined, masked: () => Uint8Array, screen: Screen): void {
    this.sentRecords++;
    if (header !== undefined && header[0] !== dataTypes.data3270) return;
    this.others?.words('>', inboundText(masked(), this.#reading(screen)));
  }

  /** @param masked what goes to the host, with nothing in it that the screen does not show */
  sent(masked: () => Uint8Array): void {
    if (this.own === undefined && this.others === undefined) return;
    const bytes = masked();
    this.own?.sent(bytes);
    this.others?.sent(bytes);
  }
}
