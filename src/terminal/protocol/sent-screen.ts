import { NULL_SIGN } from '../../lib/text/typed-characters.js';
import type { ImageField, ImageRun, ScreenImage } from '../../tn3270/screen/screen-image.js';
import type { ScreenState } from '../../tn3270/screen/screen-state.js';
import { SEVERAL_UNITS, textOfUnits } from '../../tn3270/screen/screen-text.js';
import { typedRepertoire } from '../../tn3270/screen/typed-repertoire.js';
import {
  type CharactersMessage,
  type DifferenceMessage,
  encodeMessage,
  type FieldTuple,
  type LockCode,
  type RunTuple,
  type TextAt,
  type WholeScreenMessage,
} from './server-message.js';

export interface ScreenCircumstances {
  readonly lock: LockCode;
  readonly notice: string;
}

const BLANK = 0x20;

/**
 * Last screen sent to a page, with the messages that update it. The arrays are overwritten in place: with thousands of
 * pages, a copy for each change would be garbage that only full collections remove.
 */
export class SentScreen {
  /** As in `ShownCells`. */
  #units: Uint8Array | Uint16Array = NOTHING;
  #wide: ReadonlyMap<number, string> | undefined;
  #columns = 0;
  #fields: Uint16Array = NOTHING;
  #runs: Uint16Array = NOTHING;
  #revision = -1;
  #lock: LockCode = 2;
  #notice = '';

  shows(revision: number, { lock, notice }: ScreenCircumstances): boolean {
    return this.#revision === revision && this.#lock === lock && this.#notice === notice;
  }

  /** Records a screen that the page already shows. */
  adopt(image: ScreenImage, circumstances: ScreenCircumstances): void {
    this.#take(image, shownCells(image), circumstances, numbersOfFields(image.fields), numbersOfRuns(image.runs));
  }

  /** Message that updates the page: the changes (`d`), or the whole screen (`s`) if it is shorter or the first. */
  update(image: ScreenImage, circumstances: ScreenCircumstances): string {
    const fields = numbersOfFields(image.fields);
    const runs = numbersOfRuns(image.runs);
    const shown = shownCells(image);
    const hasSameFields = areSame(fields, this.#fields);
    let change: string | undefined;
    if (this.#revision >= 0 && this.#units.length === image.text.length && this.#columns === image.columns) {
      const otherFields = hasSameFields ? undefined : tuples(fields, FIELD_NUMBERS);
      const otherRuns = areSame(runs, this.#runs) ? undefined : tuples(runs, RUN_NUMBERS);
      change = encodeMessage(this.#difference(image, shown, circumstances, otherFields, otherRuns));
    }
    this.#take(image, shown, circumstances, fields, runs);
    if (change !== undefined && hasSameFields) return change;
    const whole = encodeMessage(
      wholeScreen(image, shown, circumstances, tuples(fields, FIELD_NUMBERS), tuples(runs, RUN_NUMBERS)),
    );
    return change !== undefined && change.length < whole.length ? change : whole;
  }

  #difference(
    image: ScreenImage,
    shown: ShownCells,
    circumstances: ScreenCircumstances,
    fields: readonly FieldTuple[] | undefined,
    runs: readonly RunTuple[] | undefined,
  ): DifferenceMessage {
    const { revision } = image;
    return {
      k: 'd',
      b: this.#revision,
      r: revision,
      ...stateOf(image, circumstances),
      e: image.erased > this.#revision ? image.erased : undefined,
      t: textPieces(shown, (at) => this.#shows(at, shown)),
      f: fields,
      x: runs,
    };
  }

  #shows(at: number, { units, wide }: ShownCells): boolean {
    const unit = units[at];
    return this.#units[at] === unit && (unit !== SEVERAL_UNITS || this.#wide?.get(at) === wide.get(at));
  }

  #take(
    image: ScreenImage,
    { units, wide }: ShownCells,
    { lock, notice }: ScreenCircumstances,
    fields: Uint16Array,
    runs: Uint16Array,
  ): void {
    if (this.#units.length !== units.length || this.#units.BYTES_PER_ELEMENT !== units.BYTES_PER_ELEMENT) {
      this.#units = units.slice();
    } else this.#units.set(units);
    this.#wide = wide;
    this.#columns = image.columns;
    this.#fields = written(this.#fields, fields);
    this.#runs = written(this.#runs, runs);
    this.#revision = image.revision;
    this.#lock = lock;
    this.#notice = notice;
  }
}

const NOTHING = new Uint16Array(0);

/** Overwrites the old array if its length matches. */
function written(kept: Uint16Array, numbers: Uint16Array): Uint16Array {
  if (kept.length !== numbers.length) return numbers;
  kept.set(numbers);
  return kept;
}

function stateOf({ cursor, alarms }: ScreenImage, { lock, notice }: ScreenCircumstances) {
  return { u: cursor, l: lock, g: alarms || undefined, o: notice || undefined };
}

function wholeScreen(
  image: ScreenImage,
  shown: ShownCells,
  circumstances: ScreenCircumstances,
  fields: readonly FieldTuple[],
  runs: readonly RunTuple[],
): WholeScreenMessage {
  const { revision, rows, columns } = image;
  return {
    k: 's',
    r: revision,
    n: rows,
    c: columns,
    ...stateOf(image, circumstances),
    e: image.erased || undefined,
    t: textPieces(shown, (at) => shown.units[at] === BLANK),
    f: fields.length === 0 ? undefined : fields,
    x: runs.length === 0 ? undefined : runs,
  };
}

export function charactersMessage({ codePage }: Pick<ScreenState, 'codePage'>): CharactersMessage {
  const { narrow, wide, wideOthers } = typedRepertoire(codePage);
  const w = wide && Buffer.from(wide).toString('base64');
  return { k: 'c', s: narrow, w, x: wideOthers.length === 0 ? undefined : wideOthers };
}

/** Protected, numeric, display, modified. */
const SHOWN_ATTRIBUTE_BITS = 0x3d;
const FIELD_NUMBERS = 7;
const RUN_NUMBERS = 5;

/** Seven numbers per field, including zeros. */
function numbersOfFields(fields: readonly ImageField[]): Uint16Array {
  const numbers = new Uint16Array(fields.length * FIELD_NUMBERS);
  let at = 0;
  for (const { address, attribute, foreground, highlighting, background, validation, doubleByteEntry } of fields) {
    numbers[at++] = address;
    numbers[at++] = attribute & SHOWN_ATTRIBUTE_BITS;
    numbers[at++] = colour(foreground);
    numbers[at++] = highlighting & 0x0f;
    numbers[at++] = colour(background);
    numbers[at++] = validation;
    numbers[at++] = doubleByteEntry;
  }
  return numbers;
}

/** Five numbers per run, including zeros. */
function numbersOfRuns(runs: readonly ImageRun[]): Uint16Array {
  const numbers = new Uint16Array(runs.length * RUN_NUMBERS);
  let at = 0;
  for (const { address, length, foreground, highlighting, background } of runs) {
    numbers[at++] = address;
    numbers[at++] = length;
    numbers[at++] = colour(foreground);
    numbers[at++] = highlighting & 0x0f;
    numbers[at++] = colour(background);
  }
  return numbers;
}

function areSame(one: Uint16Array, other: Uint16Array): boolean {
  return one.length === other.length && one.every((number, at) => number === other[at]);
}

/** 0 default of the device, 1 blue … 7 white … 15 white, 16 neutral black. */
function colour(value: number): number {
  return value === 0 ? 0 : value & 0x0f || 16;
}

/** Each tuple has at least two numbers and no further trailing zeros. */
function tuples(numbers: Uint16Array, width: number): (readonly [number, number, ...number[]])[] {
  const found: [number, number, ...number[]][] = [];
  for (let start = 0; start < numbers.length; start += width) {
    let end = start + width;
    while (end > start + 2 && numbers[end - 1] === 0) end--;
    // allocated at its final length, because a growing array reserves 17 more elements
    const tuple = new Array<number>(end - start) as [number, number, ...number[]];
    for (let at = start; at < end; at++) tuple[at - start] = numbers[at] ?? 0;
    found.push(tuple);
  }
  return found;
}

const NULL = NULL_SIGN.charCodeAt(0);

interface ShownCells {
  /** One UTF-16 unit per position, as in `ScreenText`; nulls before text are `NULL`. */
  readonly units: Uint8Array | Uint16Array;
  /** The units as a string, which is sliced without copies. */
  readonly unitText: string;
  /** Characters of several UTF-16 units, by position. */
  readonly wide: ReadonlyMap<number, string>;
}

function shownCells({ text, nulls }: ScreenImage): ShownCells {
  if (nulls === undefined) return text;
  const units = text.units.slice();
  for (const at of nulls) units[at] = NULL;
  return { units, unitText: textOfUnits(units), wide: text.wide };
}

/** Pieces separated by fewer positions are shorter as one. */
const JOINED_ACROSS = 6;

/** Text pieces of the cells that are not omitted. Pieces with short gaps are joined. */
function textPieces({ units, unitText, wide }: ShownCells, isLeftOut: (at: number) => boolean): TextAt[] {
  const pieces: TextAt[] = [];
  for (let at = 0; at < units.length; at++) {
    if (isLeftOut(at)) continue;
    if (units[at] === SEVERAL_UNITS) {
      pieces.push([at, [wide.get(at) ?? '']]);
      continue;
    }
    let end = at + 1;
    for (let next = end; next < units.length && next < end + JOINED_ACROSS; next++) {
      if (units[next] === SEVERAL_UNITS) break;
      if (!isLeftOut(next)) end = next + 1;
    }
    pieces.push([at, unitText.slice(at, end)]);
    at = end - 1;
  }
  return pieces;
}
