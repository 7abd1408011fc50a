import { codePointCount, firstCodePoints } from '../../lib/text/code-points.js';
import { applyPattern, placeholderCount } from './area-pattern.js';
import { decodeBase64 } from './base64.js';
import type { AreaContent, AreaDefinition } from './definition.js';

interface ContentRule {
  /** What stands in the area where there is no value. */
  readonly fill: ' ' | '0';
  /** The characters that count; undefined: the value is none. */
  readonly read: (value: string) => string | undefined;
  /** `text` is not longer than `length`. */
  readonly align: (text: string, length: number) => string;
}

const blankOnTheRight = (text: string, length: number) => text + ' '.repeat(length - codePointCount(text));
const zeroOnTheLeft = (text: string, length: number) => '0'.repeat(length - codePointCount(text)) + text;
const trimmed = (value: string) => value.trim();
const digits = (value: string) => value.replace(/[^0-9]+/g, '');
const reference: ContentRule = { fill: '0', read: oneLine, align: zeroOnTheLeft };

const contentRules: Readonly<Record<AreaContent, ContentRule>> = {
  X: { fill: ' ', read: (value) => value, align: blankOnTheRight },
  '9': { fill: '0', read: trimmed, align: zeroOnTheLeft },
  S9: { fill: '0', read: leadingSign, align: zeroAfterSign },
  ONLY9: { fill: '0', read: digits, align: zeroOnTheLeft },
  'ONLY9-LEFT-ALIGNED': { fill: ' ', read: digits, align: blankOnTheRight },
  BASE64: { fill: ' ', read: (value) => decodeBase64(value, 'text'), align: blankOnTheRight },
  'OFFSET-LENGTH': reference,
  'OFFSET-LENGTH-TEXT': reference,
  'OFFSET-LENGTH-BINARY': { ...reference, read: (value) => decodeBase64(value, 'bytes') },
};

type AreaForm = Pick<AreaDefinition, 'content' | 'length' | 'pattern'>;

/**
 * A value as it stands in its area: exactly `length` code points, aligned and filled as the TYPE says, cut on the
 * right. Without a length: the value as it is read, neither filled nor cut. Not for OFFSET-LENGTH areas.
 * Source: spec 2.4 (numeric 6, text 32), reference/4.3.
 */
export function areaText({ content, length, pattern }: AreaForm, value: string | undefined): string {
  const { fill, read, align } = contentRules[content];
  const characters = value === undefined ? undefined : read(value);
  if (length === undefined) {
    if (characters === undefined) return '';
    return pattern === undefined || characters === '' ? characters : applyPattern(pattern, characters);
  }
  if (characters === undefined || characters === '') return fill.repeat(length);
  let text = firstCodePoints(characters, length);
  if (pattern !== undefined) {
    const places = placeholderCount(pattern);
    text = firstCodePoints(applyPattern(pattern, align(firstCodePoints(characters, places), places)), length);
  }
  return oneLine(align(text, length));
}

/** The area where there is no value; undefined if it is as long as its value. */
export function areaFill({ content, length }: AreaForm): string {
  return contentRules[content].fill.repeat(length ?? 0);
}

export function isReference(content: AreaContent): boolean {
  return content.startsWith('OFFSET-LENGTH');
}

/** The data that an OFFSET-LENGTH area points to; empty if there is no value. */
export function referredData(content: AreaContent, value: string | undefined): string {
  return (value === undefined ? undefined : contentRules[content].read(value)) ?? '';
}

/** Control characters become blanks: a record is one line. U+0085, among them, is the line end of EBCDIC. */
function oneLine(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this takes out
  return text.replace(/[\u0000-\u001f\u007f-\u009f]/g, ' ');
}

/** `5-`, as hosts print it, is `-5`. */
function leadingSign(value: string): string {
  const text = value.trim();
  const last = text.at(-1);
  return text.length > 1 && (last === '-' || last === '+') ? last + text.slice(0, -1).trimEnd() : text;
}

function zeroAfterSign(text: string, length: number): string {
  const signed = text.startsWith('-') || text.startsWith('+');
  return signed ? text.slice(0, 1) + zeroOnTheLeft(text.slice(1), length - 1) : zeroOnTheLeft(text, length);
}
