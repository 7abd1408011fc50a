import { type ReadOutcome, readAs, readFault } from '../../lib/read-outcome.js';
import { attentionKeyNamed, attentionKeys } from '../keyboard/attention-keys.js';
import { keyNames } from '../keyboard/key-names.js';
import { type OperatorError, operatorErrors } from '../keyboard/operator-errors.js';
import type { FormRefusal } from '../screen/form-entry.js';
import type { Operation, Stroke } from '../screen/operation.js';
import type { RowAndColumn } from '../screen/screen-condition.js';
import type { ImageField, ScreenImage } from '../screen/screen-image.js';
import { inputFields, positionOf, rowAndColumnOf, rowTexts } from './displayed-text.js';

/** The text must not appear in any error. */
type Fill = FieldTarget & { readonly text: string };

/** Input to a screen, applied in this order, completely or not at all. */
export interface Act {
  readonly fill?: readonly Fill[];
  readonly cursor?: RowAndColumn;
  /** Typed at the cursor; see `readStrokes`. The last key may be an attention key. */
  readonly type?: readonly Stroke[];
  /** Key sent to the host, by any of its names: Enter, PF8, Attn. */
  readonly press?: string;
}

export type ActRefusal =
  /** The keyboard is locked, or there is no host. */
  | { readonly kind: 'locked' }
  | { readonly kind: 'notThere'; readonly differs: string }
  /** The terminal rejects the input. The code is the name of the symbol in the operator information area. */
  | { readonly kind: 'operatorError'; readonly code: OperatorError; readonly at: RowAndColumn };

const sessionKeys: ReadonlySet<string> = new Set(['Attn', 'SysReq']);

export interface PreparedAct extends Operation {
  readonly sessionKey: string | undefined;
}

/**
 * @returns the operation, or a description of the missing field or place
 * @throws RangeError if the act is not valid: unknown key, two keys for the host, or too much text
 */
export function prepareAct(image: ScreenImage, act: Act): ReadOutcome<PreparedAct> {
  const { strokes, key } = keyOf(act);
  const entries = [];
  for (const fill of act.fill ?? []) {
    const address = findInputField(image, fill);
    if (address.kind === 'fault') return address;
    // marked as modified even if the text is unchanged, as if an operator typed it
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
    throw new RangeError(`an act can type at most ${MOST_STROKES} characters and keys`);
  const last = type.at(-1);
  const typedKey = last !== undefined && 'key' in last && isForHost(last.key) ? last.key : undefined;
  const strokes = typedKey === undefined ? type : type.slice(0, -1);
  const early = strokes.find((stroke) => 'key' in stroke && isForHost(stroke.key));
  if (early !== undefined || (typedKey !== undefined && press !== undefined)) {
    throw new RangeError('an act can press only one key that goes to the host, as its last key');
  }
  const key = press === undefined ? typedKey : hostKeyNamed(press);
  if (press !== undefined && key === undefined) throw new RangeError(`${press} is not a key that goes to the host`);
  return { strokes, key };
}

/**
 * Separates the attention key from an act, for sessions that inspect the input first. `key` is undefined without a key,
 * and for Attn and SysReq, which send no screen data.
 */
export function splitAct(act: Act): { readonly input: Act; readonly key: string | undefined } {
  const { strokes, key } = keyOf(act);
  if (key === undefined || sessionKeys.has(key)) return { input: act, key: undefined };
  const { press: _, ...input } = act;
  return { input: { ...input, type: strokes }, key };
}

export function hostKeyNamed(name: string): string | undefined {
  const key = attentionKeyNamed(name) ?? keyNamed(name);
  return key !== undefined && isForHost(key) ? key : undefined;
}

export function isForHost(key: string): boolean {
  return attentionKeys.has(key) || sessionKeys.has(key);
}

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

type FieldTarget = { readonly at: RowAndColumn } | { readonly label: string };

const leaders = /^[\s.:=>\-_·…]*$/u;
const isOfWord = (character: string | undefined) => character !== undefined && /[\p{L}\p{N}]/u.test(character);

/**
 * A label must be displayed completely in one row. Only leaders may separate it from a field right of it. A field below
 * it must be in the next row and overlap its columns. A label with several fields is rejected, because any choice could
 * be wrong.
 * @returns the position of the first character, or the reason why no field was found
 */
function findInputField(image: ScreenImage, target: FieldTarget): ReadOutcome<number> {
  return 'at' in target ? fieldFrom(image, target.at) : labelledField(image, target.label);
}

function fieldFrom(image: ScreenImage, place: RowAndColumn): ReadOutcome<number> {
  const position = positionOf(image, place);
  if (position === undefined) return readFault(`the screen has no row ${place[0]}, column ${place[1]}`);
  if (!image.formatted || inputFields(image).some((field) => startOf(image, field) === position))
    return readAs(position);
  return readFault(`no input field begins at row ${place[0]}, column ${place[1]}`);
}

function labelledField(image: ScreenImage, label: string): ReadOutcome<number> {
  const inputs = inputFields(image);
  const right = new Set<number>();
  const below = new Set<number>();
  for (const { start, end } of occurrences(image, label)) {
    const beside = inputs
      .map((field) => startOf(image, field))
      .find((at) => at >= end && rowOf(image, at) === rowOf(image, start));
    if (beside !== undefined && leaders.test(image.text.slice(end, beside))) {
      right.add(beside);
      continue;
    }
    const [under, underEnd] = [start + image.columns, end + image.columns];
    for (const field of inputs) {
      const first = startOf(image, field);
      const isUnder = rowOf(image, first) === rowOf(image, under) && first < underEnd && first + field.length > under;
      if (isUnder) below.add(first);
    }
  }
  const found = [...(right.size > 0 ? right : below)];
  if (found.length === 1) return readAs(found[0] as number);
  const words = JSON.stringify(label);
  if (found.length === 0) return readFault(`there is no input field right of, or below, ${words}`);
  const places = found.map((at) => rowAndColumnOf(image, at)).map(([row, column]) => `row ${row}, column ${column}`);
  return readFault(`there are several input fields right of, or below, ${words}: ${places.slice(0, 5).join('; ')}`);
}

function* occurrences(image: ScreenImage, label: string): Generator<{ readonly start: number; readonly end: number }> {
  if (label.trim() === '') return;
  for (const [row, rowText] of rowTexts(image).entries()) {
    if (!rowText.includes(label)) continue;
    const { text, cellOf } = rowOfCells(image, row, rowText);
    for (let at = text.indexOf(label); at >= 0; at = text.indexOf(label, at + 1)) {
      const behind = at + label.length;
      if (isOfWord(label[0]) && isOfWord(text[at - 1])) continue;
      if (isOfWord(label.at(-1)) && isOfWord(text[behind])) continue;
      yield { start: cellOf(at), end: cellOf(behind - 1) + 1 };
    }
  }
}

/** Text of a row, and the position of each of its code units. They differ if the row has double-byte characters. */
function rowOfCells(image: ScreenImage, row: number, rowText: string) {
  const { columns } = image;
  const first = row * columns;
  if (image.text.isSimple) return { text: rowText, cellOf: (at: number) => first + at };
  let text = '';
  const positions: number[] = [];
  for (let at = first; at < first + columns; at++) {
    for (const unit of image.text.cellAt(at).split('')) {
      text += unit;
      positions.push(at);
    }
  }
  return { text, cellOf: (at: number) => positions[at] as number };
}

function startOf({ text }: ScreenImage, { address }: ImageField): number {
  return (address + 1) % text.length;
}

function rowOf({ columns }: ScreenImage, position: number): number {
  return Math.floor(position / columns);
}

export const MOST_STROKES = 2_000;

/** Keys by each of their names in lower case, including those of HAScript and ECL. */
const keys: ReadonlyMap<string, string> = new Map([
  ...keyNames.flatMap(([key, step]) => [key, step].map((name): [string, string] => [name.toLowerCase(), key])),
  ['eof', 'FieldEnd'],
  ['erinp', 'EraseInput'],
]);

/** Finds a key by any of its names, in upper or lower case: `Delete`, `Del`, `PF3`, `ENTER`. */
export function keyNamed(name: string): string | undefined {
  return keys.get(name.toLowerCase());
}

/**
 * Reads a text with keys in brackets: `[delete][tab]s[pf18]`. `[[` is a bracket. For text from outside, use a
 * stroke with `text` instead.
 * @returns strokes, or a description of the fault
 */
export function readStrokes(text: string): ReadOutcome<readonly Stroke[]> {
  const strokes: Stroke[] = [];
  let plain = '';
  const flush = () => {
    if (plain !== '') strokes.push({ text: plain });
    plain = '';
  };
  for (const [part, word] of text.matchAll(/\[\[|\[([^[\]]*)\]|[^[]+|\[/g)) {
    if (part === '[[') plain += '[';
    else if (part === '[') return readFault('a bracket is not closed; [[ types one');
    else if (word === undefined) plain += part;
    else {
      const key = keyNamed(word);
      if (key === undefined) return readFault(`there is no key [${word}]; [[ types a bracket`);
      flush();
      strokes.push({ key });
    }
  }
  flush();
  return readAs(strokes);
}

export function countStrokes(strokes: readonly Stroke[]): number {
  return strokes.reduce((count, stroke) => count + ('text' in stroke ? stroke.text.length : 1), 0);
}
