import { type ReadOutcome, readAs, readFault } from '../../lib/read-outcome.js';
import { attentionKeyNamed, attentionKeys } from '../keyboard/attention-keys.js';
import type { OperatorError } from '../keyboard/operator-errors.js';
import { operatorErrors } from '../keyboard/operator-errors.js';
import type { FormRefusal } from '../screen/form-entry.js';
import type { Operation, Stroke } from '../screen/operation.js';
import type { RowAndColumn } from '../screen/screen-condition.js';
import type { ScreenImage } from '../screen/screen-image.js';
import { positionOf, rowAndColumnOf } from './displayed-text.js';
import { type FieldTarget, findInputField } from './input-field.js';
import { countStrokes, keyNamed, MOST_STROKES } from './typed-text.js';

/** A field and what it is to hold. The text is in no error, whatever becomes of it. */
type Fill = FieldTarget & { readonly text: string };

/** What is done to a screen before the host answers, in this order, all of it or nothing. */
export interface Act {
  readonly fill?: readonly Fill[];
  /** Where the cursor goes before anything is typed. */
  readonly cursor?: RowAndColumn;
  /** At the cursor; `readStrokes` makes it of a text with keys in brackets. Its last key may be one that goes to the host. */
  readonly type?: readonly Stroke[];
  /** The key that goes to the host, by any of its names: Enter, PF8, Attn. */
  readonly press?: string;
}

/** Why nothing was done. */
export type ActRefusal =
  /** The host has the keyboard, or is not there. */
  | { readonly kind: 'locked' }
  /** The screen has no such field or place. */
  | { readonly kind: 'notThere'; readonly differs: string }
  /** The terminal does not take it: the code is the name of its symbol in the operator information area. */
  | { readonly kind: 'operatorError'; readonly code: OperatorError; readonly at: RowAndColumn };

/** Keys that go to the host without the screen. */
const sessionKeys: ReadonlySet<string> = new Set(['Attn', 'SysReq']);

export interface PreparedAct extends Operation {
  readonly sessionKey: string | undefined;
}

/**
 * Finds what an act names on the picture of the screen.
 * @returns what the screen is to do, or in words what it does not have
 * @throws RangeError where the act cannot be one: no such key, two keys for the host, too much to type
 */
export function prepareAct(image: ScreenImage, act: Act): ReadOutcome<PreparedAct> {
  const { strokes, key } = keyOf(act);
  const entries = [];
  for (const fill of act.fill ?? []) {
    const address = findInputField(image, fill);
    if (address.kind === 'fault') return address;
    // typed even where it holds the same: an operator who types sends what he typed
    entries.push({ address: address.value, text: fill.text, modifies: true });
  }
  let cursor: number | undefined;
  if (act.cursor !== undefined) {
    cursor = positionOf(image, act.cursor);
    if (cursor === undefined) return readFault(`the screen has no row ${act.cursor[0]}, column ${act.cursor[1]}`);
  }
  const isForSession = key !== undefined && sessionKeys.has(key);
  return readAs({
    entries,
    cursor,
    strokes,
    key: isForSession ? undefined : key,
    sessionKey: isForSession ? key : undefined,
  });
}

function keyOf({ type = [], press }: Act): { strokes: readonly Stroke[]; key: string | undefined } {
  if (countStrokes(type) > MOST_STROKES)
    throw new RangeError(`an act types ${MOST_STROKES} characters and keys at most`);
  const last = type.at(-1);
  const typedKey = last !== undefined && 'key' in last && isForHost(last.key) ? last.key : undefined;
  const strokes = typedKey === undefined ? type : type.slice(0, -1);
  const early = strokes.find((stroke) => 'key' in stroke && isForHost(stroke.key));
  if (early !== undefined || (typedKey !== undefined && press !== undefined)) {
    throw new RangeError('an act presses one key that goes to the host, and that last');
  }
  const key = press === undefined ? typedKey : hostKeyNamed(press);
  if (press !== undefined && key === undefined) throw new RangeError(`${press} is no key that goes to the host`);
  return { strokes, key };
}

/**
 * An act without the attention key that ends it, for sessions that inspect the input before the key is pressed.
 * @returns `key` undefined: the act ends with none, or with Attn or SysReq, which bypass the screen
 * @throws RangeError as `prepareAct` does
 */
export function splitAct(act: Act): { readonly input: Act; readonly key: string | undefined } {
  const { strokes, key } = keyOf(act);
  if (key === undefined || sessionKeys.has(key)) return { input: act, key: undefined };
  const { press: _, ...input } = act;
  return { input: { ...input, type: strokes }, key };
}

/** The key that goes to the host, by any of its names: an attention key, Attn or SysReq. */
export function hostKeyNamed(name: string): string | undefined {
  const key = attentionKeyNamed(name) ?? keyNamed(name);
  return key !== undefined && isForHost(key) ? key : undefined;
}

/** Whether a key goes to the host: to its application, or past the screen. */
export function isForHost(key: string): boolean {
  return attentionKeys.has(key) || sessionKeys.has(key);
}

/** What the operator information area says where a terminal refuses what a form would: no room, a character that it has not. */
const codes: Readonly<Record<string, OperatorError>> = {
  tooLong: operatorErrors.overflow,
  untypable: operatorErrors.minusFunction,
  unknownField: operatorErrors.protected,
};

export function refusalOf(
  image: ScreenImage,
  { address, reason }: FormRefusal,
): Extract<ActRefusal, { kind: 'operatorError' }> {
  return {
    kind: 'operatorError',
    code: codes[reason] ?? (reason as OperatorError),
    at: rowAndColumnOf(image, address),
  };
}
