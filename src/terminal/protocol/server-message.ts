import type { LockCode } from './lock-code.js';
import type { LookAnswer } from './look.js';

/** Text from an address on, one UTF-16 unit a position; a list where a character takes two units. DEL is a right half. */
export type TextPiece = readonly [address: number, text: string | readonly string[]];

/** Address of the attribute, attribute, colour, highlighting, background, validation, double-byte entry; zeros at the end left out. */
export type FieldTuple = readonly [address: number, ...values: number[]];

/** Address, length, colour, highlighting, background; zeros at the end left out. */
export type RunTuple = readonly [address: number, length: number, ...values: number[]];

interface ScreenMembers {
  /** Revision. */
  readonly r: number;
  /** Address of the cursor. */
  readonly u: number;
  readonly l: LockCode;
  /** Alarms so far. */
  readonly g?: number | undefined;
  /** A notice for the user. */
  readonly o?: string | undefined;
  /** The revision at which the host erased or replaced the screen last; without it, as before. */
  readonly e?: number | undefined;
  readonly t?: readonly TextPiece[] | undefined;
  readonly f?: readonly FieldTuple[] | undefined;
  readonly x?: readonly RunTuple[] | undefined;
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

/** `p` the number of this page, `i` the last submit of it that was carried out, or was refused with the code `e` and the words `m`. */
export interface WelcomeMessage {
  readonly k: 'w';
  readonly p: number;
  readonly i: number;
  readonly e?: string | undefined;
  readonly m?: string | undefined;
}

/** The server has submit `i`, and has not carried it out yet. */
interface ReceivedMessage {
  readonly k: 'g';
  readonly i: number;
}

export interface CarriedOutMessage {
  readonly k: 'a';
  readonly i: number;
}

/** `e` the code of the error, `m` its words. */
export interface RefusalMessage {
  readonly k: 'r';
  readonly i: number;
  readonly e: string;
  readonly m: string;
}

/** `e` why the session is over; `c` the connection to the host failed, and `m` says how. */
interface EndMessage {
  readonly k: 'e';
  readonly e: string;
  readonly c?: string | undefined;
  readonly m?: string | undefined;
}

/** What the terminal is connected to. */
export interface HostMessage {
  readonly k: 'i';
  /** Name of the host; '' where it has none. */
  readonly h: string;
  /** Terminal type, as the host was told. */
  readonly m: string;
  /** The logical unit that the host gave. */
  readonly d?: string | undefined;
  /** Protocol and cipher, where the connection to the host is encrypted. */
  readonly v?: string | undefined;
}

/** The characters that can be typed. */
export interface CharactersMessage {
  readonly k: 'c';
  /** Those of one position. */
  readonly s: string;
  /** Those of two positions in the Basic Multilingual Plane: a bit for each code point, the lowest first, in Base64. */
  readonly w?: string | undefined;
  /** Others of two positions. */
  readonly x?: readonly string[] | undefined;
}

/** Seconds until the session ends unless its user sends something, and of how many; it never ends by itself where both are missing. */
export interface TimeMessage {
  readonly k: 't';
  readonly s?: number | undefined;
  readonly n?: number | undefined;
}

/** A macro of the name `n` is played by page `p`; without them, none is. */
export interface PlayingMessage {
  readonly k: 'm';
  readonly n?: string | undefined;
  readonly p?: number | undefined;
}

/** The answer to question `i` of a macro: `LookAnswer`. */
export interface LookedMessage {
  readonly k: 'x';
  readonly i: number;
  readonly e: LookAnswer['kind'];
  /** Which screen is there. */
  readonly s?: number | undefined;
  /** Of each screen, the conditions that do not hold. */
  readonly d?: readonly (readonly number[])[] | undefined;
  /** What was to be read. */
  readonly v?: string | undefined;
}

/** Message `i` of an operator to the user of this session; `b` is the operator. */
export interface OperatorMessage {
  readonly k: 'n';
  readonly i: number;
  readonly b: string;
  readonly m: string;
}

/** Document `i` of the session's printer, of `n` pages, is there to be opened; 0: it has a printer, and nothing waits. */
export interface PrintedMessage {
  readonly k: 'p';
  readonly i: number;
  readonly n: number;
}

/** The user may transfer files, of at most `n` bytes each. */
export interface FilesMessage {
  readonly k: 'f';
  readonly n: number;
}

/** Who watches the session now; nobody where `b` is missing. */
export interface WatchedMessage {
  readonly k: 'v';
  readonly b?: readonly string[] | undefined;
  /** By whom the session is traced, by name; undefined: by nobody. */
  readonly t?: readonly string[] | undefined;
}

/** What the server says (docs/screen-protocol.md). */
export type ServerMessage =
  | ScreenMessage
  | WelcomeMessage
  | ReceivedMessage
  | HostMessage
  | CharactersMessage
  | CarriedOutMessage
  | RefusalMessage
  | EndMessage
  | TimeMessage
  | PlayingMessage
  | LookedMessage
  | OperatorMessage
  | PrintedMessage
  | FilesMessage
  | WatchedMessage;
