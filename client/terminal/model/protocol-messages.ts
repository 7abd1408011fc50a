/** The messages of docs/screen-protocol.md, as `JSON.parse` gives them. */

/** Text from an address on, one UTF-16 unit a position; a list where a character takes two units. DEL is a right half. */
export type TextPiece = readonly [address: number, text: string | readonly string[]];

/** Address of the attribute, attribute, colour, highlighting, background, validation; zeros at the end left out. */
export type FieldTuple = readonly [address: number, ...values: number[]];

/** Address, length, colour, highlighting, background; zeros at the end left out. */
export type RunTuple = readonly [address: number, length: number, ...values: number[]];

/** 0 free, 1 the host has the keyboard, 2 nobody to type for, the name of an operator error, or `programCheck` with its number and count. */
export type LockCode = 0 | 1 | 2 | (string & {});

interface ScreenMembers {
  /** Revision. */
  readonly r: number;
  /** Address of the cursor. */
  readonly u: number;
  readonly l: LockCode;
  /** Alarms so far. */
  readonly g?: number;
  /** A notice for the user. */
  readonly o?: string;
  readonly t?: readonly TextPiece[];
  readonly f?: readonly FieldTuple[];
  readonly x?: readonly RunTuple[];
}

export interface WholeScreenMessage extends ScreenMembers {
  readonly k: 's';
  /** Rows. */
  readonly n: number;
  /** Columns. */
  readonly c: number;
}

export interface DifferenceMessage extends ScreenMembers {
  readonly k: 'd';
  /** The revision it is a change of. */
  readonly b: number;
}

export type ScreenMessage = WholeScreenMessage | DifferenceMessage;

/** `p` the number of this page, `i` the last submit of it that was carried out. */
export interface WelcomeMessage {
  readonly k: 'w';
  readonly p: number;
  readonly i: number;
}

export interface CarriedOutMessage {
  readonly k: 'a';
  readonly i: number;
}

export interface RefusalMessage {
  readonly k: 'r';
  readonly i: number;
  readonly e: string;
  readonly m: string;
}

export interface EndMessage {
  readonly k: 'e';
  readonly e: string;
  readonly m: string;
}

export type ServerMessage = ScreenMessage | WelcomeMessage | CarriedOutMessage | RefusalMessage | EndMessage;

export interface HelloMessage {
  readonly k: 'h';
  readonly p?: number;
  readonly r?: number;
}

export interface SubmitMessage {
  readonly k: 'k';
  readonly i: number;
  /** The attention key. */
  readonly a: string;
  readonly u: number;
  readonly f: Readonly<Record<string, string>>;
  /** The session key, where there is a new one. */
  readonly s?: string;
}

export type PageMessage = HelloMessage | SubmitMessage;
