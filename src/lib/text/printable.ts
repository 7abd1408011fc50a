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
