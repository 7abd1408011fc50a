import type { ShownField } from '../terminal-port.js';
import type { Stretch } from './screen-area.js';
import type { StyleRun } from './style-runs.js';

/** A displayed screen; hidden fields are blank. */
export interface PicturedScreen {
  readonly rows: number;
  readonly columns: number;
  readonly cells: readonly string[];
  readonly fields: readonly ShownField[];
  readonly runs: readonly StyleRun[];
}

export interface KeptScreen extends PicturedScreen {
  /** Counted from 1 for the whole session. */
  readonly number: number;
  /** Time of arrival in milliseconds. */
  readonly at: number;
  readonly key: string | undefined;
}

const MOST_KEPT = 50;
const MOST_KEPT_BYTES = 8_000_000;

/** The screens of a session, in memory: one for each attention key, and those the host sent in between. */
export class ScreenHistory {
  #screens: KeptScreen[] = [];
  #count = 0;
  #isOpen = false;

  /** Oldest first. */
  get screens(): readonly KeptScreen[] {
    return this.#screens;
  }

  /** The host has written. Updates of the current screen do not add an entry. */
  written(picture: PicturedScreen, at: number): void {
    const last = this.#screens.at(-1);
    if (last !== undefined && this.#isOpen && isSameLayout(last, picture)) {
      this.#replaceLast({ ...last, ...picture });
      return;
    }
    // while the keyboard is locked, the server sends the input back
    if (last !== undefined && isSame(last, picture)) return;
    this.#isOpen = true;
    this.#keep({ ...picture, number: ++this.#count, at, key: undefined });
  }

  typed(picture: PicturedScreen): void {
    const last = this.#screens.at(-1);
    if (last !== undefined && this.#isOpen) this.#replaceLast({ ...last, ...picture });
  }

  left(picture: PicturedScreen, key: string, at: number): void {
    const last = this.#screens.at(-1);
    if (last === undefined) return;
    if (this.#isOpen) this.#replaceLast({ ...last, ...picture, key });
    // the host had sent the same screen again
    else if (!isSame(last, picture)) this.#keep({ ...picture, number: ++this.#count, at, key });
    this.#isOpen = false;
  }

  #replaceLast(screen: KeptScreen): void {
    this.#screens = this.#screens.slice(0, -1);
    this.#keep(screen);
  }

  #keep(screen: KeptScreen): void {
    const kept = [...this.#screens, screen].slice(-MOST_KEPT);
    let bytes = kept.reduce((sum, one) => sum + bytesOf(one), 0);
    while (bytes > MOST_KEPT_BYTES && kept.length > 1) bytes -= bytesOf(kept.shift() as KeptScreen);
    this.#screens = kept;
  }
}

function bytesOf({ cells, fields, runs }: PicturedScreen): number {
  return 8 * cells.length + 160 * fields.length + 96 * runs.length;
}

function isSame(one: PicturedScreen, other: PicturedScreen): boolean {
  return isSameLayout(one, other) && one.cells.every((cell, at) => cell === other.cells[at]);
}

function isSameLayout(one: PicturedScreen, other: PicturedScreen): boolean {
  return (
    one.rows === other.rows &&
    one.columns === other.columns &&
    one.fields.length === other.fields.length &&
    one.fields.every(({ address, isProtected }, at) => {
      const field = other.fields[at];
      return field?.address === address && field.isProtected === isProtected;
    })
  );
}

/** Positions where two screens differ; everything if their sizes differ. */
export function differences(one: PicturedScreen, other: PicturedScreen): readonly Stretch[] {
  const isOtherSize = one.rows !== other.rows || one.columns !== other.columns;
  const found: { position: number; length: number }[] = [];
  for (let at = 0; at < other.cells.length; at++) {
    if (!isOtherSize && one.cells[at] === other.cells[at]) continue;
    const last = found.at(-1);
    if (last !== undefined && last.position + last.length === at && at % other.columns !== 0) last.length++;
    else found.push({ position: at, length: 1 });
  }
  return found;
}

export const LONGEST_SOUGHT = 200;
const MOST_FOUND = 1_000;

/** Finds a text within rows, ignoring case. */
export function findText(
  { rows, columns, cells }: Omit<PicturedScreen, 'fields' | 'runs'>,
  sought: string,
): readonly Stretch[] {
  const text = sought.slice(0, LONGEST_SOUGHT).toLocaleLowerCase();
  const found: Stretch[] = [];
  if (text.trim() === '') return found;
  for (let row = 0; row < rows; row++) {
    const start = row * columns;
    let line = '';
    /** Column of each code unit: lower-casing may lengthen the text. */
    const columnOf: number[] = [];
    for (let column = 0; column < columns; column++) {
      const small = (cells[start + column] ?? '').toLocaleLowerCase();
      line += small;
      for (let unit = 0; unit < small.length; unit++) columnOf.push(column);
    }
    for (let at = line.indexOf(text); at >= 0; at = line.indexOf(text, at + text.length)) {
      if (found.length >= MOST_FOUND) return found;
      const first = columnOf[at] ?? 0;
      const behind = columnOf[at + text.length] ?? columns;
      found.push({ position: start + first, length: Math.max(1, behind - first) });
    }
  }
  return found;
}
