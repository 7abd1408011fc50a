import { type CodePage, SUBSTITUTE } from './code-page.js';
import type { DoubleByteCharacterSet } from './double-byte-character-set.js';

const SHIFT_OUT = 0x0e;
const SHIFT_IN = 0x0f;
const UNASSIGNED = '\ufffd';
/** IBM's substitution character of double-byte code pages. */
const SUBSTITUTE_PAIR = 0xfefe;

/** U+000E and U+000F have the numbers of the bytes. */
const isShift = (codePoint: number) => codePoint === SHIFT_OUT || codePoint === SHIFT_IN;

/** A code page of single bytes and, between shift-out and shift-in, of pairs. */
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

  /** As glibc's iconv: the shifts are left out, needless ones too; a pair cut short becomes U+FFFD. */
  decode(bytes: Uint8Array): string {
    let text = '';
    for (let at = 0; at < bytes.length; ) {
      const next = bytes.indexOf(SHIFT_OUT, at);
      const end = next < 0 ? bytes.length : next;
      text += this.#singleByte.decode(bytes.subarray(at, end).filter((byte) => byte !== SHIFT_IN));
      at = end + 1;
      while (next >= 0 && at < bytes.length && bytes[at] !== SHIFT_IN) {
        if (bytes[at] === SHIFT_OUT) at++;
        else {
          const pair = ((bytes[at] as number) << 8) | (bytes[at + 1] ?? 0);
          text += this.doubleByte.decodePair(pair) || UNASSIGNED;
          at += 2;
        }
      }
      if (next >= 0) at++;
    }
    return text;
  }

  encode(text: string): Uint8Array {
    const bytes: number[] = [];
    let shifted = false;
    const codePoints = Array.from(text);
    for (let at = 0; at < codePoints.length; at++) {
      const character = codePoints[at] as string;
      const codePoint = character.codePointAt(0) as number;
      const next = codePoints[at + 1];
      const ofSequence = next === undefined ? 0 : this.doubleByte.encodePair(character + next);
      const byte = ofSequence === 0 ? this.#singleByteFor(codePoint) : -1;
      const pair = byte >= 0 ? 0 : ofSequence || this.doubleByte.encodePair(character) || SUBSTITUTE_PAIR;
      if (shifted !== pair > 0) {
        bytes.push(shifted ? SHIFT_IN : SHIFT_OUT);
        shifted = !shifted;
      }
      if (pair > 0) bytes.push(pair >> 8, pair & 0xff);
      else bytes.push(byte);
      if (ofSequence !== 0) at++;
    }
    if (shifted) bytes.push(SHIFT_IN);
    return Uint8Array.from(bytes);
  }

  /** A shift is no character: glibc writes SUB for it, too. */
  #singleByteFor(codePoint: number): number {
    return isShift(codePoint) ? SUBSTITUTE : this.#singleByte.encodeCodePoint(codePoint);
  }

  encodes(codePoint: number): boolean {
    if (this.encodeCodePoint(codePoint) >= 0) return true;
    return codePoint >= 0 && codePoint <= 0x10ffff && this.doubleByte.encodePair(String.fromCodePoint(codePoint)) !== 0;
  }
}
