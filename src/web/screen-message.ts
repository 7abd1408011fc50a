import type { ScreenImage } from '../screen/screen-image.js';

/** Whether, and why, the keyboard takes nothing: 0 free, 1 the host has it, 2 nobody to type for, or an operator error. */
export type LockState = 0 | 1 | 2 | string;

/**
 * A screen as a socket has sent it, small enough to keep one for each socket. Fields and runs are kept as the JSON they were sent
 * as: to compare and to send is all that is done with them.
 */
export interface ScreenPicture {
  readonly revision: number;
  readonly rows: number;
  readonly columns: number;
  readonly cursor: number;
  readonly lock: LockState;
  readonly alarms: number;
  readonly notice: string;
  /** One UTF-16 unit for each position; the cells themselves where a character takes two. */
  readonly cells: string | readonly string[];
  readonly fields: string;
  readonly runs: string;
}

/** The right half of a double-byte character: DEL is one byte in JSON, and no screen has it. */
const RIGHT_HALF = '\u007f';
/** Pieces of text with fewer blanks, or unchanged positions, between them cost less as one. */
const JOINED_ACROSS = 6;

export function takePicture(image: ScreenImage, lock: LockState, notice: string): ScreenPicture {
  return {
    revision: image.revision,
    rows: image.rows,
    columns: image.columns,
    cursor: image.cursor,
    lock,
    alarms: image.alarms,
    notice,
    cells: cellsOf(image.cells),
    fields: JSON.stringify(
      image.fields.map(({ address, attribute, foreground, highlighting, background, validation }) =>
        withoutZeros([
          address,
          attribute & 0x3d,
          colour(foreground),
          highlighting & 0x0f,
          colour(background),
          validation,
        ]),
      ),
    ),
    runs: JSON.stringify(
      image.runs.map(({ address, length, foreground, highlighting, background }) =>
        withoutZeros([address, length, colour(foreground), highlighting & 0x0f, colour(background)]),
      ),
    ),
  };
}

/** The whole screen (`s`). */
export function wholeScreen(picture: ScreenPicture): string {
  const { cells, rows, columns, fields, runs } = picture;
  const pieces = piecesOf(cells, 0, (at) => cells[at] === ' ');
  const further = `${fields === '[]' ? '' : `,"f":${fields}`}${runs === '[]' ? '' : `,"x":${runs}`}`;
  return `{"k":"s",${stateOf(picture)},"n":${rows},"c":${columns},"t":${pieces}${further}}`;
}

/**
 * What makes the later picture of the earlier one (`d`), or the whole screen where that is shorter or the sizes differ.
 */
export function screenChange(earlier: ScreenPicture, later: ScreenPicture): string {
  const whole = () => wholeScreen(later);
  if (earlier.rows !== later.rows || earlier.columns !== later.columns) return whole();
  const pieces = piecesOf(later.cells, 0, (at) => earlier.cells[at] === later.cells[at]);
  const fields = earlier.fields === later.fields ? '' : `,"f":${later.fields}`;
  const runs = earlier.runs === later.runs ? '' : `,"x":${later.runs}`;
  const change = `{"k":"d","b":${earlier.revision},${stateOf(later)},"t":${pieces}${fields}${runs}}`;
  if (fields === '') return change;
  const screen = whole();
  return screen.length <= change.length ? screen : change;
}

function stateOf({ revision, cursor, lock, alarms, notice }: ScreenPicture): string {
  const alarm = alarms === 0 ? '' : `,"g":${alarms}`;
  const note = notice === '' ? '' : `,"o":${JSON.stringify(notice)}`;
  return `"r":${revision},"u":${cursor},"l":${JSON.stringify(lock)}${alarm}${note}`;
}

/** Pieces of what is not left out, as JSON. */
function piecesOf(cells: ScreenPicture['cells'], from: number, isLeftOut: (at: number) => boolean): string {
  const pieces: string[] = [];
  const length = cells.length;
  for (let at = from; at < length; at++) {
    if (isLeftOut(at)) continue;
    if ((cells[at] ?? '').length > 1) {
      pieces.push(`[${at},[${JSON.stringify(cells[at])}]]`);
      continue;
    }
    let end = at + 1;
    for (let next = end; next < length && next < end + JOINED_ACROSS; next++) {
      if ((cells[next] ?? '').length > 1) break;
      if (!isLeftOut(next)) end = next + 1;
    }
    let text = '';
    for (let position = at; position < end; position++) text += cells[position];
    pieces.push(`[${at},${JSON.stringify(text)}]`);
    at = end - 1;
  }
  return `[${pieces.join(',')}]`;
}

function cellsOf(cells: readonly string[]): string | readonly string[] {
  const marked = cells.includes('') ? cells.map((cell) => (cell === '' ? RIGHT_HALF : cell)) : cells;
  const text = marked.join('');
  return text.length === cells.length ? text : marked;
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
