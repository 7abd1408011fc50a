import type { ScreenImage } from '../screen/screen-image.js';

/** Whether, and why, the keyboard takes nothing: 0 free, 1 the host has it, 2 nobody to type for, an operator error or a program check. */
export type LockState = 0 | 1 | 2 | string;

/** What a page is told besides the screen itself. */
export interface ScreenCircumstances {
  readonly lock: LockState;
  readonly notice: string;
}

/** The right half of a double-byte character: DEL is one byte in JSON, and no screen has it. */
const RIGHT_HALF = 0x7f;
/** A character of more than one UTF-16 unit; which one it is stands beside. */
const SEVERAL_UNITS = 0xffff;
/** Pieces of text with fewer blanks, or unchanged positions, between them cost less as one. */
const JOINED_ACROSS = 6;
const BLANK = 0x20;

/**
 * What one page shows, and the messages that make it show something else. The screen is kept in one piece of memory that is written
 * over: with thousands of pages, a picture for each change would be garbage that only full collections take away.
 */
export class ShownScreen {
  #units = new Uint16Array(0);
  /** Characters of several units, by position. */
  #wide: ReadonlyMap<number, string> = noWideCharacters;
  #columns = 0;
  #fields = '';
  #runs = '';
  #revision = -1;
  #lock: LockState = 2;
  #notice = '';

  /** Whether the page shows this already. */
  shows(revision: number, { lock, notice }: ScreenCircumstances): boolean {
    return this.#revision === revision && this.#lock === lock && this.#notice === notice;
  }

  /** Takes for shown what the page has from before. */
  adopt(image: ScreenImage, circumstances: ScreenCircumstances): void {
    this.#take(image, circumstances, fieldsOf(image), runsOf(image));
  }

  /** The message that makes the page show an image: what changed (`d`), or all of it (`s`) where that is shorter or the first. */
  update(image: ScreenImage, circumstances: ScreenCircumstances): string {
    const base = this.#revision;
    const fields = fieldsOf(image);
    const runs = runsOf(image);
    const isNew = base < 0 || this.#units.length !== image.cells.length || this.#columns !== image.columns;
    const fieldsPart = fields === this.#fields ? '' : `,"f":${fields}`;
    const runsPart = runs === this.#runs ? '' : `,"x":${runs}`;
    let change = '';
    if (!isNew) {
      const pieces = piecesOf(image, (at) => this.#isAt(at, image.cells[at] ?? ''));
      change = `{"k":"d","b":${base},${stateOf(image, circumstances)},"t":${pieces}${fieldsPart}${runsPart}}`;
    }
    this.#take(image, circumstances, fields, runs);
    if (change !== '' && fieldsPart === '') return change;
    const whole = wholeScreen(image, circumstances, fields, runs);
    return change !== '' && change.length < whole.length ? change : whole;
  }

  #isAt(at: number, cell: string): boolean {
    const unit = unitOf(cell);
    return this.#units[at] === unit && (unit !== SEVERAL_UNITS || this.#wide.get(at) === cell);
  }

  #take(image: ScreenImage, { lock, notice }: ScreenCircumstances, fields: string, runs: string): void {
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
    // the strings that are kept stay where they are the same
    if (fields !== this.#fields) this.#fields = fields;
    if (runs !== this.#runs) this.#runs = runs;
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

function wholeScreen(image: ScreenImage, circumstances: ScreenCircumstances, fields: string, runs: string): string {
  const pieces = piecesOf(image, (at) => unitOf(image.cells[at] ?? '') === BLANK);
  const further = `${fields === '[]' ? '' : `,"f":${fields}`}${runs === '[]' ? '' : `,"x":${runs}`}`;
  return `{"k":"s",${stateOf(image, circumstances)},"n":${image.rows},"c":${image.columns},"t":${pieces}${further}}`;
}

function stateOf({ revision, cursor, alarms }: ScreenImage, { lock, notice }: ScreenCircumstances): string {
  const alarm = alarms === 0 ? '' : `,"g":${alarms}`;
  const note = notice === '' ? '' : `,"o":${JSON.stringify(notice)}`;
  return `"r":${revision},"u":${cursor},"l":${JSON.stringify(lock)}${alarm}${note}`;
}

/** Pieces of what is not left out, as JSON. */
function piecesOf({ cells }: ScreenImage, isLeftOut: (at: number) => boolean): string {
  const pieces: string[] = [];
  for (let at = 0; at < cells.length; at++) {
    if (isLeftOut(at)) continue;
    if (isOfSeveralUnits(cells, at)) {
      pieces.push(`[${at},[${JSON.stringify(cells[at])}]]`);
      continue;
    }
    let end = at + 1;
    for (let next = end; next < cells.length && next < end + JOINED_ACROSS; next++) {
      if (isOfSeveralUnits(cells, next)) break;
      if (!isLeftOut(next)) end = next + 1;
    }
    let text = '';
    for (let position = at; position < end; position++) text += cells[position] || RIGHT_HALF_TEXT;
    pieces.push(`[${at},${JSON.stringify(text)}]`);
    at = end - 1;
  }
  return `[${pieces.join(',')}]`;
}

const RIGHT_HALF_TEXT = String.fromCharCode(RIGHT_HALF);

function isOfSeveralUnits(cells: readonly string[], at: number): boolean {
  return (cells[at] ?? '').length > 1;
}

function fieldsOf({ fields }: ScreenImage): string {
  return JSON.stringify(
    fields.map(({ address, attribute, foreground, highlighting, background, validation }) =>
      withoutZeros([
        address,
        attribute & SHOWN_ATTRIBUTE_BITS,
        colour(foreground),
        highlighting & 0x0f,
        colour(background),
        validation,
      ]),
    ),
  );
}

/** Protected, numeric, display, modified. */
const SHOWN_ATTRIBUTE_BITS = 0x3d;

function runsOf({ runs }: ScreenImage): string {
  return JSON.stringify(
    runs.map(({ address, length, foreground, highlighting, background }) =>
      withoutZeros([address, length, colour(foreground), highlighting & 0x0f, colour(background)]),
    ),
  );
}

/** 0 the device's own, 1 blue … 7 white … 15 white, 16 neutral black. */
function colour(value: number): number {
  return value === 0 ? 0 : value & 0x0f || 16;
}

function withoutZeros(values: number[]): number[] {
  let length = values.length;
  while (length > 2 && values[length - 1] === 0) length--;
  return values.slice(0, length);
}
