import type { RE2JS } from 're2js';
import { type DocumentFault, errorAt, type KeyPath } from '../lib/documents/source-diagnostic.js';
import { dateText } from '../tn3270/conversation/values.js';
import { compilePattern } from './bounded-pattern.js';
import type { ParameterDocument, StepDocument } from './service-document.js';

const MOST_DIGITS = 30;

/**
 * Compares decimal numbers as text; JavaScript numbers would lose digits.
 * @param one digits, with an optional leading minus sign and decimal point
 * @returns a negative number if `one` is less, 0 if both are equal
 */
function compareDecimals(one: string, other: string): number {
  const [left, right] = [scaled(one), scaled(other)];
  return left < right ? -1 : Number(left > right);
}

/** In units of 1e-30. */
function scaled(text: string): bigint {
  const [whole = '', decimals = ''] = text.replace('-', '').split('.');
  const size = BigInt(whole + decimals.padEnd(MOST_DIGITS, '0'));
  return text.startsWith('-') ? -size : size;
}

export type FileEncoding = 'text' | 'base64';

export interface ParameterDefinition {
  readonly type: 'string' | 'integer' | 'decimal' | 'boolean' | 'date' | 'file';
  readonly description: string;
  /** Matches anywhere in the text, as in JSON Schema, in linear time, so that callers cannot block the server. */
  readonly pattern: string | undefined;
  readonly minLength: number;
  /** Characters; of a file: bytes. */
  readonly maxLength: number;
  readonly minimum: number | undefined;
  readonly maximum: number | undefined;
  readonly enum: readonly string[] | undefined;
  readonly required: boolean;
  /** The default as it is typed into the terminal. */
  readonly default: string | undefined;
  /** Date pattern for typing; the syntax of patterns for reading dates. */
  readonly format: string;
  readonly encoding: FileEncoding;
  readonly secret: boolean;
}

/** `pointer` (RFC 6901) points to the value, or to the whole document if the name is not valid. */
export interface ParameterFault {
  readonly pointer: string;
  readonly message: string;
}

type ParameterReading =
  | { readonly kind: 'values'; readonly values: ReadonlyMap<string, string> }
  | { readonly kind: 'faults'; readonly faults: readonly ParameterFault[] };

export const LONGEST_PARAMETER = 4_000;
export const LARGEST_FILE = 262_144;
const MOST_FAULTS = 100;
/** Maximum length of a name in a message. Parameter names are never longer. */
const LONGEST_NAME = 64;
const MOST_LISTED = 20;
const INTEGER = /^-?[0-9]{1,30}$/;
const DECIMAL = /^-?[0-9]{1,30}(?:\.[0-9]{1,30})?$/;
const LONE_SURROGATE = /\p{Surrogate}/u;
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;
const DATE = /^([0-9]{4})-([0-9]{2})-([0-9]{2})$/;
/** Control characters cannot be typed into a 3270 field. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this looks for
const CONTROL_CHARACTER = /[\u0000-\u001f\u007f-\u009f]/;

/**
 * Validates the parameters of a call.
 * @param given members of the received JSON object; of repeated names, the first value
 * @param repeated names that occur more than once in the JSON object
 * @returns texts to type, without parameters that the caller omitted; or all faults, in order of the file and then of
 * the call
 */
export function readParameters(
  definitions: ReadonlyMap<string, ParameterDefinition>,
  given: Readonly<Record<string, unknown>>,
  repeated: ReadonlySet<string> = new Set(),
): ParameterReading {
  const values = new Map<string, string>();
  const faults: ParameterFault[] = [];
  const fault = (name: string | undefined, message: string) => {
    if (faults.length < MOST_FAULTS) faults.push({ pointer: name === undefined ? '' : jsonPointer([name]), message });
  };
  for (const [name, definition] of definitions) {
    if (repeated.has(name)) {
      fault(name, 'It occurs more than once.');
      continue;
    }
    const value = Object.hasOwn(given, name) ? given[name] : undefined;
    if (value === undefined) {
      if (definition.default !== undefined) values.set(name, definition.default);
      else if (definition.required) fault(name, 'It is missing.');
      continue;
    }
    const read = readValue(definition, value);
    if (read.kind === 'text') values.set(name, read.text);
    else fault(name, read.message);
  }
  for (const name of Object.keys(given)) {
    if (definitions.has(name)) continue;
    if (name.length > LONGEST_NAME) fault(undefined, `The name of a parameter has at most ${LONGEST_NAME} characters.`);
    else fault(name, 'The service has no such parameter.');
  }
  return faults.length > 0 ? { kind: 'faults', faults } : { kind: 'values', values };
}

type ValueReading =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'wrong'; readonly message: string };

/** Converts a value to the text to type. Faults state the expected value and never contain the received one. */
export function readValue(definition: ParameterDefinition, value: unknown): ValueReading {
  switch (definition.type) {
    case 'string':
      return typeof value === 'string' ? readText(definition, value) : wrong('Expected text.');
    case 'integer': {
      const text = typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : value;
      if (typeof text !== 'string' || !INTEGER.test(text)) return wrong('Expected a whole number.');
      return withinRange(definition, text);
    }
    case 'decimal': {
      const text = typeof value === 'number' ? String(value) : value;
      if (typeof text !== 'string' || !DECIMAL.test(text)) return wrong('Expected a decimal number, such as "12.50".');
      return withinRange(definition, text);
    }
    case 'boolean':
      if (typeof value !== 'boolean') return wrong('Expected true or false.');
      return { kind: 'text', text: value ? 'Y' : 'N' };
    case 'date':
      return readDate(definition, value);
    case 'file':
      return typeof value === 'string' ? readFile(definition, value) : wrong('Expected text.');
  }
}

function readText(definition: ParameterDefinition, text: string): ValueReading {
  const { minLength, maxLength, pattern } = definition;
  // characters as JSON Schema counts them: a surrogate pair is one
  const length = text.length > 2 * maxLength ? text.length : charactersOf(text);
  if (length > maxLength) return wrong(`Expected at most ${maxLength} characters.`);
  if (length < minLength) return wrong(`Expected at least ${minLength} characters.`);
  const fault = fieldTextFault(text);
  if (fault !== undefined) return wrong(`Expected ${fault}.`);
  if (pattern !== undefined && !expressionOf(definition, pattern).matcher(text).find()) {
    return wrong(`Expected text that matches ${pattern}.`);
  }
  return oneOf(definition, text);
}

function fieldTextFault(text: string): string | undefined {
  if (CONTROL_CHARACTER.test(text)) return 'text without control characters';
  return LONE_SURROGATE.test(text) ? 'text of whole characters' : undefined;
}

/** Checks the text without decoding it; bytes are needed only for the transfer. */
function readFile({ encoding, maxLength }: ParameterDefinition, text: string): ValueReading {
  if (encoding === 'text' && LONE_SURROGATE.test(text)) return wrong('Expected text of whole characters.');
  if (encoding === 'base64' && (text.length % 4 !== 0 || !BASE64.test(text))) return wrong('Expected base64.');
  const bytes = Buffer.byteLength(text, encoding === 'text' ? 'utf8' : 'base64');
  return bytes > maxLength ? wrong(`Expected at most ${maxLength} bytes.`) : { kind: 'text', text };
}

/** Compiled patterns are kept outside the definitions, which must remain plain data to be passed between threads. */
const expressions = new WeakMap<ParameterDefinition, RE2JS>();

function expressionOf(definition: ParameterDefinition, pattern: string): RE2JS {
  const known = expressions.get(definition);
  if (known !== undefined) return known;
  const compiled = compilePattern(pattern);
  // definitions contain only patterns that compiled during the check
  if (compiled.kind === 'fault') throw new Error('a pattern that was checked does not compile');
  expressions.set(definition, compiled.expression);
  return compiled.expression;
}

function charactersOf(text: string): number {
  let length = 0;
  for (const _ of text) length++;
  return length;
}

function withinRange(definition: ParameterDefinition, text: string): ValueReading {
  const { minimum, maximum, maxLength } = definition;
  if (text.length > maxLength) return wrong(`Expected at most ${maxLength} characters.`);
  if (minimum !== undefined && compareDecimals(text, String(minimum)) < 0)
    return wrong(`Expected at least ${minimum}.`);
  if (maximum !== undefined && compareDecimals(text, String(maximum)) > 0) return wrong(`Expected at most ${maximum}.`);
  return oneOf(definition, text, (one) => compareDecimals(one, text) === 0);
}

function readDate({ format }: ParameterDefinition, value: unknown): ValueReading {
  const [text, year = '', month = '', day = ''] = (typeof value === 'string' ? DATE.exec(value) : null) ?? [];
  if (text === undefined || !isDay(text)) return wrong('Expected a date, such as "2026-11-22".');
  const typed = dateText([Number(year), Number(month), Number(day)], format);
  return typed === undefined ? wrong('Expected a date from 1969 to 2068.') : { kind: 'text', text: typed };
}

function isDay(text: string): boolean {
  const date = new Date(`${text}T00:00:00Z`);
  return !text.startsWith('0000') && !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}

function oneOf(definition: ParameterDefinition, text: string, isSame = (one: string) => one === text): ValueReading {
  const { enum: values } = definition;
  if (values === undefined || values.some(isSame)) return { kind: 'text', text };
  const listed = values.slice(0, MOST_LISTED).join(', ');
  return wrong(`Expected one of ${listed}${values.length > MOST_LISTED ? ' …' : ''}.`);
}

function wrong(message: string): ValueReading {
  return { kind: 'wrong', message };
}

const only: Readonly<Record<string, readonly ParameterDocument['type'][]>> = {
  pattern: ['string'],
  minLength: ['string'],
  maxLength: ['string', 'integer', 'decimal'],
  maxBytes: ['file'],
  minimum: ['integer', 'decimal'],
  maximum: ['integer', 'decimal'],
  enum: ['string', 'integer', 'decimal'],
  format: ['date'],
  encoding: ['file'],
};

const CONTROLS = /\p{Cc}/gu;
/** DUP and FIELD MARK can be in fields, so recordings may contain them. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this looks for
const FIELD_CONTROLS = /[\u001c\u001e]/g;

export function* keyFaults(document: ParameterDocument, path: KeyPath): Generator<DocumentFault> {
  for (const [key, types] of Object.entries(only)) {
    if (Object.hasOwn(document, key) && !types.includes(document.type)) {
      yield errorAt([...path, key], `a parameter of type ${document.type} has no ${key}`);
    }
  }
  if (document.type === 'file') {
    if (document.default !== undefined) yield errorAt([...path, 'default'], 'a file has no default');
    if (document.secret) {
      yield errorAt(
        [...path, 'secret'],
        'files are never logged or shown in pictures: leave it out, and make sure that no screen displays them',
      );
    }
  }
}

/** The transfer command is typed at the cursor and sent with Enter, so the step must not type anything else. */
export function* besideTransfer(document: StepDocument, path: KeyPath): Generator<DocumentFault> {
  if (document.transfer === undefined) return;
  for (const key of ['fill', 'cursor', 'type', 'press', 'expect'] as const) {
    if (document[key] !== undefined) yield errorAt([...path, key], 'a step that transfers a file types nothing else');
  }
}

export function* untypableTexts({ fill = [], type = '' }: StepDocument, path: KeyPath): Generator<DocumentFault> {
  for (const [at, { text }] of fill.entries()) {
    const fault = fieldTextFault(text.replaceAll(FIELD_CONTROLS, ''));
    if (fault !== undefined) yield errorAt([...path, 'fill', String(at), 'text'], `expected ${fault}`);
  }
  // line terminals accept all control characters except NUL
  const fault = type.includes('\0') ? 'text without NUL' : fieldTextFault(type.replaceAll(CONTROLS, ''));
  if (fault !== undefined) yield errorAt([...path, 'type'], `expected ${fault}`);
}

export function jsonPointer(path: readonly string[]): string {
  return path.map((name) => `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}
