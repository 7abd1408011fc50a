/** Where the code point stands that is `count` code points behind the one at `from`; at most the end of the text. */
export function codePointsFurther(text: string, from: number, count: number): number {
  let at = from;
  for (let passed = 0; passed < count && at < text.length; passed++) at += unitsAt(text, at);
  return at;
}

/** The first `count` code points; lengths of areas count these, so that no character is cut in two. */
export function firstCodePoints(text: string, count: number): string {
  return text.length <= count ? text : text.slice(0, codePointsFurther(text, 0, count));
}

export function codePointCount(text: string): number {
  let count = 0;
  for (let at = 0; at < text.length; at += unitsAt(text, at)) count++;
  return count;
}

export function withoutTrailingBlanks(text: string): string {
  let end = text.length;
  while (end > 0 && text.charCodeAt(end - 1) === 0x20) end--;
  return text.slice(0, end);
}

const PAIRS = /[\u{10000}-\u{10ffff}]/gu;

/** What no single-byte charset has as one `?`: iconv-lite writes two, one for each UTF-16 unit. */
export function forSingleByteCharset(text: string): string {
  return text.replace(PAIRS, '?');
}

function unitsAt(text: string, at: number): 1 | 2 {
  return (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
}

/** DEL, the C1 control codes, and what turns the direction of text; JSON escapes the C0 codes by itself. */
const TERMINAL_CODES = /[\u007f-\u009f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g;

/** The same JSON, with nothing in it that a terminal would obey. */
export function withoutTerminalCodes(line: string): string {
  if (line.search(TERMINAL_CODES) < 0) return line;
  return line.replace(TERMINAL_CODES, (code) => `\\u${code.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** In one line, and with nothing in it that a terminal would obey: what JSON escapes in a string; quotation marks stay. */
export function printable(text: string): string {
  return withoutTerminalCodes(JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"'));
}

const UTF8_MARK = Buffer.from('\ufeff');

/** UTF-8 without the mark that editors put in front of it. */
export function withoutByteOrderMark(bytes: Buffer): Buffer {
  return bytes.subarray(0, UTF8_MARK.length).equals(UTF8_MARK) ? bytes.subarray(UTF8_MARK.length) : bytes;
}

/** The capital of one character; one that has none of the same length (ß) stays. */
export function capitalOf(character: string): string {
  const upper = character.toUpperCase();
  return upper.length === character.length ? upper : character;
}

/** The small letter of one character; one that has none of the same length (İ) stays. */
export function smallOf(character: string): string {
  const lower = character.toLowerCase();
  return lower.length === character.length ? lower : character;
}
