interface JsonBounds {
  /** Arrays and objects within one another. */
  readonly deepest: number;
  /** Values, and names of members. */
  readonly most: number;
}

const QUOTATION_MARK = 0x22;
const BACKSLASH = 0x5c;

/**
 * Whether a text keeps bounds of JSON. JSON.parse takes 0.2 s for 256 KiB of brackets, and an object of that depth cannot be copied
 * to a thread. Looks at each character once, whatever the text is.
 * @param text to be given to JSON.parse afterwards: malformed text can be within the bounds
 */
export function isBoundedJson(text: string, { deepest, most }: JsonBounds): boolean {
  let depth = 0;
  let values = 1;
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case 0x5b: // [
      case 0x7b: // {
        depth++;
        values++;
        if (depth > deepest) return false;
        break;
      case 0x5d: // ]
      case 0x7d: // }
        depth--;
        break;
      case 0x2c: // ,
      case 0x3a: // :
        values++;
        break;
      case QUOTATION_MARK:
        at = lastOfString(text, at);
    }
    if (values > most) return false;
  }
  return true;
}

/** Where the quotation mark stands that ends a string; the end of the text if there is none. */
function lastOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text.charCodeAt(at) !== QUOTATION_MARK) at += text.charCodeAt(at) === BACKSLASH ? 2 : 1;
  return at;
}
