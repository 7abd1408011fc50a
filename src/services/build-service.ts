import { type DocumentFault, errorAt, type KeyPath, warningAt } from '../lib/documents/source-diagnostic.js';
import { isSecretName } from '../lib/secrets/secret-text.js';
import { NameGuesses } from '../lib/text/nearest-name.js';
import { countStrokes, hostKeyNamed, isForHost, MOST_STROKES, readStrokes } from '../tn3270/conversation/act.js';
import type { ScreenDefinition } from '../tn3270/conversation/screen-definition.js';
import { datePatternFault, type ValueType } from '../tn3270/conversation/values.js';
import { attentionKeys } from '../tn3270/keyboard/attention-keys.js';
import { readTextPieces, type TextOrParameter } from '../tn3270/keyboard/text-pieces.js';
import type { ScreenCondition } from '../tn3270/screen/screen-condition.js';
import { ServicePatterns } from './bounded-pattern.js';
import { buildTransfer } from './build-transfer.js';
import {
  besideTransfer,
  keyFaults,
  LARGEST_FILE,
  LONGEST_PARAMETER,
  type ParameterDefinition,
  readValue,
  untypableTexts,
} from './parameter.js';
import { areaFaults, conditionFaults, placeFaults, rowsFaults } from './place-faults.js';
import type {
  ExtractDefinition,
  FieldFill,
  ServiceAnswer,
  ServiceDefinition,
  ServiceStep,
  ServiceTransfer,
  TypedPiece,
} from './service-definition.js';
import type {
  ExtractDocument,
  FillDocument,
  ParameterDocument,
  ServiceDocument,
  StepDocument,
  TransferDocument,
  ValueDocument,
} from './service-document.js';

interface BuiltService {
  readonly service: ServiceDefinition;
  /** Faults beyond the schema. The service is usable if none of them is an error. */
  readonly faults: readonly DocumentFault[];
}

/** Maximum number of conditions of all screens of one step: they are evaluated after every write by the host. */
const MOST_CONDITIONS = 200;
/** Maximum number of columns of all tables of a service: they are read in each row, which blocks the event loop. */
const MOST_COLUMNS = 200;
const DEFAULT_DATE_FORMAT = 'YYYY-MM-DD';

/**
 * Builds a service from a file that matches its schema.
 * @param screens definitions of screens.yaml; undefined if screens.yaml is invalid, so that missing screens are not
 * reported too
 */
export function buildService(
  document: ServiceDocument,
  screens: ReadonlyMap<string, ScreenDefinition> | undefined,
): BuiltService {
  return new ServiceBuilder(screens, document).build(document);
}

class ServiceBuilder {
  readonly #screens: ReadonlyMap<string, ScreenDefinition> | undefined;
  readonly #parameters: ReadonlySet<string>;
  readonly #documents: ServiceDocument['parameters'];
  readonly #used = new Set<string>();
  readonly #faults: DocumentFault[] = [];
  readonly #guesses = new NameGuesses();
  readonly #near = (name: string, known: Iterable<string>) => this.#guesses.didYouMean(name, known);
  readonly #patterns = new ServicePatterns();
  #columns = 0;

  constructor(screens: ReadonlyMap<string, ScreenDefinition> | undefined, { parameters }: ServiceDocument) {
    this.#screens = screens;
    this.#parameters = new Set(Object.keys(parameters));
    this.#documents = parameters;
  }

  build(document: ServiceDocument): BuiltService {
    const { service: name, description = '', pool, scenario, host, steps } = document;
    const parameters = new Map(
      Object.entries(document.parameters).map(([key, parameter]) => [key, this.#parameter(key, parameter)]),
    );
    if ((steps === undefined) === (scenario === undefined)) {
      this.#error(['service'], 'expected either "steps" or "scenario"');
    }
    if (scenario !== undefined && pool !== undefined) {
      this.#error(['pool'], 'a service made of a scenario uses the session of its scenario: expected no pool');
    }
    const work: ServiceDefinition['work'] =
      scenario === undefined
        ? { kind: 'steps', steps: (steps ?? []).map((step, at) => this.#step(step, at, document)) }
        : { kind: 'scenario', module: scenario, host };
    if (work.kind === 'scenario') this.#checkVariables(parameters.keys());
    else if (host !== undefined) this.#error(['host'], 'steps run in sessions of a pool: expected "pool"');
    if (work.kind === 'steps') this.#checkNames(work.steps);
    for (const key of parameters.keys()) {
      if (work.kind === 'steps' && !this.#used.has(key)) {
        this.#faults.push(warningAt(['parameters', key], 'no step uses it'));
      }
    }
    return { service: { name, description, pool, parameters, work }, faults: this.#faults };
  }

  #checkVariables(names: Iterable<string>): void {
    const seen = new Map<string, string>();
    for (const name of names) {
      const other = seen.get(name.toUpperCase());
      if (other !== undefined) this.#error(['parameters', name], `it has the same variable as "${other}"`);
      seen.set(name.toUpperCase(), name);
    }
  }

  #parameter(name: string, document: ParameterDocument): ParameterDefinition {
    const path = ['parameters', name];
    const { type, description = '', secret, format = DEFAULT_DATE_FORMAT } = document;
    this.#faults.push(...keyFaults(document, path));
    if (!secret && isSecretName(name)) {
      this.#faults.push(warningAt(path, 'its name suggests a secret: expected "secret: true", or another name'));
    }
    const maxLength = type === 'file' ? (document.maxBytes ?? LARGEST_FILE) : (document.maxLength ?? LONGEST_PARAMETER);
    const definition: ParameterDefinition = {
      type,
      description,
      pattern: type === 'file' ? undefined : this.#pattern([...path, 'pattern'], document.pattern, maxLength),
      minLength: document.minLength ?? 0,
      maxLength,
      minimum: this.#limit([...path, 'minimum'], document.minimum),
      maximum: this.#limit([...path, 'maximum'], document.maximum),
      enum: undefined,
      required: document.default === undefined && (document.required ?? true),
      default: undefined,
      format,
      encoding: document.encoding ?? 'text',
      secret,
    };
    if (document.required === true && document.default !== undefined) {
      this.#error([...path, 'required'], 'a parameter with a default cannot be required');
    }
    if (definition.minLength > definition.maxLength) {
      this.#error([...path, 'maxLength'], `expected at least minLength, ${definition.minLength}`);
    }
    if (document.minimum !== undefined && document.maximum !== undefined && document.minimum > document.maximum) {
      this.#error([...path, 'maximum'], `expected at least minimum, ${document.minimum}`);
    }
    if (document.type === 'date') {
      const fault = datePatternFault(format);
      if (fault !== undefined) this.#error([...path, 'format'], fault);
    }
    const values = document.enum?.map((value, at) => this.#text([...path, 'enum', String(at)], definition, value));
    const byDefault =
      document.default === undefined
        ? undefined
        : this.#text([...path, 'default'], { ...definition, enum: values }, document.default);
    return { ...definition, enum: values, default: byDefault };
  }

  #limit(path: KeyPath, limit: number | undefined): number | undefined {
    if (limit === undefined) return undefined;
    if (/^-?[0-9]+(?:\.[0-9]+)?$/.test(String(limit))) return limit;
    this.#error(path, 'expected a number with at most 6 decimals');
    return undefined;
  }

  #pattern(path: KeyPath, source: string | undefined, maxLength: number): ParameterDefinition['pattern'] {
    if (source === undefined) return undefined;
    const fault = this.#patterns.faultOf(source, maxLength);
    if (fault === undefined) return source;
    this.#error(path, fault);
    return undefined;
  }

  #text(path: KeyPath, definition: ParameterDefinition, value: unknown): string {
    const reading = readValue(definition, value);
    if (reading.kind === 'text') return reading.text;
    this.#error(path, `it is not a valid value of the parameter: ${reading.message}`);
    return '';
  }

  #step(document: StepDocument, index: number, { quietMilliseconds, steps = [] }: ServiceDocument): ServiceStep {
    const path = ['steps', String(index)];
    const { optional, press, cursor, within } = document;
    this.#faults.push(...besideTransfer(document, path), ...untypableTexts(document, path));
    const isAct = document.fill !== undefined || document.type !== undefined || cursor !== undefined;
    if (isAct && press === undefined) this.#error(path, 'text that is filled in or typed is not sent without "press"');
    for (const key of ['expect', 'outcomes'] as const) {
      const isThere = key === 'expect' ? document.expect !== undefined : Object.keys(document.outcomes).length > 0;
      if (press === undefined && isThere) this.#error([...path, key], 'without "press" the host sends no screen');
    }
    const goesOn = steps.slice(index + 1).some((next) => !next.optional);
    if (press !== undefined && document.expect === undefined && Object.keys(document.outcomes).length > 0 && !goesOn) {
      this.#error([...path, 'outcomes'], 'no later step handles other screens: expected "expect" beside "outcomes"');
    }
    const expected = [document.expect ?? []].flat();
    for (const screen of Object.keys(document.outcomes).filter((name) => expected.includes(name))) {
      this.#error([...path, 'outcomes', screen], 'it is also in "expect"');
    }
    this.#checkConditions(path, document, steps[index + 1]);
    if (cursor !== undefined) this.#faults.push(...placeFaults(cursor, [...path, 'cursor']));
    return {
      at: this.#screenNames([...path, 'at'], document.at) ?? [],
      transfer: document.transfer && this.#transfer([...path, 'transfer'], document.transfer),
      optional,
      fill: (document.fill ?? []).map((fill, at) => this.#fill([...path, 'fill', String(at)], fill)),
      cursor,
      type: document.type === undefined ? [] : this.#typed([...path, 'type'], document.type),
      press: press === undefined ? undefined : this.#hostKey([...path, 'press'], press),
      withinMilliseconds: Math.round(within * 1_000),
      quietMilliseconds: document.quietMilliseconds ?? quietMilliseconds,
      expect: this.#screenNames([...path, 'expect'], document.expect),
      outcomes: new Map(
        Object.entries(document.outcomes).map(([screen, answer]) => [
          this.#screenName([...path, 'outcomes', screen], screen, 'key'),
          this.#answer([...path, 'outcomes', screen], answer),
        ]),
      ),
      extract: new Map(
        Object.entries(document.extract ?? {}).flatMap(([name, extract]) => {
          const read = this.#extract([...path, 'extract', name], extract);
          return read === undefined ? [] : [[name, read]];
        }),
      ),
    };
  }

  #transfer(path: KeyPath, document: TransferDocument): ServiceTransfer {
    const file = this.#pieces([...path, 'file'], document.file);
    this.#used.add(document.contents);
    const { transfer, faults } = buildTransfer(document, { path, parameters: this.#documents, file, near: this.#near });
    this.#faults.push(...faults);
    return transfer;
  }

  #checkConditions(path: KeyPath, { at, expect = [], outcomes }: StepDocument, next: StepDocument | undefined): void {
    const names = new Set([at, expect, next?.at ?? [], Object.keys(outcomes)].flat());
    let count = 0;
    for (const name of names) count += this.#screens?.get(name)?.conditions.length ?? 0;
    if (count > MOST_CONDITIONS) {
      this.#error(path, `its screens have ${count} conditions in total: expected at most ${MOST_CONDITIONS}`);
    }
  }

  #fill(path: KeyPath, { label, at, text }: FillDocument): FieldFill {
    const pieces = this.#pieces([...path, 'text'], text);
    if (at !== undefined) this.#faults.push(...placeFaults(at, [...path, 'at']));
    if (label?.trim() === '') this.#error([...path, 'label'], 'expected words, found blanks');
    if (at !== undefined && label === undefined) return { field: { at }, text: pieces };
    if (label === undefined || at !== undefined) this.#error(path, 'expected either "label" or "at"');
    return { field: { label: label ?? '' }, text: pieces };
  }

  #answer(
    path: KeyPath,
    { status, code, message = '' }: { status: number; code: string; message?: string },
  ): ServiceAnswer {
    const pieces = this.#pieces([...path, 'message'], message);
    for (const piece of pieces) {
      if (piece.kind !== 'parameter' || this.#documents[piece.name]?.secret !== true) continue;
      this.#error([...path, 'message'], `the parameter "${piece.name}" is secret, so it cannot be in an answer`);
    }
    return { status, code, message: pieces };
  }

  /** Reads bracketed keys, but only in the text of the file and never in parameter values. */
  #typed(path: KeyPath, source: string): TypedPiece[] {
    return this.#pieces(path, source).flatMap((piece): TypedPiece[] => {
      if (piece.kind === 'parameter') return [piece];
      const strokes = readStrokes(piece.text);
      if (strokes.kind === 'fault') {
        this.#error(path, strokes.fault);
        return [];
      }
      const early = strokes.value.find((stroke) => 'key' in stroke && isForHost(stroke.key));
      if (early !== undefined && 'key' in early)
        this.#error(path, `${early.key} goes to the host: expected it in "press"`);
      if (countStrokes(strokes.value) > MOST_STROKES)
        this.#error(path, `expected at most ${MOST_STROKES} characters and keys`);
      return strokes.value.map((stroke) =>
        'text' in stroke ? { kind: 'text', text: stroke.text } : { kind: 'key', key: stroke.key },
      );
    });
  }

  #pieces(path: KeyPath, source: string): readonly TextOrParameter[] {
    const read = readTextPieces(source);
    if (read.kind === 'fault') {
      this.#error(path, read.fault);
      return [];
    }
    for (const piece of read.value) {
      if (piece.kind !== 'parameter') continue;
      this.#used.add(piece.name);
      if (this.#documents[piece.name]?.type === 'file')
        this.#error(path, `"${piece.name}" is a file: it can be transferred, but not typed`);
      if (this.#parameters.has(piece.name)) continue;
      this.#error(path, `there is no parameter "${piece.name}"${this.#near(piece.name, this.#parameters)}`);
    }
    return read.value;
  }

  #hostKey(path: KeyPath, name: string): string {
    const key = hostKeyNamed(name);
    if (key !== undefined) return key;
    this.#error(path, `expected a key that goes to the host, found "${name}"${this.#near(name, attentionKeys)}`);
    return name;
  }

  #screenNames(path: KeyPath, names: string | readonly string[] | undefined): readonly string[] | undefined {
    if (names === undefined) return undefined;
    if (typeof names === 'string') return [this.#screenName(path, names)];
    return names.map((name, at) => this.#screenName([...path, String(at)], name));
  }

  #screenName(path: KeyPath, name: string, at: 'key' | 'value' = 'value'): string {
    if (this.#screens?.has(name) === false) {
      const message = `there is no screen "${name}" in screens.yaml${this.#near(name, this.#screens.keys())}`;
      this.#faults.push({ path, at, message, severity: 'error' });
    }
    return name;
  }

  #extract(path: KeyPath, document: ExtractDocument): ExtractDefinition | undefined {
    const { at, length, area, description = '', rows, columns } = document;
    if (rows !== undefined || columns !== undefined) return this.#table(path, document);
    for (const only of ['key', 'until', 'next', 'most'] as const) {
      if (document[only] !== undefined) this.#error([...path, only], `only a table has ${only}`);
    }
    const type = this.#valueType(path, document);
    if (at !== undefined) this.#faults.push(...placeFaults(at, [...path, 'at']));
    if (area !== undefined) this.#faults.push(...areaFaults(area, [...path, 'area']));
    if (area !== undefined && at === undefined && length === undefined) {
      return { kind: 'value', extract: { ...type, area }, description };
    }
    if (at !== undefined && length !== undefined && area === undefined) {
      return { kind: 'value', extract: { ...type, at, length }, description };
    }
    this.#error(path, 'expected "at" and "length", or "area", or "rows" and "columns"');
    return undefined;
  }

  #table(
    path: KeyPath,
    { rows, columns, key, until, next, most, ...rest }: ExtractDocument,
  ): ExtractDefinition | undefined {
    if (rows === undefined || columns === undefined || Object.keys(rest).some((name) => name !== 'description')) {
      this.#error(path, 'a table has only "rows" and "columns"; each column has the place and the type of its values');
      return undefined;
    }
    if (key !== undefined && !Object.hasOwn(columns, key)) {
      this.#error([...path, 'key'], `there is no column "${key}"${this.#near(key, Object.keys(columns))}`);
    }
    this.#faults.push(...rowsFaults(rows, [...path, 'rows', '0'], [...path, 'rows', '1']));
    if (until !== undefined) this.#faults.push(...conditionFaults(until as ScreenCondition, [...path, 'until']));
    this.#columns += Object.keys(columns).length;
    if (this.#columns > MOST_COLUMNS) {
      const words = `the tables of the service up to this one have ${this.#columns} columns in total`;
      this.#error([...path, 'columns'], `${words}: expected at most ${MOST_COLUMNS}`);
    }
    const typed = Object.entries(columns).map(([name, { column, length, ...type }]) => {
      return [name, { column, length, ...this.#valueType([...path, 'columns', name], type) }] as const;
    });
    return {
      kind: 'table',
      table: {
        rows,
        columns: Object.fromEntries(typed),
        // the schema guarantees this type
        until: until as ScreenCondition | undefined,
        next: next === undefined ? undefined : this.#hostKey([...path, 'next'], next),
        most,
      },
      key,
      descriptions: new Map(Object.entries(columns).map(([name, { description = '' }]) => [name, description])),
    };
  }

  #valueType(path: KeyPath, { as = 'string', pattern, decimalMark }: ValueDocument): ValueType {
    if (as !== 'date' && pattern !== undefined) this.#error([...path, 'pattern'], 'only a date has a pattern');
    if (as !== 'decimal' && decimalMark !== undefined) {
      this.#error([...path, 'decimalMark'], 'only a decimal number has a decimalMark');
    }
    if (as === 'decimal') return { as, decimalMark: decimalMark ?? '.' };
    if (as !== 'date') return { as };
    if (pattern === undefined) this.#error(path, 'expected "pattern", the format of the date on the screen');
    const fault = datePatternFault(pattern ?? 'YYYY-MM-DD');
    if (fault !== undefined) this.#error([...path, 'pattern'], fault);
    return { as, pattern: pattern ?? 'YYYY-MM-DD' };
  }

  #checkNames(steps: readonly ServiceStep[]): void {
    const seen = new Set<string>();
    for (const [at, { extract, optional, transfer }] of steps.entries()) {
      if (optional) continue;
      const names = [...extract.keys()].map((name): readonly string[] => [name, 'extract', name]);
      if (transfer?.options.direction === 'receive') names.push([transfer.contents, 'transfer', 'contents']);
      for (const [name = '', ...path] of names) {
        if (seen.has(name)) this.#error(['steps', String(at), ...path], 'another step already has this name');
        seen.add(name);
      }
    }
  }

  #error(path: KeyPath, message: string): void {
    this.#faults.push(errorAt(path, message));
  }
}
