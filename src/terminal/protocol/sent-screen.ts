import type { ScreenImage } from '../../tn3270/screen/screen-image.js';
import { areSame, fieldTuples, numbersOfFields, numbersOfRuns, runTuples } from './attribute-numbers.js';
import { encodeMessage } from './encode-message.js';
import type { LockCode } from './lock-code.js';
import type { DifferenceMessage, FieldTuple, RunTuple, TextPiece, WholeScreenMessage } from './server-message.js';
import { SEVERAL_UNITS, type ShownCells, shownCells } from './shown-cells.js';

/** Pieces with fewer positions to leave out between them cost less as one. */
const JOINED_ACROSS = 6;

/** Text of the cells that are not left out, and of a few between them. */
function textPieces({ units, text, wide }: ShownCells, isLeftOut: (at: number) => boolean): TextPiece[] {
  const pieces: TextPiece[] = [];
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
    pieces.push([at, text.slice(at, end)]);
    at = end - 1;
  }
  return pieces;
}

/** What a page is told besides the screen itself. */
export interface ScreenCircumstances {
  readonly lock: LockCode;
  readonly notice: string;
}

const BLANK = 0x20;

/**
 * The screen that one page was sent last, and the messages that make another one of it. It is kept in one piece of memory that is
 * written over: with thousands of pages, a picture for each change would be garbage that only full collections take away.
 */
export class SentScreen {
  /** As those of `ShownCells`, a byte each where that is enough. */
  #units: Uint8Array | Uint16Array = NOTHING;
  /** Characters of several units, by position. */
  #wide: ReadonlyMap<number, string> | undefined;
  #columns = 0;
  #fields: Uint16Array = NOTHING;
  #runs: Uint16Array = NOTHING;
  #revision = -1;
  #lock: LockCode = 2;
  #notice = '';

  /** Whether the page shows this already. */
  shows(revision: number, { lock, notice }: ScreenCircumstances): boolean {
    return this.#revision === revision && this.#lock === lock && this.#notice === notice;
  }

  /** Takes for shown what the page has from before. */
  adopt(image: ScreenImage, circumstances: ScreenCircumstances): void {
    this.#take(
      image,
      shownCells(image.cells, image.nulls),
      circumstances,
      numbersOfFields(image.fields),
      numbersOfRuns(image.runs),
    );
  }

  /** The message that makes the page show an image: what changed (`d`), or all of it (`s`) where that is shorter or the first. */
  update(image: ScreenImage, circumstances: ScreenCircumstances): string {
    const fields = numbersOfFields(image.fields);
    const runs = numbersOfRuns(image.runs);
    const shown = shownCells(image.cells, image.nulls);
    const hasSameFields = areSame(fields, this.#fields);
    let change: string | undefined;
    if (this.#revision >= 0 && this.#units.length === image.cells.length && this.#columns === image.columns) {
      const otherFields = hasSameFields ? undefined : fieldTuples(fields);
      const otherRuns = areSame(runs, this.#runs) ? undefined : runTuples(runs);
      change = encodeMessage(this.#difference(image, shown, circumstances, otherFields, otherRuns));
    }
    this.#take(image, shown, circumstances, fields, runs);
    if (change !== undefined && hasSameFields) return change;
    const whole = encodeMessage(wholeScreen(image, shown, circumstances, fieldTuples(fields), runTuples(runs)));
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
    { units, isLatin, wide }: ShownCells,
    { lock, notice }: ScreenCircumstances,
    fields: Uint16Array,
    runs: Uint16Array,
  ): void {
    const unitBytes = isLatin ? Uint8Array.BYTES_PER_ELEMENT : Uint16Array.BYTES_PER_ELEMENT;
    if (this.#units.length !== units.length || this.#units.BYTES_PER_ELEMENT !== unitBytes) {
      this.#units = isLatin ? new Uint8Array(units.length) : new Uint16Array(units.length);
    }
    this.#units.set(units);
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

/** What is kept, written over where it is as long. */
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
