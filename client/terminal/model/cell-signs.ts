/** Special values of a buffer position. The codes are the Unicode controls that correspond to the EBCDIC ones. */
export const NULL = '\u0000';
export const BLANK = ' ';
/** Start and end of a double-byte subfield sent by the host; users cannot type them. */
export const SHIFT_OUT = '\u000e';
export const SHIFT_IN = '\u000f';
export const DUPLICATE = '\u001c';
export const FIELD_MARK = '\u001e';
/** Follows the left half, which holds the character. */
export const RIGHT_HALF = '\u007f';

const signs: Readonly<Record<string, string>> = {
  [NULL]: BLANK,
  [SHIFT_OUT]: BLANK,
  [SHIFT_IN]: BLANK,
  [DUPLICATE]: '*',
  [FIELD_MARK]: ';',
  [RIGHT_HALF]: '',
};

/** Displayed character; `''` for a right half. */
export function shownSign(cell: string): string {
  return signs[cell] ?? cell;
}
