export interface EntryRules {
  /** Numeric fields take digits, minus, full stop and DUP only. */
  readonly numericLock: boolean;
  /** Nulls before what is typed become blanks, and blanks at the end of a field make room to insert. */
  readonly blankFill: boolean;
}
