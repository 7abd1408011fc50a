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
