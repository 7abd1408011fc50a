/**
 * What a position of the buffer may hold beside a character. The codes are Unicode's for the EBCDIC controls of the same
 * meaning.
 */
export const NULL = '\u0000';
export const BLANK = ' ';
/** Begins and ends a subfield of double-byte characters, where the host sent one; not typed here. */
export const SHIFT_OUT = '\u000e';
export const SHIFT_IN = '\u000f';
export const DUPLICATE = '\u001c';
export const FIELD_MARK = '\u001e';
/** Behind the left half, which holds the character. */
export const RIGHT_HALF = '\u007f';

const signs: Readonly<Record<string, string>> = {
  [NULL]: BLANK,
  [SHIFT_OUT]: BLANK,
  [SHIFT_IN]: BLANK,
  [DUPLICATE]: '*',
  [FIELD_MARK]: ';',
  [RIGHT_HALF]: '',
};

/** What is shown for it: a character, or '' for a right half. */
export function shownSign(cell: string): string {
  return signs[cell] ?? cell;
}
