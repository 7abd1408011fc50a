/**
 * The double-byte characters of a code page, as generated; read by `pairsOfText`. A pair is `first byte << 8 | second byte`.
 *
 * A text of pairs has a line for each run of pairs with the same first byte: the first pair in hexadecimal, a blank, and
 * what the pairs from there on are. `.` is a pair that is not assigned, `x-z` is every code point from x to z, `(xy)` is one
 * pair of two code points. No ASCII character has a pair, so none needs a way out of these meanings.
 */
export interface PairTable {
  readonly pairs: string;
  /** Text of pairs: characters that are encoded as this pair, though a lower one or none decodes to them. */
  readonly encodedOtherwise: string;
  readonly part: PairTablePart;
}

/** A smaller table that is all but the same as a part of the larger one. */
interface PairTablePart {
  /** Of the pairs of the larger table, how many in turn the part has, has not, has …; in decimal. */
  readonly runs: string;
  /** Text of pairs: those that decode to something else in the part. */
  readonly changes: string;
  readonly encodedOtherwise: string;
}
