import { IAC, type NegotiationVerb, telnetCommands } from './telnet-codes.js';

/** After undoubling. A Write of every position of the largest screen with attributes is much shorter. */
const MOST_RECORD_BYTES = 1 << 20;
const MOST_SUBNEGOTIATION_BYTES = 4_096;
/** Data outside records is delivered in pieces, to allow interruption: a single byte may clear a screen. */
export const MOST_DATA_BYTES = 64;
/** Bounds the doubled 255s processed in one step: a transferred file may contain many. */
const MOST_DOUBLED = 128;

export interface TelnetHandler {
  /** The bytes between two IAC EOR; valid only during the call. */
  record(bytes: Uint8Array): void;
  /** Bytes outside records, if `gathersRecords` is false; valid only during the call. */
  data(bytes: Uint8Array): void;
  negotiation(verb: NegotiationVerb, option: number): void;
  /** The content between IAC SB and IAC SE, starting with the option; valid only during the call. */
  subnegotiation(body: Uint8Array): void;
  command(code: number): void;
  /** A record or subnegotiation exceeds its limit and is discarded. */
  tooLong(what: 'record' | 'subnegotiation'): void;
}

type State = 'data' | 'command' | 'option' | 'subnegotiation' | 'subnegotiationCommand';

const verbs: Readonly<Record<number, NegotiationVerb>> = {
  [telnetCommands.will]: 'will',
  [telnetCommands.wont]: 'wont',
  [telnetCommands.do]: 'do',
  [telnetCommands.dont]: 'dont',
};

/** Splits a TELNET stream (RFC 854, 855, 885). Never throws. Holds memory only for incomplete parts. */
export class TelnetDecoder {
  readonly #handler: TelnetHandler;
  readonly #mostRecordBytes: number;
  /** True to collect data up to IAC EOR; false to deliver it immediately. */
  gathersRecords = false;
  #state: State = 'data';
  #verb: NegotiationVerb = 'will';
  #unread: Uint8Array = NOTHING;
  #at = 0;
  #record = new Gatherer();
  #subnegotiation = new Gatherer();

  constructor(handler: TelnetHandler, mostRecordBytes = MOST_RECORD_BYTES) {
    this.#handler = handler;
    this.#mostRecordBytes = mostRecordBytes;
  }

  /**
   * Processes at least one step, and more while `mayGoOn` is true. Call `goOn` for the rest before the next chunk.
   * @returns true if the chunk is finished
   */
  feed(chunk: Uint8Array, mayGoOn: () => boolean = always): boolean {
    this.#unread = chunk;
    this.#at = 0;
    return this.goOn(mayGoOn);
  }

  /** @returns true if the chunk is finished */
  goOn(mayGoOn: () => boolean = always): boolean {
    while (this.#at < this.#unread.length) {
      this.#at = this.#step(this.#unread, this.#at);
      if (!mayGoOn()) break;
    }
    if (this.#at < this.#unread.length) return false;
    this.#unread = NOTHING;
    return true;
  }

  get isWithinRecord(): boolean {
    return this.#state !== 'data' || !this.#record.isEmpty;
  }

  drop(): void {
    this.#unread = NOTHING;
    this.#state = 'data';
    this.#record.take();
    this.#subnegotiation.take();
  }

  #step(chunk: Uint8Array, at: number): number {
    switch (this.#state) {
      case 'data':
        return this.#takeData(chunk, at);
      case 'command':
        this.#takeCommand(chunk[at] as number);
        return at + 1;
      case 'option':
        this.#state = 'data';
        this.#handler.negotiation(this.#verb, chunk[at] as number);
        return at + 1;
      case 'subnegotiation':
        return this.#takeSubnegotiation(chunk, at);
      case 'subnegotiationCommand':
        this.#takeSubnegotiationCommand(chunk[at] as number);
        return at + 1;
    }
  }

  #takeData(chunk: Uint8Array, at: number): number {
    if (!this.gathersRecords) return this.#takePiece(chunk, at);
    let start = at;
    for (let doubled = 0; doubled < MOST_DOUBLED; doubled++) {
      const found = chunk.indexOf(IAC, start);
      const end = found < 0 ? chunk.length : found;
      if (found >= 0 && this.#record.isEmpty && this.#isRecordEnd(chunk, found)) {
        this.#finishRecord(chunk.subarray(start, end));
        return found + 2;
      }
      const isDoubled = found >= 0 && chunk[found + 1] === IAC;
      const dataEnd = isDoubled ? found + 1 : end;
      if (dataEnd > start) {
        const piece = chunk.subarray(start, dataEnd);
        this.#gather(this.#record, piece, this.#mostRecordBytes, 'record', chunk.length - start);
      }
      if (found < 0) return end;
      if (!isDoubled) {
        this.#state = 'command';
        return found + 1;
      }
      start = found + 2;
    }
    return start;
  }

  /** Delivers a piece of data outside records, with 255s undoubled; or skips the IAC of a command. */
  #takePiece(chunk: Uint8Array, at: number): number {
    const piece: number[] = [];
    let next = at;
    while (next < chunk.length && piece.length < MOST_DATA_BYTES) {
      const byte = chunk[next] as number;
      if (byte === IAC && chunk[next + 1] !== IAC) break;
      piece.push(byte);
      next += byte === IAC ? 2 : 1;
    }
    if (piece.length > 0) {
      this.#handler.data(Uint8Array.from(piece));
      return next;
    }
    this.#state = 'command';
    return at + 1;
  }

  #isRecordEnd(chunk: Uint8Array, found: number): boolean {
    return chunk[found + 1] === telnetCommands.endOfRecord;
  }

  #addData(bytes: Uint8Array): void {
    if (this.gathersRecords) this.#gather(this.#record, bytes, this.#mostRecordBytes, 'record');
    else this.#handler.data(bytes);
  }

  #takeCommand(code: number): void {
    this.#state = 'data';
    const verb = verbs[code];
    if (verb !== undefined) {
      this.#verb = verb;
      this.#state = 'option';
    } else if (code === IAC) {
      this.#addData(IAC_BYTE);
    } else if (code === telnetCommands.subnegotiation) {
      this.#state = 'subnegotiation';
    } else if (code === telnetCommands.endOfRecord) {
      const overlong = this.#record.overlong;
      const bytes = this.#record.take();
      if (!overlong) this.#finishRecord(bytes);
    } else {
      this.#handler.command(code);
    }
  }

  #finishRecord(bytes: Uint8Array): void {
    if (bytes.length > this.#mostRecordBytes) this.#handler.tooLong('record');
    else this.#handler.record(bytes);
  }

  #takeSubnegotiation(chunk: Uint8Array, at: number): number {
    const found = chunk.indexOf(IAC, at);
    const end = found < 0 ? chunk.length : found;
    this.#gather(this.#subnegotiation, chunk.subarray(at, end), MOST_SUBNEGOTIATION_BYTES, 'subnegotiation');
    if (found < 0) return end;
    this.#state = 'subnegotiationCommand';
    return found + 1;
  }

  #takeSubnegotiationCommand(code: number): void {
    if (code !== telnetCommands.subnegotiationEnd) {
      // IAC IAC is a byte of 255; any other code is invalid and handled in the same way
      this.#gather(this.#subnegotiation, Uint8Array.of(code), MOST_SUBNEGOTIATION_BYTES, 'subnegotiation');
      this.#state = 'subnegotiation';
      return;
    }
    this.#state = 'data';
    const overlong = this.#subnegotiation.overlong;
    const body = this.#subnegotiation.take();
    if (!overlong && body.length > 0) this.#handler.subnegotiation(body);
  }

  #gather(
    gatherer: Gatherer,
    bytes: Uint8Array,
    most: number,
    what: 'record' | 'subnegotiation',
    expected = bytes.length,
  ): void {
    if (gatherer.overlong) return;
    gatherer.add(bytes, most, expected);
    if (gatherer.overlong) this.#handler.tooLong(what);
  }
}

const always = () => true;
const IAC_BYTE = Uint8Array.of(IAC);
const NOTHING = new Uint8Array(0);
const FIRST_CAPACITY = 256;

class Gatherer {
  #bytes = NOTHING;
  #length = 0;
  /** The limit was exceeded; all bytes are discarded until the next `take`. */
  overlong = false;

  get isEmpty(): boolean {
    return this.#length === 0 && !this.overlong;
  }

  add(bytes: Uint8Array, most: number, expected: number): void {
    const length = this.#length + bytes.length;
    if (length > most) {
      this.overlong = true;
      this.#bytes = NOTHING;
      this.#length = 0;
      return;
    }
    if (length > this.#bytes.length) {
      const larger = new Uint8Array(Math.max(FIRST_CAPACITY, this.#length + expected, 2 * this.#bytes.length));
      larger.set(this.#bytes.subarray(0, this.#length));
      this.#bytes = larger;
    }
    this.#bytes.set(bytes, this.#length);
    this.#length = length;
  }

  take(): Uint8Array {
    const bytes = this.#bytes.subarray(0, this.#length);
    this.#bytes = NOTHING;
    this.#length = 0;
    this.overlong = false;
    return bytes;
  }
}
