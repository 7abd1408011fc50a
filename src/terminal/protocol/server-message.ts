import type { Area, ScreenChoice } from '../../tn3270/screen/screen-condition.js';
import type { PageMessage } from './page-message.js';

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

/** What the server says (docs/write/screen-protocol.md). */
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
 * Whether, and why, the keyboard takes nothing: 0 free, 1 the host has it, 2 nobody to type for, the name of an operator error,
 * or `programCheck NUMBER/COUNT` for a faulty record of the host.
 */
export type LockCode = 0 | 1 | 2 | (string & {});

/** @param count of the faulty records so far: it tells one from the next, as Reset is the page's own affair */
export function programCheckLock(number: number, count: number): LockCode {
  return `programCheck ${number}/${count}`;
}

/** The number behind X PROG; undefined where a lock is another. */
export function programCheckOf(lock: LockCode | undefined): string | undefined {
  return /^programCheck (\d+)\//.exec(String(lock))?.[1];
}

/** The text of a message, with its members in the order in which they were given. */
export function encodeMessage(message: ServerMessage | PageMessage): string {
  return JSON.stringify(message);
}

/** What stands in texts for the right half of a double-byte character: DEL is one byte in JSON, and no screen has it. */
export const RIGHT_HALF_SIGN = '\u007f';

/** What a page asks about the host while it plays a macro. */
export interface LookQuestion {
  /** For the host to free the keyboard; undefined: that is not waited for by itself. */
  readonly hostMilliseconds?: number | undefined;
  /** One of these is to be there. */
  readonly screens?: ScreenChoice | undefined;
  /** For one of them to come, from then on. */
  readonly screenMilliseconds?: number | undefined;
  /** What is displayed there is wanted. */
  readonly read?: Area | undefined;
}

export type LookAnswer =
  /** The host has answered. `screen`: which of them is there, from 0; `text`: what was to be read, where the screen has that place. */
  | { readonly kind: 'done'; readonly screen?: number | undefined; readonly text?: string | undefined }
  /** None of the screens is there: of each, which conditions do not hold, from 0. */
  | { readonly kind: 'otherScreen'; readonly missing: readonly (readonly number[])[] }
  /** The host has not freed the keyboard. */
  | { readonly kind: 'timedOut' }
  /** It has sent a faulty record. */
  | { readonly kind: 'faulty' }
  /** The macro has taken its time, or another page plays one. */
  | { readonly kind: 'over' };

/** Milliseconds that anything may be waited for at once. */
export const LONGEST_LOOK_MILLISECONDS = 600_000;

type Check = (value: unknown) => boolean;
type Checks = Readonly<Record<string, Check>>;

/** Rows and columns are a byte each, where a host tells them. */
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
/** By kind, the members that every message has. */
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
/** The others, which mean the same in messages of any kind. */
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

/** Those of messages about macros and operators, whose letters mean something else. */
const optionalOf: Readonly<Record<string, Checks>> = {
  c: { w: isText, x: listOf(isText) },
  m: { n: isText, p: isNumber },
  w: { e: isText, m: isText },
  s: { ...optional, e: isNumber },
  d: { ...optional, e: isNumber },
  x: { s: isNumber, d: listOf(listOf(isNumber)), v: isText },
  v: { b: listOf(isText), t: listOf(isText) },
};

/** @returns undefined where the text is no message of the protocol */
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
