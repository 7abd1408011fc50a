import { attributeTypes, colours, highlightings } from '../datastream/attributes.js';

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

/** How a character is printed: bits, and a colour in the upper four. 0 is plain. */
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

/** What Set Attribute, in either data stream, makes of a style. Attributes that paper does not show change nothing. */
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

/** Neutral and the colours that a 3287 has no ribbon for are printed black. */
function inkNumber(value: number): number {
  const number = value - colours.neutralBlack;
  return number > 0 && number < inks.length ? number : 0;
}

export function inkOf(style: PrintStyle): InkName {
  return inks[style >> COLOUR_SHIFT] ?? 'black';
}

/** Of a PDF that is made of a text. */
export const MOST_SHEETS = 2_000;
export const TOO_MANY_SHEETS = `the PDF has more than ${MOST_SHEETS} pages`;

/** A page of a text that says itself how it is to be printed; it takes as many sheets as its lines need. */
export interface LaidOutPage {
  readonly lines: readonly string[];
  /** Undefined: as many as the form has room for. */
  readonly linesPerPage: number | undefined;
  /** Lines that stand behind those of the page, on each of its sheets. */
  readonly behind: readonly string[];
  /** Entries of the outline, and the lines that they lead to, from 0. */
  readonly outline: readonly { readonly title: string; readonly line: number }[];
}
