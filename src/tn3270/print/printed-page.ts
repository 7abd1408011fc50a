import { attributeTypes, colours, highlightings } from '../datastream/attributes.js';

export interface PrintedRun {
  /** From 0. */
  readonly column: number;
  readonly text: string;
  readonly style: PrintStyle;
}

/** From left to right; the paper is blank between runs. */
export type PrintedLine = readonly PrintedRun[];

/** From top to bottom, up to the last line that is not blank. */
export type PrintedPage = readonly PrintedLine[];

const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]/u;

export function columnsOf(character: string): number {
  return WIDE.test(character) ? 2 : 1;
}

/** Pages as plain text: lines end in LF, FF separates pages, styles are omitted. */
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

/** Style bits, and a colour in the upper four. 0 is plain. */
export type PrintStyle = number;

export const printStyles = { plain: 0x00, bold: 0x01, underscore: 0x02, reverse: 0x04 } as const;

const HIGHLIGHTS = printStyles.bold | printStyles.underscore | printStyles.reverse;
const COLOUR_SHIFT = 4;

const styleOfHighlighting: Readonly<Record<number, PrintStyle>> = {
  [highlightings.intensify]: printStyles.bold,
  [highlightings.underscore]: printStyles.underscore,
  [highlightings.reverse]: printStyles.reverse,
};

export type InkName = 'black' | 'blue' | 'red' | 'pink' | 'green' | 'turquoise' | 'yellow';

const inks: readonly InkName[] = ['black', 'blue', 'red', 'pink', 'green', 'turquoise', 'yellow'];

/** Applies Set Attribute of either data stream to a style. Attributes that have no effect on paper are ignored. */
export function withAttribute(style: PrintStyle, type: number, value: number): PrintStyle {
  switch (type) {
    case attributeTypes.resetAll:
      return printStyles.plain;
    case attributeTypes.highlighting:
      return (style & ~HIGHLIGHTS) | (styleOfHighlighting[value] ?? printStyles.plain);
    case attributeTypes.foreground:
      return (style & HIGHLIGHTS) | (inkNumber(value) << COLOUR_SHIFT);
    default:
      return style;
  }
}

/** Neutral, and colours for which a 3287 has no ribbon, are printed black. */
function inkNumber(value: number): number {
  const number = value - colours.neutralBlack;
  return number > 0 && number < inks.length ? number : 0;
}

export function inkOf(style: PrintStyle): InkName {
  return inks[style >> COLOUR_SHIFT] ?? 'black';
}

export const MOST_SHEETS = 2_000;
export const TOO_MANY_SHEETS = `the PDF has more than ${MOST_SHEETS} pages`;

/** A page of text with its own layout. It is printed on as many sheets as its lines need. */
export interface LaidOutPage {
  readonly lines: readonly string[];
  /** Undefined: as many as fit. */
  readonly linesPerPage: number | undefined;
  /** Lines printed after those of the page, on each of its sheets. */
  readonly behind: readonly string[];
  /** Entries of the outline and their target lines, counted from 0. */
  readonly outline: readonly { readonly title: string; readonly line: number }[];
}
