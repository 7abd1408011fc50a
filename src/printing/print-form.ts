/** Where nobody has configured another. */
export const defaultForm: PrintForm = {
  paper: 'A4',
  orientation: 'landscape',
  columns: 132,
  lines: 66,
  marginMillimetres: 10,
};

/** The paper that documents are put on as PDF. */
export interface PrintForm {
  readonly paper: 'A3' | 'A4' | 'A5' | 'LETTER' | 'LEGAL';
  readonly orientation: 'portrait' | 'landscape';
  /** What has to fit on a page: the characters are as large as that allows. */
  readonly columns: number;
  readonly lines: number;
  readonly marginMillimetres: number;
  /** The file of a TrueType or OpenType font with characters of one width; undefined: Courier. */
  readonly font?: string;
}
