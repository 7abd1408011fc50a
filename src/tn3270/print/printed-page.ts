import type { PrintStyle } from './print-style.js';

/** Characters of one style that stand side by side. */
export interface PrintedRun {
  /** From 0. */
  readonly column: number;
  readonly text: string;
  readonly style: PrintStyle;
}

/** From left to right; where there is none, the paper is blank. */
export type PrintedLine = readonly PrintedRun[];

/** From top to bottom, up to the last line that has something on it. */
export type PrintedPage = readonly PrintedLine[];

const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]/u;

/** Columns that a character takes: those of double-byte sets take two. */
export function columnsOf(character: string): number {
  return WIDE.test(character) ? 2 : 1;
}

/** Pages as plain text: lines end in LF, pages are separated by FF, styles are left out. */
export function textOfPages(pages: readonly PrintedPage[]): string {
  return pages.map((page) => page.map((line) => `${textOfLine(line)}\n`).join('')).join('\f');
}

function textOfLine(line: PrintedLine): string {
  let text = '';
  let at = 0;
  for (const { column, text: characters } of line) {
    text += ' '.repeat(Math.max(0, column - at)) + characters;
    at = column;
    for (const character of characters) at += columnsOf(character);
  }
  return text.trimEnd();
}
