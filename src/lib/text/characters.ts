/** Index `count` code points after `from`, at most the end of the text. */
export function codePointsFurther(text: string, from: number, count: number): number {
  let at = from;
  for (let passed = 0; passed < count && at < text.length; passed++) at += unitsAt(text, at);
  return at;
}

/** Area lengths count code points, so that no character is split. */
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

/** iconv-lite would write two `?` for an astral character, one per UTF-16 unit. */
export function forSingleByteCharset(text: string): string {
  return text.replace(PAIRS, '?');
}

function unitsAt(text: string, at: number): 1 | 2 {
  return (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
}

/** DEL, C1 control codes and bidirectional controls. JSON escapes C0 codes. */
const TERMINAL_CODES = /[\u007f-\u009f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g;

export function withoutTerminalCodes(line: string): string {
  if (line.search(TERMINAL_CODES) < 0) return line;
  return line.replace(TERMINAL_CODES, (code) => `\\u${code.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Escapes control codes and line breaks as JSON does, but not quotation marks. */
export function printable(text: string): string {
  return withoutTerminalCodes(JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"'));
}

const UTF8_MARK = Buffer.from('\ufeff');

export function withoutByteOrderMark(bytes: Buffer): Buffer {
  return bytes.subarray(0, UTF8_MARK.length).equals(UTF8_MARK) ? bytes.subarray(UTF8_MARK.length) : bytes;
}

/** Unchanged if the capital has another length (ß). */
export function capitalOf(character: string): string {
  const upper = character.toUpperCase();
  return upper.length === character.length ? upper : character;
}

/** Unchanged if the small letter has another length (İ). */
export function smallOf(character: string): string {
  const lower = character.toLowerCase();
  return lower.length === character.length ? lower : character;
}
