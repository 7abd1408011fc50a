import type { ServerMessage } from './server-message.js';

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
