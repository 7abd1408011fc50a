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
function areaFill({ content, length }: AreaForm): string {
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

/** How many characters of a value the pattern takes. */
function placeholderCount({ text, placeholder }: AreaPattern): number {
  return codePointCount(text) - codePointCount(text.replaceAll(placeholder, ''));
}

/** The pattern with the characters of the value at its placeholders, blanks where there are too few, the rest left out. */
function applyPattern({ text, placeholder }: AreaPattern, value: string): string {
  const characters = value[Symbol.iterator]();
  let formatted = '';
  for (const character of text) formatted += character === placeholder ? (characters.next().value ?? ' ') : character;
  return formatted;
}

/** The characters that stand at the placeholders. */
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

/** What a definition gives where there is nothing to map: blanks and zeros of its fixed length. */
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

/** As long as `definitionFill`, counted without making it. */
export function fixedLength(definition: Definition): number {
  return definition.kind === 'group'
    ? codePointCount(definition.fill) * fixedOccurrences(definition)
    : codePointCount(definitionFill(definition));
}

/** Blanks as long as the longest of the constants. */
export function eventualAreaFill(alternatives: readonly EventualAlternative[]): string {
  return ' '.repeat(Math.max(0, ...alternatives.map(({ constant }) => codePointCount(constant))));
}

/** How often a group stands in its parent where there is nothing to map: an event group not at all. */
function fixedOccurrences({ event, occurs }: GroupDefinition): number {
  if (event !== undefined || occurs === 'unlimited') return 0;
  return occurs ?? 1;
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * What base64 (RFC 4648, both alphabets, white space allowed) holds; undefined if it is none.
 * `text`: read as UTF-8, or one character a byte where it is not UTF-8; `bytes`: always one character a byte.
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

/** The reverse of `decodeBase64`. Characters past U+00FF are no `bytes`: their low byte is taken. */
export function encodeBase64(decoded: string, as: 'text' | 'bytes'): string {
  return Buffer.from(decoded, as === 'text' ? 'utf8' : 'latin1').toString('base64');
}

/** Why the digits in an area are not the number in the document. */
export type NumericFault =
  /** The value is not a number, although the map declares it as one. */
  | 'notNumeric'
  /** The area is too short for the digits before the decimal point. */
  | 'integerDigitsCut';

/** Contents that the map declares as numbers. */
const numericContents: ReadonlySet<AreaContent> = new Set(['9', 'S9']);
/** Contents that keep digits of the value. */
const digitContents: ReadonlySet<AreaContent> = new Set([...numericContents, 'ONLY9', 'ONLY9-LEFT-ALIGNED']);

/** XML Schema's double and decimal, and JSON's number. The groups: sign, integer digits, fraction digits, exponent. */
const exponentForm = /^([+-]?)(\d*)\.?(\d*)[eE]([+-]?\d{1,5})$/;
const plainNumber = /^[+-]?(\d+)?(?:[.,](\d*))?[+-]?$/;
/** A double needs at most 324; a longer row of zeros is not a value that anybody means. */
const MOST_ZEROS = 400;

/**
 * A number in exponent form as a plain decimal: `7.236E-05` is `0.00007236`. Any other text is returned as it is, also a
 * number that needs more than 400 zeros.
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

/** @param value as `plainDecimal` returns it; blank: there is no value, and no fault */
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
