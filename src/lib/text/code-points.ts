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
