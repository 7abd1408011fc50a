import iconv from 'iconv-lite';
import { forSingleByteCharset } from '../lib/text/characters.js';
import { atOnce, type RestingWork } from '../lib/turns/work-in-turns.js';
import type { CodePage } from '../tn3270/codepage/code-page.js';
import { isAmbiguousCodePageName } from '../tn3270/codepage/code-page-names.js';
import { findCodePage } from '../tn3270/codepage/code-pages.js';

/**
 * One value of a scenario variable: text, or bytes that say how they are to be read.
 *
 * Constants, parameters and mapped records are text. The body of a reply, a rendered file and the result of
 * `CONVERT$ …-TO-EBCDIC` are bytes. Keeping the encoding beside the bytes means that a value reads as the same
 * characters wherever it is used, whether or not the scenario converted it before.
 */
export type Value = string | EncodedBytes;

interface EncodedBytes {
  readonly bytes: Uint8Array;
  /** A name that iconv-lite knows; the EBCDIC code pages are registered with it. */
  readonly encoding: string;
  /** The decoded text of the bytes, if already known. */
  readonly text?: string;
  /** The text that was converted into the bytes, where their code page lacks some of it. */
  readonly original?: string;
}

/** ASCII text in a code page that has all of ASCII: reads as it was, so that its bytes are made only if they are sent. */
class EncodedAscii implements EncodedBytes {
  #bytes: Uint8Array | undefined;

  constructor(
    readonly text: string,
    readonly encoding: string,
    readonly page: CodePage,
  ) {}

  get bytes(): Uint8Array {
    this.#bytes ??= this.page.encode(this.text);
    return this.#bytes;
  }
}

export function textOf(value: Value): string {
  if (typeof value === 'string') return value;
  if (value.text !== undefined) return value.text;
  const bytes = asBuffer(value.bytes);
  if (value.encoding === 'utf-8') return withoutByteOrderMark(bytes.toString('utf8'));
  return codePageOf(value.encoding)?.decode(bytes) ?? iconv.decode(bytes, value.encoding);
}

/** The encodings that have all characters. */
const UNICODE = /^(?:utf|ucs|gb18030)/i;

/** The bytes of a value as sent: bytes unchanged, text in the given encoding. */
export function bytesOf(value: Value, encoding: string): Buffer {
  if (typeof value !== 'string') return asBuffer(value.bytes);
  if (encoding === 'utf-8') return Buffer.from(value, 'utf8');
  const page = codePageOf(encoding);
  if (page !== undefined) return asBuffer(page.encode(value));
  return iconv.encode(UNICODE.test(encoding) ? value : forSingleByteCharset(value), encoding);
}

/** Whether a name is one of an EBCDIC code page. */
export function isEbcdic(name: string): boolean {
  return codePageOf(name) !== undefined;
}

const MOST_KNOWN_NAMES = 1_000;
const knownPages = new Map<string, CodePage | undefined>();

/** The code page of a name, remembered: reading a name takes longer than converting a short text. */
function codePageOf(name: string): CodePage | undefined {
  if (knownPages.has(name)) return knownPages.get(name);
  const page = isAmbiguousCodePageName(name) ? undefined : findCodePage(name);
  if (knownPages.size < MOST_KNOWN_NAMES) knownPages.set(name, page);
  return page;
}

/** The same as `encodedText`, as work that can rest. */
export function* encoding(text: string, name: string, original = text): RestingWork<EncodedBytes> {
  const page = codePageOf(name);
  if (page === undefined) return { bytes: bytesOf(text, name), encoding: name };
  const kept = original === text;
  if (kept && !NOT_ASCII.test(text) && hasAscii(page)) return new EncodedAscii(text, name, page);
  const bytes = asBuffer(page.encode(text));
  yield;
  return kept && (yield* substituting(text, name)) === text
    ? { bytes, encoding: name }
    : { bytes, encoding: name, original };
}

/**
 * The text as bytes of an encoding.
 *
 * @param original what the text was before an earlier conversion
 */
export function encodedText(text: string, name: string, original = text): EncodedBytes {
  return atOnce(encoding(text, name, original));
}

/** What a value reads as when no conversion has lost anything of it. @param text what it reads as now, if already known */
export function originalTextOf(value: Value, text?: string): string {
  return typeof value === 'string' ? value : (value.original ?? text ?? textOf(value));
}

/** The text with one SUB for each character that the EBCDIC code page lacks. */
export function substituted(text: string, codePage: string): string {
  return atOnce(substituting(text, codePage));
}

function* substituting(text: string, codePage: string): RestingWork<string> {
  const page = codePageOf(codePage);
  if (page === undefined || (!NOT_ASCII.test(text) && hasAscii(page))) return text;
  let result = '';
  let taken = 0;
  for (let at = 0, rest = UNITS_AT_A_STRETCH; at < text.length; ) {
    const codePoint = text.codePointAt(at) as number;
    const next = at + (codePoint > 0xffff ? 2 : 1);
    if (!page.encodes(codePoint)) {
      result += text.slice(taken, at) + SUBSTITUTE;
      taken = next;
    }
    at = next;
    if (at < rest) continue;
    yield;
    rest = at + UNITS_AT_A_STRETCH;
  }
  return taken === 0 ? text : result + text.slice(taken);
}

/** Of a text that is converted, before the work may rest. */
export const UNITS_AT_A_STRETCH = 1 << 16;
const SUBSTITUTE = '\u001a';
const BYTE_ORDER_MARK = '\ufeff';

/** As iconv-lite does for every other encoding that has one. */
function withoutByteOrderMark(text: string): string {
  return text.startsWith(BYTE_ORDER_MARK) ? text.slice(BYTE_ORDER_MARK.length) : text;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are ASCII too
const NOT_ASCII = /[^\u0000-\u007f]/;
const pagesWithAscii = new WeakMap<CodePage, boolean>();

function hasAscii(page: CodePage): boolean {
  let answer = pagesWithAscii.get(page);
  if (answer === undefined) {
    answer = Array.from({ length: 128 }, (_, codePoint) => page.encodes(codePoint)).every(Boolean);
    pagesWithAscii.set(page, answer);
  }
  return answer;
}

/** Characters of a text, bytes of bytes: what a value counts for against the bounds of a run. */
export function sizeOf(value: Value): number {
  if (typeof value === 'string') return value.length;
  // every code page has one byte for each character of ASCII
  if (value instanceof EncodedAscii) return value.text.length;
  return value.bytes.length + (value.original?.length ?? 0);
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
