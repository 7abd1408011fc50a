import type { CodePage } from '../codepage/code-page.js';
import type { ByteRange, EncodedRecord } from '../screen/inbound-records.js';
import type { Screen } from '../screen/screen.js';
import type { ClientMode } from '../telnet/client-negotiation.js';
import type { TelnetHandler } from '../telnet/telnet-decoder.js';
import { encodeData, encodeNegotiation, encodeRecord, encodeSubnegotiation } from '../telnet/telnet-encoder.js';
import { dataTypes, TN3270E_HEADER_BYTES } from '../telnet/tn3270e-header.js';
import { hiddenText } from './hidden-text.js';
import { inboundText, outboundText } from './record-text.js';

interface HostTraceSink {
  write(line: string): void;
}

const BYTES_PER_LINE = 32;
/** The trace stops with a remark after this many bytes. */
const MOST_TRACE_BYTES = 64 << 20;
/** Replaces each byte of a non-displayable field: an EBCDIC asterisk. */
const MASK = 0x5c;

/**
 * Writes the traffic of a connection in the text format of 3270 emulators: `< 0x0   hex` for received data,
 * `> 0x0   hex` for sent data, and remarks after `//`. The offset starts at 0 with each transfer.
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

  words(way: '<' | '>', rows: readonly string[]): void {
    const time = new Date().toISOString();
    rows.forEach((row, index) => {
      this.#line(`// ${index === 0 ? `${time} ${way} ` : ''}${row}`);
    });
  }

  received(bytes: Uint8Array): void {
    this.#transfer('<', bytes);
  }

  /** @param bytes a negotiation, a command or a record masked by `maskRanges`: the trace must contain no secrets */
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

export function maskRanges(bytes: Uint8Array, ranges: readonly ByteRange[]): Uint8Array {
  // slice() of a Buffer shares its memory
  const masked = new Uint8Array(bytes);
  for (const { start, end } of ranges) masked.fill(MASK, start, end);
  return masked;
}

/** Masks all input for line terminals and network services: only the host knows if it is a password. */
export function hiddenRecord(bytes: Uint8Array): EncodedRecord {
  return { bytes, nonDisplayable: [{ start: 0, end: bytes.length }] };
}

interface Overheard {
  readonly mode: ClientMode;
  readonly screen: Screen;
}

/**
 * Two traces of a session. `own` belongs to the program that drives the session and contains all received data.
 * `others` can be switched on by administrators: non-displayable data is masked in both directions.
 */
export class SessionTraces {
  own: HostTrace | undefined;
  readonly #codePage: CodePage;
  sentRecords = 0;
  others: HostTrace | undefined;

  constructor(own: HostTrace | undefined, codePage: CodePage) {
    this.own = own;
    this.#codePage = codePage;
  }

  remark(text: string): void {
    this.own?.remark(text);
    this.others?.remark(text);
  }

  /** Traces received bytes for `own`; `overhear` traces them for `others`. */
  received(chunk: Uint8Array): void {
    this.own?.received(chunk);
  }

  /** Traces decoded data for `others` before the handler processes it. */
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
    // an erase may change the screen size; both sizes have addresses of the same length
    return { columns: space.columns, positions: space.positions, codePage: this.#codePage };
  }

  /** To be called after `sent` for a 3270 record. @param masked as for `sent` */
  sentRecord(header: Uint8Array | undefined, masked: () => Uint8Array, screen: Screen): void {
    this.sentRecords++;
    if (header !== undefined && header[0] !== dataTypes.data3270) return;
    this.others?.words('>', inboundText(masked(), this.#reading(screen)));
  }

  sent(masked: () => Uint8Array): void {
    if (this.own === undefined && this.others === undefined) return;
    const bytes = masked();
    this.own?.sent(bytes);
    this.others?.sent(bytes);
  }
}
