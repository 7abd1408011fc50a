import type { Area, ScreenChoice } from '../../tn3270/screen/screen-condition.js';
import type { PageMessage } from './page-message.js';

/**
 * Text from an address on, one UTF-16 unit per position; a list if a character takes two units. DEL is a right half.
 */
export type TextAt = readonly [address: number, text: string | readonly string[]];

/**
 * Address of the attribute, attribute, color, highlighting, background, validation, double-byte entry; no trailing
 * zeros.
 */
export type FieldTuple = readonly [address: number, ...values: number[]];

/** Address, length, color, highlighting, background; trailing zeros are omitted. */
export type RunTuple = readonly [address: number, length: number, ...values: number[]];

interface ScreenMembers {
  /** Revision. */
  readonly r: number;
  /** Cursor address. */
  readonly u: number;
  readonly l: LockCode;
  /** Number of alarms so far. */
  readonly g?: number | undefined;
  /** Notice for the user. */
  readonly o?: string | undefined;
  /** Revision at which the host last erased or replaced the screen; unchanged if missing. */
  readonly e?: number | undefined;
  readonly t?: readonly TextAt[] | undefined;
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
  /** Revision to which the changes apply. */
  readonly b: number;
}

export type ScreenMessage = WholeScreenMessage | DifferenceMessage;

/**
 * `p`: number of this page; `i`: its last processed submit, which may have been rejected with the code `e` and the
 * message `m`.
 */
export interface WelcomeMessage {
  readonly k: 'w';
  readonly p: number;
  readonly i: number;
  readonly e?: string | undefined;
  readonly m?: string | undefined;
}

/** The server has received submit `i`, but not processed it yet. */
interface ReceivedMessage {
  readonly k: 'g';
  readonly i: number;
}

export interface CarriedOutMessage {
  readonly k: 'a';
  readonly i: number;
}

/** `e`: error code, `m`: message. */
export interface RefusalMessage {
  readonly k: 'r';
  readonly i: number;
  readonly e: string;
  readonly m: string;
}

/** `e`: reason for the end of the session; `c`: the connection to the host failed, with the message `m`. */
interface EndMessage {
  readonly k: 'e';
  readonly e: string;
  readonly c?: string | undefined;
  readonly m?: string | undefined;
}

export interface HostMessage {
  readonly k: 'i';
  /** Name of the host; may be empty. */
  readonly h: string;
  /** Terminal type sent to the host. */
  readonly m: string;
  /** Logical unit assigned by the host. */
  readonly d?: string | undefined;
  /** Protocol and cipher of an encrypted connection to the host. */
  readonly v?: string | undefined;
}

export interface CharactersMessage {
  readonly k: 'c';
  /** Single-byte characters that can be typed. */
  readonly s: string;
  /** Double-byte characters of the Basic Multilingual Plane: a bit for each code point, the lowest first, in Base64. */
  readonly w?: string | undefined;
  /** Other double-byte characters. */
  readonly x?: readonly string[] | undefined;
}

/** Seconds until the session ends without user input, and the full timeout; both are missing without a timeout. */
export interface TimeMessage {
  readonly k: 't';
  readonly s?: number | undefined;
  readonly n?: number | undefined;
}

/** Page `p` plays the macro `n`; both are missing if no macro is playing. */
export interface PlayingMessage {
  readonly k: 'm';
  readonly n?: string | undefined;
  readonly p?: number | undefined;
}

/** Answer to question `i` of a macro: `LookAnswer`. */
export interface LookedMessage {
  readonly k: 'x';
  readonly i: number;
  readonly e: LookAnswer['kind'];
  /** Index of the matching screen. */
  readonly s?: number | undefined;
  /** Indexes of the false conditions of each screen. */
  readonly d?: readonly (readonly number[])[] | undefined;
  /** Text that was read. */
  readonly v?: string | undefined;
}

/** Message `i` of the operator `b` to the user of this session. */
export interface OperatorMessage {
  readonly k: 'n';
  readonly i: number;
  readonly b: string;
  readonly m: string;
}

/**
 * Document `i` of the session's printer, with `n` pages, can be opened; 0: the session has a printer, but no document.
 */
export interface PrintedMessage {
  readonly k: 'p';
  readonly i: number;
  readonly n: number;
}

/** The user may transfer files of at most `n` bytes. */
export interface FilesMessage {
  readonly k: 'f';
  readonly n: number;
}

/** `b`: names of the current watchers; missing if there are none. */
export interface WatchedMessage {
  readonly k: 'v';
  readonly b?: readonly string[] | undefined;
  /** Names of operators who trace the session; undefined if there are none. */
  readonly t?: readonly string[] | undefined;
}

/** Messages of the server (docs/write/screen-protocol.md). */
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

/**
 * Reason for a locked keyboard: 0 not locked, 1 waiting for the host, 2 no partner to type to, the name of an operator
 * error, or `programCheck NUMBER/COUNT` for a faulty record of the host.
 */
export type LockCode = 0 | 1 | 2 | (string & {});

/**
 * @param count number of faulty records so far; it distinguishes repeated errors, because Reset is local to the page
 */
export function programCheckLock(number: number, count: number): LockCode {
  return `programCheck ${number}/${count}`;
}

/** Number after X PROG; undefined for other locks. */
export function programCheckOf(lock: LockCode | undefined): string | undefined {
  return /^programCheck (\d+)\//.exec(String(lock))?.[1];
}

export function encodeMessage(message: ServerMessage | PageMessage): string {
  return JSON.stringify(message);
}

/** Right half of a double-byte character in texts: DEL takes one byte in JSON and never appears on a screen. */
export const RIGHT_HALF_SIGN = '\u007f';

export interface LookQuestion {
  /** Time for the host to unlock the keyboard; undefined: no separate wait. */
  readonly hostMilliseconds?: number | undefined;
  readonly screens?: ScreenChoice | undefined;
  /** Additional time for one of the screens to appear. */
  readonly screenMilliseconds?: number | undefined;
  readonly read?: Area | undefined;
}

export type LookAnswer =
  /**
   * The host has responded. `screen`: index of the matching screen; `text`: content of the area, if it is on the
   * screen.
   */
  | { readonly kind: 'done'; readonly screen?: number | undefined; readonly text?: string | undefined }
  /** None of the screens matches. `missing`: indexes of the false conditions of each screen. */
  | { readonly kind: 'otherScreen'; readonly missing: readonly (readonly number[])[] }
  | { readonly kind: 'timedOut' }
  | { readonly kind: 'faulty' }
  /** The time of the macro has expired, or another page plays one. */
  | { readonly kind: 'over' };

/** Maximum time of a single wait. */
export const LONGEST_LOOK_MILLISECONDS = 600_000;

type Check = (value: unknown) => boolean;
type Checks = Readonly<Record<string, Check>>;

/** Hosts send rows and columns as one byte each. */
const MOST_ROWS_OR_COLUMNS = 255;

const isNumber = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;
const isText: Check = (value) => typeof value === 'string';
const isSize: Check = (value) => isNumber(value) && value > 0 && value <= MOST_ROWS_OR_COLUMNS;
const isLock: Check = (value) => isText(value) || (isNumber(value) && value <= 2);
const listOf =
  (isItem: Check, least = 0): Check =>
  (value) =>
    Array.isArray(value) && value.length >= least && value.every(isItem);
const isPiece: Check = (value) =>
  Array.isArray(value) && isNumber(value[0]) && (isText(value[1]) || listOf(isText)(value[1]));

const lookEnds: ReadonlySet<unknown> = new Set(['done', 'otherScreen', 'timedOut', 'faulty', 'over']);

const submit: Checks = { i: isNumber };
const screen: Checks = { r: isNumber, u: isNumber, l: isLock };
/** Required members by kind. */
const needed: ReadonlyMap<unknown, Checks> = new Map([
  ['w', { ...submit, p: isNumber }],
  ['i', { h: isText, m: isText }],
  ['c', { s: isText }],
  ['s', { ...screen, n: isSize, c: isSize }],
  ['d', { ...screen, b: isNumber }],
  ['g', submit],
  ['a', submit],
  ['r', { ...submit, e: isText, m: isText }],
  ['e', { e: isText }],
  ['t', {}],
  ['m', {}],
  ['x', { ...submit, e: (value) => lookEnds.has(value) }],
  ['n', { ...submit, b: isText, m: isText }],
  ['p', { ...submit, n: isNumber }],
  ['f', { n: isNumber }],
  ['v', {}],
]);
/** Optional members with the same meaning in most kinds. */
const optional: Checks = {
  s: isNumber,
  n: isNumber,
  g: isNumber,
  o: isText,
  m: isText,
  d: isText,
  v: isText,
  t: listOf(isPiece),
  f: listOf(listOf(isNumber, 1)),
  x: listOf(listOf(isNumber, 2)),
};

/** Optional members of kinds in which their letters have another meaning. */
const optionalOf: Readonly<Record<string, Checks>> = {
  c: { w: isText, x: listOf(isText) },
  m: { n: isText, p: isNumber },
  w: { e: isText, m: isText },
  s: { ...optional, e: isNumber },
  d: { ...optional, e: isNumber },
  x: { s: isNumber, d: listOf(listOf(isNumber)), v: isText },
  v: { b: listOf(isText), t: listOf(isText) },
};

/** @returns undefined if the text is not a valid message */
export function decodeServerMessage(text: string): ServerMessage | undefined {
  try {
    const message = JSON.parse(text);
    const checks = needed.get(message.k);
    const further = optionalOf[message.k] ?? optional;
    const isSound =
      checks !== undefined &&
      Object.entries(checks).every(([name, isRight]) => isRight(message[name])) &&
      Object.entries(further).every(([name, isRight]) => message[name] === undefined || isRight(message[name]));
    return isSound ? message : undefined;
  } catch {
    return undefined;
  }
}
