import iconv from 'iconv-lite';

/** Conversion of a page from ISO-8859-1 to UTF-8; `offset` is that of the first byte that is not UTF-8. */
type Conversion =
  | { readonly kind: 'converted'; readonly text: string; readonly offset: number; readonly message: string }
  | { readonly kind: 'refused'; readonly offset: number; readonly message: string };

/** RFC 3629, section 4: a valid UTF-8 sequence of bytes above X'7F', or a single invalid byte. */
const sequenceOrByte =
  /[\xc2-\xdf][\x80-\xbf]|\xe0[\xa0-\xbf][\x80-\xbf]|[\xe1-\xec\xee\xef][\x80-\xbf]{2}|\xed[\x80-\x9f][\x80-\xbf]|\xf0[\x90-\xbf][\x80-\xbf]{2}|[\xf1-\xf3][\x80-\xbf]{3}|\xf4[\x80-\x8f][\x80-\xbf]{2}|[\x80-\xff]/g;
const MOST_COUNTED = 1000;

/**
 * Conversion for SET-OUTPUT-ENCODING-UTF-8 in a file that is not UTF-8. Browsers read ISO-8859-1 as windows-1252
 * (WHATWG Encoding), so the page keeps the characters that it shows without the tag. A file with more UTF-8 sequences
 * than invalid bytes counts as UTF-8 with an error, because a conversion would corrupt every valid character.
 */
export function conversionToUtf8(page: string): Conversion {
  let offset: number | undefined;
  let others = 0;
  let sequences = 0;
  for (const { 0: found, index } of page.matchAll(sequenceOrByte)) {
    if (found.length > 1) sequences += 1;
    else {
      others += 1;
      offset ??= index;
    }
    if (offset !== undefined && sequences + others >= MOST_COUNTED) break;
  }
  // the invalid byte was in the declaration, which is not part of the page
  offset ??= 0;
  const byte = page.charCodeAt(offset).toString(16).toUpperCase();
  if (sequences > others) {
    const message = `the byte X'${byte}' is not UTF-8, unlike most others of this file: save the whole file as UTF-8`;
    return { kind: 'refused', offset, message };
  }
  const message =
    'this byte is not UTF-8: the page is read as ISO-8859-1 and converted for SET-OUTPUT-ENCODING-UTF-8; save the file as UTF-8';
  return { kind: 'converted', text: fromWindows1252(page), offset, message };
}

/** Replaces the charset, because the page may name its original one. */
export function withUtf8Charset(contentType: string): string {
  return /;\s*charset\s*=/i.test(contentType) ? contentType : `${contentType}; charset=UTF-8`;
}

/** Browsers look for `<meta charset>` in the first 1,024 bytes; an XML declaration is at the beginning. */
const SEARCHED = 1024;
const statedInPage = /(?:<\?xml[^>]{0,200}?\sencoding|<meta[^>]{0,200}?charset)\s{0,16}=\s{0,16}["']?([\w.:-]{1,40})/i;
const statedInType = /;\s*charset\s*=\s*"?([\w.:-]{1,40})/i;

/** Place of another encoding named in a UTF-8 page or its content type; undefined if there is none. */
export function otherEncodingOf(
  page: string,
  contentType: string,
): { readonly offset: number; readonly message: string } | undefined {
  for (const found of [statedInPage.exec(page.slice(0, SEARCHED)), statedInType.exec(contentType)]) {
    const name = found?.[1] ?? 'UTF-8';
    if (/^utf-?8$/i.test(name)) continue;
    const offset = found?.input === contentType ? Math.max(0, page.indexOf(contentType)) : (found?.index ?? 0);
    return { offset, message: `this says ${name}, but the page is sent in UTF-8: change it to UTF-8` };
  }
  return undefined;
}

/** Bytes undefined in windows-1252 become control characters, as in browsers. */
function fromWindows1252(page: string): string {
  return page.replace(/[\x80-\x9f]/g, (control) => {
    const character = iconv.decode(Buffer.from(control, 'latin1'), 'windows-1252');
    return character === '\ufffd' ? control : character;
  });
}

/** Inline scripts as parsed by browsers, which convert line breaks to LF and read ISO-8859-1 as windows-1252. */
export function scriptsAsRead(scripts: ReadonlySet<string>, charset: string): ReadonlySet<string> {
  if (scripts.size === 0) return scripts;
  const isLatin1 = charset === 'ISO-8859-1';
  return new Set([...scripts].map((script) => (isLatin1 ? fromWindows1252(script) : script).replace(/\r\n?/g, '\n')));
}
