import { isBoundedJson } from '../../lib/documents/bounded-json.js';
import { isObject, nameFault } from '../../lib/documents/json-checks.js';
import { type Area, areaFault, type ScreenChoice, screensFault } from '../../tn3270/screen/screen-condition.js';
import type { LookMessage, PageMessage, SubmitMessage } from './page-message.js';
import { LONGEST_LOOK_MILLISECONDS } from './server-message.js';

const LARGEST_NUMBER = 999_999_999;
/** Length of a macro name. */
const LONGEST_NAME = 100;

/** Nesting and members of a message: a screen has at most 9,920 fields, each with a name and a value. */
const MESSAGE_BOUNDS = { deepest: 32, most: 40_000 };

type Members = Readonly<Record<string, unknown>>;

/**
 * Reads a message of an untrusted client. An optional member with an invalid number counts as missing.
 * @returns undefined if the text is not a valid message
 */
export function decodePageMessage(text: string): PageMessage | undefined {
  const message = parsed(text);
  if (message?.k === 'h') return { k: 'h', p: wholeNumber(message.p), r: wholeNumber(message.r) };
  if (message?.k === 'q') return { k: 'q', y: message.y === 1 ? 1 : undefined };
  if (message?.k === 'm') return macroMessage(message);
  if (message?.k === 'x') return lookMessage(message);
  return message?.k === 'k' ? submitMessage(message) : undefined;
}

function macroMessage({ n }: Members): PageMessage | undefined {
  if (n === undefined) return { k: 'm' };
  return nameFault(n, LONGEST_NAME) === undefined ? { k: 'm', n: n as string } : undefined;
}

function lookMessage({ i, w, t, s, v }: Members): LookMessage | undefined {
  const number = wholeNumber(i);
  if (number === undefined || !isTime(w) || !isTime(t) || !isChoice(s)) return undefined;
  if (v !== undefined && areaFault(v) !== undefined) return undefined;
  return { k: 'x', i: number, w, t, s, v: v as Area | undefined };
}

function isTime(value: unknown): value is number | undefined {
  const number = wholeNumber(value);
  return value === undefined || (number !== undefined && number <= LONGEST_LOOK_MILLISECONDS);
}

function isChoice(value: unknown): value is ScreenChoice | undefined {
  return value === undefined || screensFault(value) === undefined;
}

function submitMessage({ i, a, r, y, u, f = {}, s, x }: Members): SubmitMessage | undefined {
  const number = wholeNumber(i);
  if (number === undefined || typeof a !== 'string' || !isFields(f)) return undefined;
  if ((s !== undefined && typeof s !== 'string') || !isChoice(x)) return undefined;
  return {
    k: 'k',
    i: number,
    a,
    r: wholeNumber(r),
    y: y === 1 ? 1 : undefined,
    u: wholeNumber(u),
    f,
    s,
    ...(x && { x }),
  };
}

function parsed(text: string): Readonly<Record<string, unknown>> | undefined {
  if (!isBoundedJson(text, MESSAGE_BOUNDS)) return undefined;
  try {
    const message: unknown = JSON.parse(text);
    return isObject(message) ? message : undefined;
  } catch {
    return undefined;
  }
}

function wholeNumber(value: unknown): number | undefined {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) <= LARGEST_NUMBER
    ? (value as number)
    : undefined;
}

function isFields(value: unknown): value is Readonly<Record<string, string>> {
  return isObject(value) && Object.values(value).every((wire) => typeof wire === 'string');
}
