import type { DoubleByteCharacterSet } from './double-byte-character-set.js';

/** An EBCDIC table: between bytes of a host and text. Immutable, synchronous, never throws. */
export interface CodePage {
  /** `IBM` and at least three digits, e.g. `IBM037`, `IBM1147`; or `bracket`, which has the number of its base page. */
  readonly name: string;
  /** IBM's number of the page, e.g. 37, 1147. */
  readonly number: number;

  /** 256 UTF-16 units, one for each byte of a single-byte character; U+FFFD if unassigned. Read-only. */
  readonly unitOfByte: Uint16Array;

  /** The double-byte half of a mixed page. */
  readonly doubleByte: DoubleByteCharacterSet | undefined;

  /** The single byte of a code point; -1 if there is none. */
  encodeCodePoint(codePoint: number): number;

  /**
   * One UTF-16 unit for each single byte; U+FFFD for what the page leaves unassigned. What a mixed page has between
   * shift-out and shift-in is read in pairs.
   */
  decode(bytes: Uint8Array): string;

  /**
   * One byte for each code point (a lone surrogate is one too); SUB for each that the page does not have. A mixed page adds
   * shift-out, pairs and shift-in, and has 0xFEFE in place of SUB.
   */
  encode(text: string): Uint8Array;

  /** Whether `encode` keeps this code point, rather than substituting it. */
  encodes(codePoint: number): boolean;
}

/** SUB, the EBCDIC control character that replaces characters without a byte. */
export const SUBSTITUTE = 0x3f;
