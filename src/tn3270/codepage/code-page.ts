import type { DoubleByteCharacterSet } from './double-byte-character-set.js';

/** Converts between EBCDIC bytes and text. Immutable, synchronous, never throws. */
export interface CodePage {
  /** `IBM` and at least three digits, e.g. `IBM037`; or `bracket`, whose `number` is that of its base page. */
  readonly name: string;
  readonly number: number;

  /** 256 UTF-16 units, indexed by single byte; U+FFFD if unassigned. */
  readonly unitOfByte: Uint16Array;

  readonly doubleByte: DoubleByteCharacterSet | undefined;

  /** @returns the single byte, or -1 if the code point has none */
  encodeCodePoint(codePoint: number): number;

  /** One UTF-16 unit per single byte, U+FFFD if unassigned. A mixed page has pairs between shift-out and shift-in. */
  decode(bytes: Uint8Array): string;

  /**
   * Encodes each code point (or lone surrogate) as one byte; SUB if the page lacks it. A mixed page adds shift-out,
   * pairs and shift-in, and substitutes 0xFEFE.
   */
  encode(text: string): Uint8Array;

  encodes(codePoint: number): boolean;
}

/** SUB, the EBCDIC control character for characters that cannot be encoded. */
export const SUBSTITUTE = 0x3f;
