import { type CodePage, SUBSTITUTE } from './code-page.js';
import type { DoubleByteCharacterSet } from './double-byte-character-set.js';

const SHIFT_OUT = 0x0e;
const SHIFT_IN = 0x0f;
const UNASSIGNED = '\ufffd';
const SUBSTITUTE_PAIR = 0xfefe;
/** Bound on the arguments of one function call. */
const UNITS_AT_A_TIME = 4_096;
/** Shift-out, pair, shift-in. */
const MOST_BYTES_OF_UNIT = 4;

const isShift = (codePoint: number) => codePoint === SHIFT_OUT || codePoint === SHIFT_IN;

/** A code page with double-byte characters (pairs) between shift-out and shift-in. */
export class MixedCodePage implements CodePage {
  readonly name: string;
  readonly number: number;
  readonly doubleByte: DoubleByteCharacterSet;
  readonly #singleByte: CodePage;

  constructor(singleByte: CodePage, doubleByte: DoubleByteCharacterSet) {
    this.name = singleByte.name;
    this.number = singleByte.number;
    this.#singleByte = singleByte;
    this.doubleByte = doubleByte;
  }

  get unitOfByte(): Uint16Array {
    return this.#singleByte.unitOfByte;
  }

  encodeCodePoint(codePoint: number): number {
    return isShift(codePoint) ? -1 : this.#singleByte.encodeCodePoint(codePoint);
  }

  /** As glibc's iconv: drops shifts, redundant ones included; decodes a truncated pair to U+FFFD. */
  decode(bytes: Uint8Array): string {
    const units = new Uint16Array(bytes.length + 1);
    let length = 0;
    let shifted = false;
    for (let at = 0; at < bytes.length; ) {
      const byte = bytes[at] as number;
      if (byte === SHIFT_OUT || byte === SHIFT_IN) {
        shifted = byte === SHIFT_OUT;
        at++;
      } else if (shifted) {
        const character = this.doubleByte.decodePair((byte << 8) | (bytes[at + 1] ?? 0)) || UNASSIGNED;
        for (let unit = 0; unit < character.length; unit++) units[length++] = character.charCodeAt(unit);
        at += 2;
      } else {
        units[length++] = this.unitOfByte[byte] as number;
        at++;
      }
    }
    return textOfUnits(units.subarray(0, length));
  }

  encode(text: string): Uint8Array {
    const bytes = new Uint8Array(MOST_BYTES_OF_UNIT * text.length + 1);
    let length = 0;
    let shifted = false;
    for (let at = 0; at < text.length; ) {
      const codePoint = text.codePointAt(at) as number;
      at += codePoint > 0xffff ? 2 : 1;
      const ofSequence = this.doubleByte.pairOfSequence(codePoint, text.charCodeAt(at));
      const byte = ofSequence === 0 ? this.#singleByteFor(codePoint) : -1;
      const pair = byte >= 0 ? 0 : ofSequence || this.doubleByte.pairOfCodePoint(codePoint) || SUBSTITUTE_PAIR;
      if (shifted !== pair > 0) {
        bytes[length++] = shifted ? SHIFT_IN : SHIFT_OUT;
        shifted = !shifted;
      }
      if (pair > 0) bytes[length++] = pair >> 8;
      bytes[length++] = pair > 0 ? pair & 0xff : byte;
      if (ofSequence !== 0) at++;
    }
    if (shifted) bytes[length++] = SHIFT_IN;
    return bytes.slice(0, length);
  }

  /** glibc also encodes U+000E and U+000F as SUB. */
  #singleByteFor(codePoint: number): number {
    return isShift(codePoint) ? SUBSTITUTE : this.#singleByte.encodeCodePoint(codePoint);
  }

  encodes(codePoint: number): boolean {
    if (this.encodeCodePoint(codePoint) >= 0) return true;
    return codePoint >= 0 && codePoint <= 0x10ffff && this.doubleByte.pairOfCodePoint(codePoint) !== 0;
  }
}

function textOfUnits(units: Uint16Array): string {
  if (units.length <= UNITS_AT_A_TIME) return String.fromCharCode(...units);
  let text = '';
  for (let at = 0; at < units.length; at += UNITS_AT_A_TIME) {
    text += String.fromCharCode(...units.subarray(at, at + UNITS_AT_A_TIME));
  }
  return text;
}
