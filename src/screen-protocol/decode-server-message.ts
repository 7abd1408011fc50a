import type { ServerMessage } from './server-message.js';

type Check = (value: unknown) => boolean;

/** Rows and columns are a byte each, where a host tells them. */
export const MOST_ROWS_OR_COLUMNS = 255;

const isNumber: Check = (value) => Number.isSafeInteger(value) && (value as number) >= 0;
const isSize: Check = (value) => isNumber(value) && (value as number) > 0 && (value as number) <= MOST_ROWS_OR_COLUMNS;
const isText: Check = (value) => typeof value === 'string';
const isLock: Check = (value) => isText(value) || value === 0 || value === 1 || value === 2;
const optional =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value);
const listOf =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(check);
/** Numbers, of which some may not be left out. */
const tupleOf =
  (least: number): Check =>
  (value) =>
    listOf(isNumber)(value) && (value as unknown[]).length >= least;
const isTextOrList: Check = (value) => isText(value) || listOf(isText)(value);
const isPiece: Check = (value) => Array.isArray(value) && isNumber(value[0]) && isTextOrList(value[1]);

const ofScreen: Readonly<Record<string, Check>> = {
  r: isNumber,
  u: isNumber,
  l: isLock,
  g: optional(isNumber),
  o: optional(isText),
  t: optional(listOf(isPiece)),
  f: optional(listOf(tupleOf(1))),
  x: optional(listOf(tupleOf(2))),
};
/** By kind, what the members of a message must be. */
const members: ReadonlyMap<unknown, Readonly<Record<string, Check>>> = new Map([
  ['w', { p: isNumber, i: isNumber }],
  ['s', { ...ofScreen, n: isSize, c: isSize }],
  ['d', { ...ofScreen, b: isNumber }],
  ['a', { i: isNumber }],
  ['r', { i: isNumber, e: isText, m: isText }],
  ['e', { e: isText, c: optional((value) => value === 'failed'), m: optional(isText) }],
]);

/** @returns undefined where the text is no message of the protocol */
export function decodeServerMessage(text: string): ServerMessage | undefined {
  let message: Readonly<Record<string, unknown>> | null;
  try {
    message = JSON.parse(text);
  } catch {
    return undefined;
  }
  const checks = members.get(message?.k);
  if (checks === undefined) return undefined;
  const isSound = Object.entries(checks).every(([name, check]) => check(message?.[name]));
  return isSound ? (message as unknown as ServerMessage) : undefined;
}
