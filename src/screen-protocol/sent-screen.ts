import type { ScreenImage } from '../screen/screen-image.js';
import { areSame, fieldTuples, numbersOfFields, numbersOfRuns, runTuples } from './attribute-numbers.js';
import { encodeMessage } from './encode-message.js';
import type { LockCode } from './lock-code.js';
import { RIGHT_HALF_SIGN } from './right-half.js';
import type { DifferenceMessage, FieldTuple, RunTuple, WholeScreenMessage } from './server-message.js';
import { textPieces } from './text-pieces.js';

/** What a page is told besides the screen itself. */
export interface ScreenCircumstances {
  readonly lock: LockCode;
  readonly notice: string;
}

const RIGHT_HALF = RIGHT_HALF_SIGN.charCodeAt(0);
/** A character of more than one UTF-16 unit; which one it is stands beside. */
const SEVERAL_UNITS = 0xffff;
const BLANK = 0x20;

/**
 * The screen that one page was sent last, and the messages that make another one of it. It is kept in one piece of memory that is
 * written over: with thousands of pages, a picture for each change would be garbage that only full collections take away.
 */
export class SentScreen {
  #units = new Uint16Array(0);
  /** Characters of several units, by position. */
  #wide: ReadonlyMap<number, string> = noWideCharacters;
  #columns = 0;
  #fields: Uint16Array = new Uint16Array(0);
  #runs: Uint16Array = new Uint16Array(0);
  #revision = -1;
  #lock: LockCode = 2;
  #notice = '';

  /** Whether the page shows this already. */
  shows(revision: number, { lock, notice }: ScreenCircumstances): boolean {
    return this.#revision === revision && this.#lock === lock && this.#notice === notice;
  }

  /** Takes for shown what the page has from before. */
  adopt(image: ScreenImage, circumstances: ScreenCircumstances): void {
    this.#take(image, circumstances, numbersOfFields(image.fields), numbersOfRuns(image.runs));
  }

  /** The message that makes the page show an image: what changed (`d`), or all of it (`s`) where that is shorter or the first. */
  update(image: ScreenImage, circumstances: ScreenCircumstances): string {
    const fields = numbersOfFields(image.fields);
    const runs = numbersOfRuns(image.runs);
    const hasSameFields = areSame(fields, this.#fields);
    let change: string | undefined;
    if (this.#revision >= 0 && this.#units.length === image.cells.length && this.#columns === image.columns) {
      const otherFields = hasSameFields ? undefined : fieldTuples(fields);
      const otherRuns = areSame(runs, this.#runs) ? undefined : runTuples(runs);
      change = encodeMessage(this.#difference(image, circumstances, otherFields, otherRuns));
    }
    this.#take(image, circumstances, fields, runs);
    if (change !== undefined && hasSameFields) return change;
    const whole = encodeMessage(wholeScreen(image, circumstances, fieldTuples(fields), runTuples(runs)));
    return change !== undefined && change.length < whole.length ? change : whole;
  }

  #difference(
    image: ScreenImage,
    circumstances: ScreenCircumstances,
    fields: readonly FieldTuple[] | undefined,
    runs: readonly RunTuple[] | undefined,
  ): DifferenceMessage {
    const { revision, cells } = image;
    return {
      k: 'd',
      b: this.#revision,
      r: revision,
      ...stateOf(image, circumstances),
      t: textPieces(cells, (at) => this.#isAt(at, cells[at] ?? '')),
      f: fields,
      x: runs,
    };
  }

  #isAt(at: number, cell: string): boolean {
    const unit = unitOf(cell);
    return this.#units[at] === unit && (unit !== SEVERAL_UNITS || this.#wide.get(at) === cell);
  }

  #take(image: ScreenImage, { lock, notice }: ScreenCircumstances, fields: Uint16Array, runs: Uint16Array): void {
    const { cells } = image;
    if (this.#units.length !== cells.length) this.#units = new Uint16Array(cells.length);
    let wide: Map<number, string> | undefined;
    for (let at = 0; at < cells.length; at++) {
      const cell = cells[at] ?? '';
      const unit = unitOf(cell);
      this.#units[at] = unit;
      if (unit === SEVERAL_UNITS) {
        wide ??= new Map();
        wide.set(at, cell);
      }
    }
    this.#wide = wide ?? noWideCharacters;
    this.#columns = image.columns;
    // what is kept stays where it is the same
    if (!areSame(fields, this.#fields)) this.#fields = fields;
    if (!areSame(runs, this.#runs)) this.#runs = runs;
    this.#revision = image.revision;
    this.#lock = lock;
    this.#notice = notice;
  }
}

const noWideCharacters: ReadonlyMap<number, string> = new Map();

function unitOf(cell: string): number {
  if (cell.length === 1) return cell.charCodeAt(0);
  return cell === '' ? RIGHT_HALF : SEVERAL_UNITS;
}

function stateOf({ cursor, alarms }: ScreenImage, { lock, notice }: ScreenCircumstances) {
  return { u: cursor, l: lock, g: alarms || undefined, o: notice || undefined };
}

function wholeScreen(
  image: ScreenImage,
  circumstances: ScreenCircumstances,
  fields: readonly FieldTuple[],
  runs: readonly RunTuple[],
): WholeScreenMessage {
  const { revision, rows, columns, cells } = image;
  return {
    k: 's',
    r: revision,
    n: rows,
    c: columns,
    ...stateOf(image, circumstances),
    t: textPieces(cells, (at) => unitOf(cells[at] ?? '') === BLANK),
    f: fields.length === 0 ? undefined : fields,
    x: runs.length === 0 ? undefined : runs,
  };
}
