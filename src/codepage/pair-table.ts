/** The double-byte characters of a code page, as generated. A pair is `first byte << 8 | second byte`. */
export interface PairTable {
  /**
   * Pairs that follow one another, the second byte running from 0x40 to 0xFE: the first pair and the characters, or the
   * first pair, the first code point and how many count upwards from there.
   */
  readonly segments: ReadonlyArray<
    readonly [pair: number, text: string] | readonly [pair: number, codePoint: number, count: number]
  >;
  /** Pairs that are more than one code point. */
  readonly sequences: ReadonlyArray<readonly [pair: number, text: string]>;
  /** Characters that are encoded as another pair than the lowest that decodes to them. */
  readonly encodedOtherwise: ReadonlyArray<readonly [character: string, pair: number]>;
  /** Code pages that have only some of the pairs, by number: which, and what differs. */
  readonly parts: Readonly<Record<number, PairTablePart>>;
}

export interface PairTablePart {
  /** First and last pair, both included. */
  readonly ranges: ReadonlyArray<readonly [first: number, last: number]>;
  readonly changes: ReadonlyArray<readonly [pair: number, text: string]>;
}
