export interface EntryRules {
  /** Numeric fields take digits, minus, full stop and DUP only. */
  readonly numericLock: boolean;
  /** Nulls before typed text become blanks, and blanks at the end of a field make room to insert. */
  readonly blankFill: boolean;
  /** With `blankFill`: underscores make room, too, and are lost, as with s3270. */
  readonly underscoreFill?: boolean;
  /** What is typed is inserted, and the cursor stays before it. */
  readonly reverseInput?: boolean;
}
