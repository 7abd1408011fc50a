import { NULL_SIGN } from '../../lib/text/typed-characters.js';
import { RIGHT_HALF_SIGN } from './cell-signs.js';

/** In `units`: a character of more than one UTF-16 unit; which one it is stands beside. */
export const SEVERAL_UNITS = 0xffff;
const RIGHT_HALF = RIGHT_HALF_SIGN.charCodeAt(0);
const NULL = NULL_SIGN.charCodeAt(0);
const LARGEST_LATIN = 0xff;

/** What each position of a screen shows. */
export interface ShownCells {
  /** A UTF-16 unit for each position. Written over by the next screen that is looked at. */
  readonly units: Uint16Array;
  /** The units as a text, from which pieces are cut without copying any. */
  readonly text: string;
  /** Whether each unit fits into a byte. */
  readonly isLatin: boolean;
  /** Characters of several units, by position. */
  readonly wide: ReadonlyMap<number, string>;
}

/** One for all screens: text that is put together of thousands of characters for each is garbage of many times its size. */
let scratch = new Uint16Array(0);
let scratchBytes = Buffer.alloc(0);

/** @param nulls positions that are nulls and show as blanks */
export function shownCells(cells: readonly string[], nulls: readonly number[] = []): ShownCells {
  if (scratch.length < cells.length) {
    scratch = new Uint16Array(cells.length);
    scratchBytes = Buffer.alloc(cells.length);
  }
  const units = scratch.subarray(0, cells.length);
  let largest = 0;
  let wide: Map<number, string> | undefined;
  for (let at = 0; at < cells.length; at++) {
    const cell = cells[at] ?? '';
    const unit = unitOf(cell);
    units[at] = unit;
    if (unit > largest) largest = unit;
    if (unit === SEVERAL_UNITS) {
      wide ??= new Map();
      wide.set(at, cell);
    }
  }
  for (const at of nulls) units[at] = NULL;
  const isLatin = largest <= LARGEST_LATIN;
  return { units, text: isLatin ? latinText(units) : wideText(units), isLatin, wide: wide ?? noWideCharacters };
}

const noWideCharacters: ReadonlyMap<number, string> = new Map();

function unitOf(cell: string): number {
  if (cell.length === 1) return cell.charCodeAt(0);
  return cell === '' ? RIGHT_HALF : SEVERAL_UNITS;
}

function latinText(units: Uint16Array): string {
  scratchBytes.set(units);
  return scratchBytes.toString('latin1', 0, units.length);
}

function wideText({ buffer, byteOffset, byteLength }: Uint16Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString('utf16le');
}
