/** An EBCDIC table: between bytes of a host and text. Immutable, synchronous, never throws. */
export interface CodePage {
  /** `IBM` and at least three digits, e.g. `IBM037`, `IBM1147`. */
  readonly name: string;
  /** IBM's number of the page, e.g. 37, 1147. */
  readonly number: number;

  /** One UTF-16 unit for each byte; U+FFFD for a byte that the page leaves unassigned. */
  decode(bytes: Uint8Array): string;

  /** One byte for each code point (a lone surrogate is one too); SUB for each that the page does not have. */
  encode(text: string): Uint8Array;

  /** Whether `encode` keeps this code point, rather than substituting it. */
  encodes(codePoint: number): boolean;
}

/** SUB, the EBCDIC control character that takes the place of a character without a byte. */
export const SUBSTITUTE = 0x3f;
