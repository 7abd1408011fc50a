/** A field of a host screen, as the tags speak of it. Addresses count positions from 0. */
export interface HostField {
  /** Of its first character; its attribute stands before it. */
  readonly start: number;
  readonly length: number;
  readonly isProtected: boolean;
  readonly isNumeric: boolean;
  readonly isNonDisplayable: boolean;
  readonly isIntensified: boolean;
  readonly isDetectable: boolean;
  readonly isModified: boolean;
  /** NOCOLOR, BLUE, RED, PINK, GREEN, TURQUOISE, YELLOW, WHITE. */
  readonly colour: string;
  /** NOHILIGHT, BLINK, REVERSE, UNDERSCORE. */
  readonly highlighting: string;
}

/** Characters side by side with attributes of their own. */
export interface HostRun {
  readonly start: number;
  readonly length: number;
  readonly colour: string;
  readonly highlighting: string;
}

/** What a template is shown of a host screen: nothing of non-displayable fields is in it. */
export interface HostScreen {
  readonly revision: number;
  readonly rows: number;
  readonly columns: number;
  readonly cursor: number;
  /** One for each position: a character, '' for the right half of a double-byte one, a blank for what is not shown. */
  readonly cells: readonly string[];
  /** In the order of their positions; none on an unformatted screen. */
  readonly fields: readonly HostField[];
  /** In the order of their positions, none across an attribute. */
  readonly runs: readonly HostRun[];
  /** Whether a position holds a binary zero. */
  readonly isNull: (position: number) => boolean;
  /** The name of a position in forms: V and 7 hex digits, or P and 7 hex digits where nothing can be typed. */
  readonly idOf: (position: number, isInput: boolean) => string;
}
