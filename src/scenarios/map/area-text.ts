import { codePointCount, firstCodePoints } from '../../lib/text/characters.js';
import type {
  AreaContent,
  AreaDefinition,
  AreaPattern,
  Definition,
  EventualAlternative,
  GroupDefinition,
} from './definition.js';

interface ContentRule {
  readonly fill: ' ' | '0';
  /** Significant characters of the value; undefined if it is not valid for the content type. */
  readonly read: (value: string) => string | undefined;
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
 * Formats a value for its area: exactly `length` code points, aligned and filled by TYPE, truncated on the right.
 * Without a length, the value is neither filled nor truncated. Not for OFFSET-LENGTH areas. Source: spec 2.4 (numeric
 * 6, text 32), reference/4.3.
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

function areaFill({ content, length }: AreaForm): string {
  return contentRules[content].fill.repeat(length ?? 0);
}

export function isReference(content: AreaContent): boolean {
  return content.startsWith('OFFSET-LENGTH');
}

export function referredData(content: AreaContent, value: string | undefined): string {
  return (value === undefined ? undefined : contentRules[content].read(value)) ?? '';
}

/**
 * Replaces control characters by blanks, because a record is one line. U+0085, among them, is the line end of EBCDIC.
 */
function oneLine(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: this replaces control characters
  return text.replace(/[\u0000-\u001f\u007f-\u009f]/g, ' ');
}

/** `5-`, the notation of hosts, becomes `-5`. */
function leadingSign(value: string): string {
  const text = value.trim();
  const last = text.at(-1);
  return text.length > 1 && (last === '-' || last === '+') ? last + text.slice(0, -1).trimEnd() : text;
}

function zeroAfterSign(text: string, length: number): string {
  const signed = text.startsWith('-') || text.startsWith('+');
  return signed ? text.slice(0, 1) + zeroOnTheLeft(text.slice(1), length - 1) : zeroOnTheLeft(text, length);
}

function placeholderCount({ text, placeholder }: AreaPattern): number {
  return codePointCount(text) - codePointCount(text.replaceAll(placeholder, ''));
}

/**
 * Puts the characters of the value at the placeholders. Missing characters become blanks, extra characters are dropped.
 */
function applyPattern({ text, placeholder }: AreaPattern, value: string): string {
  const characters = value[Symbol.iterator]();
  let formatted = '';
  for (const character of text) formatted += character === placeholder ? (characters.next().value ?? ' ') : character;
  return formatted;
}

export function readPattern({ text, placeholder }: AreaPattern, formatted: string): string {
  const characters = formatted[Symbol.iterator]();
  let value = '';
  for (const character of text) {
    const { value: found, done } = characters.next();
    if (done) break;
    if (character === placeholder) value += found;
  }
  return value;
}

export function definitionFill(definition: Definition): string {
  switch (definition.kind) {
    case 'group':
      return definition.fill.repeat(fixedOccurrences(definition));
    case 'area':
      return definition.inRecord ? areaFill(definition) : '';
    case 'eventualArea':
      return eventualAreaFill(definition.alternatives);
    case 'execute':
    case 'abend':
    case 'abendAt':
      return '';
  }
}

export function fixedLength(definition: Definition): number {
  return definition.kind === 'group'
    ? codePointCount(definition.fill) * fixedOccurrences(definition)
    : codePointCount(definitionFill(definition));
}

export function eventualAreaFill(alternatives: readonly EventualAlternative[]): string {
  return ' '.repeat(Math.max(0, ...alternatives.map(({ constant }) => codePointCount(constant))));
}

function fixedOccurrences({ event, occurs }: GroupDefinition): number {
  if (event !== undefined || occurs === 'unlimited') return 0;
  return occurs ?? 1;
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Decodes base64 (RFC 4648, both alphabets, white space allowed); undefined if it is malformed. `text`: UTF-8, or one
 * character per byte if the bytes are not UTF-8; `bytes`: always one character per byte.
 */
function decodeBase64(encoded: string, as: 'text' | 'bytes'): string | undefined {
  const characters = encoded.replace(/[\t\n\r ]+/g, '');
  const data = characters.endsWith('==') ? characters.slice(0, -2) : characters.replace(/=$/, '');
  if (data.length % 4 === 1 || !/^[A-Za-z0-9+/_-]*$/.test(data)) return undefined;
  const bytes = Buffer.from(data, 'base64');
  if (as === 'bytes') return bytes.toString('latin1');
  try {
    return utf8.decode(bytes);
  } catch {
    return bytes.toString('latin1');
  }
}

/** Reverse of `decodeBase64`. With `bytes`, only the low byte of each character is encoded. */
export function encodeBase64(decoded: string, as: 'text' | 'bytes'): string {
  return Buffer.from(decoded, as === 'text' ? 'utf8' : 'latin1').toString('base64');
}

export type NumericFault =
  | 'notNumeric'
  /** The area is too short for the digits before the decimal point. */
  | 'integerDigitsCut';

const numericContents: ReadonlySet<AreaContent> = new Set(['9', 'S9']);
const digitContents: ReadonlySet<AreaContent> = new Set([...numericContents, 'ONLY9', 'ONLY9-LEFT-ALIGNED']);

/** XML Schema double and decimal, and JSON numbers. Groups: sign, integer digits, fraction digits, exponent. */
const exponentForm = /^([+-]?)(\d*)\.?(\d*)[eE]([+-]?\d{1,5})$/;
const plainNumber = /^[+-]?(\d+)?(?:[.,](\d*))?[+-]?$/;
/** A double needs at most 324 zeros. */
const MOST_ZEROS = 400;

/**
 * Converts exponent form to a plain decimal: `7.236E-05` becomes `0.00007236`. Returns any other text unchanged, and
 * also a number that needs more than 400 zeros.
 */
export function plainDecimal(content: AreaContent, value: string): string {
  if (!digitContents.has(content)) return value;
  const [, sign = '', integer = '', fraction = '', exponent = ''] = exponentForm.exec(value.trim()) ?? [];
  const digits = integer + fraction;
  if (digits === '') return value;
  const point = integer.length + Number(exponent);
  if (point < -MOST_ZEROS || point - digits.length > MOST_ZEROS) return value;
  const whole = digits
    .slice(0, Math.max(0, point))
    .padEnd(point, '0')
    .replace(/^0+(?=\d)/, '');
  const rest = '0'.repeat(Math.max(0, -point)) + digits.slice(Math.max(0, point));
  return `${sign}${whole || '0'}${rest === '' ? '' : `.${rest}`}`;
}

/** @param value result of `plainDecimal`; a blank value is valid */
export function numericFault({ content, length, pattern }: AreaDefinition, value: string): NumericFault | undefined {
  const text = value.trim();
  if (!numericContents.has(content) || text === '') return undefined;
  const [whole, integer = ''] = plainNumber.exec(text) ?? [];
  if (whole === undefined || !/\d/.test(whole)) return 'notNumeric';
  if (length === undefined) return undefined;
  const room = pattern === undefined ? length : Math.min(length, placeholderCount(pattern));
  const signs = /[+-]/.test(text) ? 1 : 0;
  return codePointCount(integer) + signs > room ? 'integerDigitsCut' : undefined;
}
