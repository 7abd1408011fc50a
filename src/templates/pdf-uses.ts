/** Of the tags of reference 2.11 that begin with PDF-: printed in the page, a document is a PDF of the page's text. */
export interface PdfUses {
  /** Of PDF-LINES-PER-PAGE; undefined: as many as the form has room for. */
  readonly linesPerPage: number | undefined;
  /** The same between PDF-NEW-DOCOPT and the next PDF-NEW-…, by the number of PDF-NEW-DOCOPT. */
  readonly options: ReadonlyMap<number, number | undefined>;
  /** PDF-VARIABLE: a scenario that renders the page as lines gets a PDF. */
  readonly isVariable: boolean;
}

/** Where a tag of reference 2.11 has acted on the text of a page. */
export type PdfMark =
  | { readonly kind: 'newLayout' | 'useLayout' | 'useOptions'; readonly number: number }
  | { readonly kind: 'newOptions' | 'newInput' | 'outline' };

export type PlacedPdfMark = PdfMark & {
  /** Offset in the text. */
  readonly at: number;
};
