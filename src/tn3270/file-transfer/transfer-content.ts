import { readAs } from '../../lib/read-outcome.js';
import { type ReasonedOutcome, type ReasonFault, reasonFault } from '../../lib/reasons.js';
import { characterNumber, isOneCodePoint, typedCharacters } from '../../lib/text/typed-characters.js';
import type { CodePage } from '../codepage/code-page.js';

/**
 * Codes 0x40 to 0xFE of the host in the ASCII table of IND$FILE, as s3270 4.1 sends them. The mapping is one to one.
 */
const FIRST_CODE = 0x40;
const asciiOfCodes =
  '20a0a1a2a3a4a5a6a7a85b2e3c282b5d26a9aaabacadaeafb0b121242a293b5e2d2fb2b3b4b5b6b7b8b97c2c255f3e3fbabbbcbdbebfc0c1c2603a2340273d22' +
  'c3616263646566676869c4c5c6c7c8c9ca6a6b6c6d6e6f707172cbcccdcecfd0d17e737475767778797ad2d3d4d5d6d7d8d9dadbdcdddedfe0e1e2e3e4e5e6e7' +
  '7b414243444546474849e8e9eaebeced7d4a4b4c4d4e4f505152eeeff0f1f2f35c9f535455565758595af4f5f6f7f8f930313233343536373839fafbfcfdfe';

/** Indexed by code of the host; 0: the ASCII table has no such graphic character. */
export const asciiOfCode = new Uint8Array(256);
/** Indexed by ASCII byte; 0: a control character, which has the same code on both sides. */
export const codeOfAscii = new Uint8Array(256);

for (let at = 0; at < asciiOfCodes.length / 2; at++) {
  const byte = Number.parseInt(asciiOfCodes.slice(2 * at, 2 * at + 2), 16);
  asciiOfCode[FIRST_CODE + at] = byte;
  codeOfAscii[byte] = FIRST_CODE + at;
}

const CARRIAGE_RETURN = 0x0d;
const LINE_FEED = 0x0a;
/** Ctrl-Z: some hosts end a text with it. */
const END_OF_TEXT = 0x1a;
const SHIFT_OUT = 0x0e;
const SHIFT_IN = 0x0f;
const DELETE = 0x7f;
/** U+009F is 0xFF (eight ones) on the host; the other control characters have the same code as in ASCII. */
const EIGHT_ONES = 0xff;
const LAST_CONTROL = 0x9f;
const PIECE = 8_192;
/** Size of the blocks of a received file: a host may send it byte by byte, or send empty records endlessly. */
const BLOCK = 65_536;

export interface ContentRules {
  readonly text: boolean;
  /** Converts between CR LF on the connection and LF in the file. */
  readonly lines: boolean;
  /** The file is UTF-8 and the host uses this code page; undefined if text is not translated. */
  readonly codePage: CodePage | undefined;
}

export class OutgoingContent {
  readonly #file: Uint8Array;
  readonly #rules: ContentRules;
  readonly #decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  /** Last code point of a piece: the next piece may continue its character. */
  #held = '';
  #at = 0;
  #ready: Uint8Array = new Uint8Array(0);
  #last = 0;
  #line = 1;

  constructor(file: Uint8Array, rules: ContentRules) {
    this.#file = file;
    this.#rules = rules;
  }

  get taken(): number {
    return this.#at;
  }

  /** Empty at the end of the file. A fault if the file is not UTF-8 or has a character outside the code page. */
  next(most: number): ReasonedOutcome<Uint8Array> {
    if (!this.#rules.text) return readAs(this.#nextBinary(most));
    while (this.#ready.length < most && this.#at < this.#file.length) {
      const converted = this.#convertPiece();
      if (converted.kind === 'fault') return converted;
      this.#ready = joined(this.#ready, converted.value);
    }
    const bytes = this.#ready.subarray(0, most);
    this.#ready = this.#ready.subarray(bytes.length);
    return readAs(bytes);
  }

  #nextBinary(most: number): Uint8Array {
    const bytes = this.#file.subarray(this.#at, this.#at + most);
    this.#at += bytes.length;
    return bytes;
  }

  putBack(bytes: Uint8Array): void {
    if (!this.#rules.text) {
      this.#at -= bytes.length;
      return;
    }
    this.#ready = joined(bytes, this.#ready);
  }

  #convertPiece(): ReasonedOutcome<Uint8Array> {
    const piece = this.#file.subarray(this.#at, this.#at + PIECE);
    this.#at += piece.length;
    const { lines, codePage } = this.#rules;
    const bytes = codePage === undefined ? readAs(piece) : this.#encode(piece, codePage);
    return bytes.kind === 'fault' || !lines ? bytes : readAs(this.#withCarriageReturns(bytes.value));
  }

  #encode(piece: Uint8Array, codePage: CodePage): ReasonedOutcome<Uint8Array> {
    let text: string;
    try {
      text = this.#decoder.decode(piece, { stream: this.#at < this.#file.length });
    } catch {
      return reasonFault('transfer.notUtf8', { line: this.#line });
    }
    // a character of two code points may cross the end of a piece
    const codePoints = this.#held + text;
    const end =
      this.#at < this.#file.length
        ? codePoints.length - ([...codePoints.slice(-2)].at(-1)?.length ?? 0)
        : codePoints.length;
    this.#held = codePoints.slice(end);
    text = codePoints.slice(0, end);
    const bytes: number[] = [];
    let run = '';
    const flush = () => {
      for (const code of codePage.encode(run)) bytes.push(asciiOfCode[code] || code);
      run = '';
    };
    for (const character of typedCharacters(text, (one) => (codePage.doubleByte?.encodePair(one) ?? 0) !== 0)) {
      const codePoint = character.codePointAt(0) as number;
      const byte = controlByte(codePoint);
      if (byte === undefined) {
        if (isOneCodePoint(character) && !codePage.encodes(codePoint)) return this.#lacking(codePoint, codePage);
        run += character;
        continue;
      }
      const isShift = byte === SHIFT_OUT || byte === SHIFT_IN;
      if (isShift && codePage.doubleByte !== undefined) return this.#lacking(codePoint, codePage);
      flush();
      bytes.push(byte);
      if (byte === LINE_FEED) this.#line++;
    }
    flush();
    return readAs(Uint8Array.from(bytes));
  }

  #lacking(codePoint: number, { name: codePage }: CodePage): ReasonFault {
    const character = characterNumber(String.fromCodePoint(codePoint));
    return reasonFault('transfer.lacking', { line: this.#line, character, codePage });
  }

  #withCarriageReturns(bytes: Uint8Array): Uint8Array {
    const written: number[] = [];
    for (const byte of bytes) {
      if (byte === LINE_FEED && this.#last !== CARRIAGE_RETURN) written.push(CARRIAGE_RETURN);
      written.push(byte);
      this.#last = byte;
    }
    return Uint8Array.from(written);
  }
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array {
  if (first.length === 0) return second;
  if (second.length === 0) return first;
  const both = new Uint8Array(first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both;
}

function controlByte(codePoint: number): number | undefined {
  if (codePoint < 0x20 || codePoint === DELETE) return codePoint;
  if (codePoint === LAST_CONTROL) return EIGHT_ONES;
  return codePoint >= 0x80 && codePoint < LAST_CONTROL ? codePoint : undefined;
}

/** Converts a received file. A character may be split between two calls of `take`. */
export class IncomingContent {
  readonly #rules: ContentRules;
  readonly #encoder = new TextEncoder();
  readonly #blocks: Uint8Array[] = [];
  #length = 0;
  #isShifted = false;
  #halfPair: number | undefined;
  /** A CR or Ctrl-Z whose meaning depends on the next byte. */
  #held: number | undefined;

  constructor(rules: ContentRules) {
    this.#rules = rules;
  }

  get length(): number {
    return this.#length;
  }

  take(bytes: Uint8Array): void {
    const { text, lines, codePage } = this.#rules;
    const plain = text && lines ? this.#withoutCarriageReturns(bytes) : bytes;
    this.#keep(text && codePage !== undefined ? this.#encoder.encode(this.#decode(plain, codePage)) : plain);
  }

  finish(): Uint8Array {
    const rest = this.#held === CARRIAGE_RETURN ? [CARRIAGE_RETURN] : [];
    this.#held = undefined;
    this.#keep(Uint8Array.from(rest));
    const file = new Uint8Array(this.#length);
    let at = 0;
    for (const block of this.#blocks) {
      file.set(block.subarray(0, file.length - at), at);
      at += block.length;
    }
    return file;
  }

  #keep(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; ) {
      const used = this.#length % BLOCK;
      if (used === 0) this.#blocks.push(new Uint8Array(BLOCK));
      const part = bytes.subarray(at, at + BLOCK - used);
      this.#blocks.at(-1)?.set(part, used);
      this.#length += part.length;
      at += part.length;
    }
  }

  #withoutCarriageReturns(bytes: Uint8Array): Uint8Array {
    const kept: number[] = [];
    for (const byte of bytes) {
      if (this.#held !== undefined && !(this.#held === CARRIAGE_RETURN && byte === LINE_FEED)) kept.push(this.#held);
      this.#held = byte === CARRIAGE_RETURN || byte === END_OF_TEXT ? byte : undefined;
      if (this.#held === undefined) kept.push(byte);
    }
    return Uint8Array.from(kept);
  }

  #decode(bytes: Uint8Array, codePage: CodePage): string {
    const isMixed = codePage.doubleByte !== undefined;
    let text = '';
    let run: number[] = [];
    const flush = () => {
      text += codePage.decode(Uint8Array.from(this.#isShifted ? [SHIFT_OUT, ...run, SHIFT_IN] : run));
      run = [];
    };
    if (this.#halfPair !== undefined) run.push(this.#halfPair);
    this.#halfPair = undefined;
    for (const byte of bytes) {
      if (isMixed && (byte === SHIFT_OUT || byte === SHIFT_IN)) {
        flush();
        this.#isShifted = byte === SHIFT_OUT;
      } else if (codeOfAscii[byte] !== 0) {
        run.push(codeOfAscii[byte] as number);
      } else {
        flush();
        text += String.fromCharCode(byte === EIGHT_ONES ? LAST_CONTROL : byte);
      }
    }
    if (this.#isShifted && run.length % 2 === 1) this.#halfPair = run.pop();
    flush();
    return text;
  }
}
