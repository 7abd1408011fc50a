import iconv from 'iconv-lite';
import { forSingleByteCharset } from '../lib/text/characters.js';
import { atOnce, type RestingWork } from '../lib/turns/work-in-turns.js';
import type { CodePage } from '../tn3270/codepage/code-page.js';
import { isAmbiguousCodePageName } from '../tn3270/codepage/code-page-names.js';
import { findCodePage } from '../tn3270/codepage/code-pages.js';

/**
 * A value of a scenario variable: text, or bytes with their encoding.
 *
 * Constants, parameters and mapped records are text. The body of a reply, a rendered file and the result of `CONVERT$
 * …-TO-EBCDIC` are bytes. Because bytes keep their encoding, a value reads as the same characters everywhere, whether
 * or not the scenario converted it.
 */
export type ScenarioValue = string | EncodedBytes;

interface EncodedBytes {
  readonly bytes: Uint8Array;
  /** A name known to iconv-lite; the EBCDIC code pages are registered there. */
  readonly encoding: string;
  readonly text?: string;
  /** Text before the conversion, if the code page lacks some of its characters. */
  readonly original?: string;
}

/** ASCII text in a code page that contains all of ASCII; its bytes are created only when they are sent. */
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

export function valueText(value: ScenarioValue): string {
  if (typeof value === 'string') return value;
  if (value.text !== undefined) return value.text;
  const bytes = asBuffer(value.bytes);
  if (value.encoding === 'utf-8') return withoutByteOrderMark(bytes.toString('utf8'));
  return codePageOf(value.encoding)?.decode(bytes) ?? iconv.decode(bytes, value.encoding);
}

const UNICODE = /^(?:utf|ucs|gb18030)/i;

/** Bytes to send: bytes unchanged, text in the given encoding. */
export function bytesOf(value: ScenarioValue, encoding: string): Buffer {
  if (typeof value !== 'string') return asBuffer(value.bytes);
  if (encoding === 'utf-8') return Buffer.from(value, 'utf8');
  const page = codePageOf(encoding);
  if (page !== undefined) return asBuffer(page.encode(value));
  return iconv.encode(UNICODE.test(encoding) ? value : forSingleByteCharset(value), encoding);
}

export function isEbcdic(name: string): boolean {
  return codePageOf(name) !== undefined;
}

const MOST_KNOWN_NAMES = 1_000;
const knownPages = new Map<string, CodePage | undefined>();

/** Cached, because parsing a name takes longer than converting a short text. */
function codePageOf(name: string): CodePage | undefined {
  if (knownPages.has(name)) return knownPages.get(name);
  const page = isAmbiguousCodePageName(name) ? undefined : findCodePage(name);
  if (knownPages.size < MOST_KNOWN_NAMES) knownPages.set(name, page);
  return page;
}

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

/** @param original text before an earlier conversion */
export function encodedText(text: string, name: string, original = text): EncodedBytes {
  return atOnce(encoding(text, name, original));
}

/**
 * Text of a value before any lossy conversion.
 * @param text current text, if known
 */
export function originalTextOf(value: ScenarioValue, text?: string): string {
  return typeof value === 'string' ? value : (value.original ?? text ?? valueText(value));
}

/** Replaces each character that the EBCDIC code page lacks by SUB. */
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

export const UNITS_AT_A_STRETCH = 1 << 16;
const SUBSTITUTE = '\u001a';
const BYTE_ORDER_MARK = '\ufeff';

/** iconv-lite does the same for its own Unicode encodings. */
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

export function sizeOf(value: ScenarioValue): number {
  if (typeof value === 'string') return value.length;
  // every such code page has one byte per ASCII character
  if (value instanceof EncodedAscii) return value.text.length;
  return value.bytes.length + (value.original?.length ?? 0);
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
