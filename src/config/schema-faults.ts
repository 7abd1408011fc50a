import type { ErrorObject } from 'ajv/dist/2020.js';
import type { DocumentFault, KeyPath } from '../lib/documents/source-diagnostic.js';
import { NameGuesses } from '../lib/text/nearest-name.js';

const LONGEST_VALUE_SHOWN = 60;
/** Errors of the alternatives of an `anyOf`. The `anyOf` error itself names all of them by its title. */
const ONE_OF_SEVERAL = /\/anyOf\/\d+\/(?:type|const|minimum|maximum)$/;

type Guess = NameGuesses['didYouMean'];

interface AnnotatedSchema {
  readonly title?: string;
  readonly examples?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly properties?: Readonly<Record<string, AnnotatedSchema>>;
}

/**
 * Converts Ajv's errors to messages for the author of a document, in no particular order. Requires the Ajv options
 * `allErrors` and `verbose`, which scripts/schema-validators.mjs sets.
 */
export function faultsOf(errors: readonly ErrorObject[]): DocumentFault[] {
  const guesses = new NameGuesses();
  return errors.flatMap((error) => toFault(error, (mistyped, known) => guesses.didYouMean(mistyped, known)));
}

function toFault(error: ErrorObject, guess: Guess): DocumentFault[] {
  // reported once, by `propertyNames`
  if (
    error.keyword === 'if' ||
    ONE_OF_SEVERAL.test(error.schemaPath) ||
    (error.propertyName !== undefined && error.keyword !== 'propertyNames')
  )
    return [];
  const container = error.instancePath.split('/').slice(1).map(unescapePointer);
  const key: unknown = error.params.additionalProperty ?? error.params.propertyName;
  const path: KeyPath = typeof key === 'string' ? [...container, key] : container;
  const wording = wordings[error.keyword];
  const schema: AnnotatedSchema = Object(error.parentSchema);
  const message = wording ? wording(error, schema, guess) : `${error.message ?? error.keyword}`;
  const atKey = typeof key === 'string' || error.keyword.toLowerCase().endsWith('required');
  return [{ path, at: atKey ? 'key' : 'value', message, severity: 'error' }];
}

function unescapePointer(segment: string): string {
  return segment.replaceAll('~1', '/').replaceAll('~0', '~');
}

const wordings: Readonly<Record<string, (error: ErrorObject, schema: AnnotatedSchema, guess: Guess) => string>> = {
  type: (error, schema) => expected(`${typeWords(error.params.type)}${about(schema)}`, error),
  enum: (error, _schema, guess) => {
    const allowed: readonly unknown[] = error.params.allowedValues;
    const meant = typeof error.data === 'string' ? guess(error.data, allowed.map(String)) : '';
    return `${expected(allowed.map((value) => String(value)).join(allowed.length > 2 ? ', ' : ' or '), error)}${meant}`;
  },
  anyOf: (error, { title = 'another form' }) => expected(title, error),
  const: (error) => expected(String(error.params.allowedValue), error),
  minimum: (error, schema) => expected(range(schema), error),
  maximum: (error, schema) => expected(range(schema), error),
  minLength: (error, schema) => expected(`text${about(schema)}`, error),
  maxLength: (error, schema) => expected(`at most ${error.params.limit} characters${about(schema)}`, error),
  pattern: (error, schema) => expected(`another form${about(schema)}`, error),
  minItems: (error, schema) => expected(`a list of at least ${error.params.limit}${about(schema)}`, error),
  maxItems: (error, schema) => expected(`a list of at most ${error.params.limit}${about(schema)}`, error),
  minProperties: (error, schema) =>
    expected(`at least ${error.params.limit} ${error.params.limit === 1 ? 'entry' : 'entries'}${about(schema)}`, error),
  maxProperties: (error, schema) =>
    `expected at most ${error.params.limit} entries${about(schema)}, found ${Object.keys(Object(error.data)).length}`,
  required: (error, schema) => {
    const missing = String(error.params.missingProperty);
    return `expected the key "${missing}"${about(schema.properties?.[missing] ?? {})}, found none`;
  },
  dependentRequired: (error) =>
    `expected the key "${error.params.missingProperty}" beside "${error.params.property}", found none`,
  additionalProperties: (error, schema, guess) => {
    const known = Object.keys(schema.properties ?? {});
    return `unknown key${guess(String(error.params.additionalProperty), known)}: expected one of ${known.join(', ')}`;
  },
  propertyNames: (error, schema) => {
    const names = (schema as { propertyNames?: AnnotatedSchema }).propertyNames ?? {};
    return `expected ${names.title}, found ${shown(error.params.propertyName)}`;
  },
};

function expected(what: string, error: ErrorObject): string {
  const isSecret = error.instancePath.endsWith('/password');
  return `expected ${what}, found ${isSecret ? 'something else' : shown(error.data)}`;
}

function about({ title, examples }: AnnotatedSchema): string {
  if (title === undefined) return '';
  return examples?.length ? ` (${title}; for example ${String(examples[0])})` : ` (${title})`;
}

function range(schema: AnnotatedSchema): string {
  return `a number from ${schema.minimum} to ${schema.maximum}${about(schema)}`;
}

function typeWords(types: unknown): string {
  const words: Readonly<Record<string, string>> = {
    string: 'text',
    integer: 'a whole number',
    object: 'a mapping of keys to values',
    boolean: 'true or false',
    array: 'a list',
  };
  return [types]
    .flat()
    .map((type) => words[String(type)] ?? String(type))
    .join(', or ');
}

function shown(value: unknown): string {
  if (value === null || value === undefined) return 'nothing';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return Object.keys(value).length === 0 ? 'an empty mapping' : 'a mapping';
  if (typeof value !== 'string') return `the ${typeof value === 'boolean' ? 'word' : 'number'} ${String(value)}`;
  return value.length > LONGEST_VALUE_SHOWN ? `"${value.slice(0, LONGEST_VALUE_SHOWN)}…"` : `"${value}"`;
}
