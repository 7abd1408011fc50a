import { RE2JS, RE2JSException } from 're2js';
import type { ScreenCondition } from '../conversation/screen-definition.js';
import { readStrokes } from '../conversation/typed-text.js';
import { datePatternFault, type ValueType } from '../conversation/values.js';
import { type DocumentFault, errorAt, type KeyPath, warningAt } from '../document/document-fault.js';
import { attentionKeys } from '../keyboard/attention-keys.js';
import { didYouMean } from '../nearest-name.js';
import { isSecretName } from '../secret-names.js';
import { LONGEST_PARAMETER, type ParameterDefinition, readValue } from './parameter.js';
import type {
  ExtractDefinition,
  FieldFill,
  ServiceAnswer,
  ServiceDefinition,
  ServiceStep,
  TypedPiece,
} from './service-definition.js';
import type {
  ExtractDocument,
  FillDocument,
  ParameterDocument,
  ServiceDocument,
  StepDocument,
  ValueDocument,
} from './service-document.js';
import { readTextPieces, type TextPiece } from './text-pieces.js';

interface BuiltService {
  readonly service: ServiceDefinition;
  /** What the schema cannot say. The service is usable where none of them is an error. */
  readonly faults: readonly DocumentFault[];
}

const DEFAULT_DATE_FORMAT = 'YYYY-MM-DD';

/**
 * Makes a service of a file that has passed its schema.
 * @param screens names of screens.yaml; undefined where it is faulty itself, and a missing screen would be no second fault
 */
export function buildService(document: ServiceDocument, screens: ReadonlySet<string> | undefined): BuiltService {
  return new ServiceBuilder(screens, new Set(Object.keys(document.parameters))).build(document);
}

class ServiceBuilder {
  readonly #screens: ReadonlySet<string> | undefined;
  readonly #parameters: ReadonlySet<string>;
  readonly #used = new Set<string>();
  readonly #faults: DocumentFault[] = [];

  constructor(screens: ReadonlySet<string> | undefined, parameters: ReadonlySet<string>) {
    this.#screens = screens;
    this.#parameters = parameters;
  }

  build(document: ServiceDocument): BuiltService {
    const { service: name, description = '', pool, scenario, steps } = document;
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
        : { kind: 'scenario', module: scenario };
    if (work.kind === 'steps') this.#checkNames(work.steps);
    for (const key of parameters.keys()) {
      if (work.kind === 'steps' && !this.#used.has(key)) {
        this.#faults.push(warningAt(['parameters', key], 'no step uses it'));
      }
    }
    return { service: { name, description, pool, parameters, work }, faults: this.#faults };
  }

  #parameter(name: string, document: ParameterDocument): ParameterDefinition {
    const path = ['parameters', name];
    const { type, description = '', secret, format = DEFAULT_DATE_FORMAT } = document;
    this.#checkKeys(path, document);
    if (!secret && isSecretName(name)) {
      this.#faults.push(warningAt(path, 'by its name it is a secret: expected "secret: true", or another name'));
    }
    const definition: ParameterDefinition = {
      type,
      description,
      pattern: this.#pattern([...path, 'pattern'], document.pattern),
      minLength: document.minLength ?? 0,
      maxLength: document.maxLength ?? LONGEST_PARAMETER,
      minimum: document.minimum,
      maximum: document.maximum,
      enum: undefined,
      required: document.default === undefined && (document.required ?? true),
      default: undefined,
      format,
      secret,
    };
    if (document.required === true && document.default !== undefined) {
      this.#error([...path, 'required'], 'what has a default is not required');
    }
    if (definition.minLength > definition.maxLength) {
      this.#error([...path, 'maxLength'], `expected at least minLength, ${definition.minLength}`);
    }
    const values = document.enum?.map((value, at) => this.#text([...path, 'enum', String(at)], definition, value));
    const byDefault =
      document.default === undefined
        ? undefined
        : this.#text([...path, 'default'], { ...definition, enum: values }, document.default);
    return { ...definition, enum: values, default: byDefault };
  }

  #checkKeys(path: KeyPath, document: ParameterDocument): void {
    const only: Readonly<Record<string, readonly string[]>> = {
      pattern: ['string'],
      minLength: ['string'],
      maxLength: ['string', 'integer', 'decimal'],
      minimum: ['integer', 'decimal'],
      maximum: ['integer', 'decimal'],
      format: ['date'],
    };
    for (const [key, types] of Object.entries(only)) {
      if (Object.hasOwn(document, key) && !types.includes(document.type)) {
        this.#error([...path, key], `a parameter of type ${document.type} has no ${key}`);
      }
    }
  }

  #pattern(path: KeyPath, source: string | undefined): ParameterDefinition['pattern'] {
    if (source === undefined) return undefined;
    try {
      return { source, expression: RE2JS.compile(source) };
    } catch (error) {
      if (!(error instanceof RE2JSException)) throw error;
      this.#error(path, `expected a regular expression without look-around and back-references: ${error.message}`);
      return undefined;
    }
  }

  #text(path: KeyPath, definition: ParameterDefinition, value: unknown): string {
    const reading = readValue(definition, value);
    if (reading.kind === 'text') return reading.text;
    this.#error(path, `it is not what the parameter takes: ${reading.message}`);
    return '';
  }

  #step(document: StepDocument, index: number, { quietMilliseconds }: ServiceDocument): ServiceStep {
    const path = ['steps', String(index)];
    const { optional, press, cursor, within } = document;
    const isAct = document.fill !== undefined || document.type !== undefined || cursor !== undefined;
    if (isAct && press === undefined) this.#error(path, 'what is filled in or typed goes nowhere: expected "press"');
    if (press === undefined && document.expect !== undefined) {
      this.#error([...path, 'expect'], 'without "press" nothing comes');
    }
    return {
      at: this.#screenNames([...path, 'at'], document.at) ?? [],
      optional,
      fill: (document.fill ?? []).map((fill, at) => this.#fill([...path, 'fill', String(at)], fill)),
      cursor,
      type: document.type === undefined ? [] : this.#typed([...path, 'type'], document.type),
      press: press === undefined ? undefined : this.#attentionKey([...path, 'press'], press),
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

  #fill(path: KeyPath, { label, at, text }: FillDocument): FieldFill {
    const pieces = this.#pieces([...path, 'text'], text);
    if (at !== undefined && label === undefined) return { field: { at }, text: pieces };
    if (label === undefined || at !== undefined) this.#error(path, 'expected either "label" or "at"');
    return { field: { label: label ?? '' }, text: pieces };
  }

  #answer(
    path: KeyPath,
    { status, code, message = '' }: { status: number; code: string; message?: string },
  ): ServiceAnswer {
    return { status, code, message: this.#pieces([...path, 'message'], message) };
  }

  /** Keys stand in brackets, and only the file's own text is looked through for them. */
  #typed(path: KeyPath, source: string): TypedPiece[] {
    return this.#pieces(path, source).flatMap((piece): TypedPiece[] => {
      if (piece.kind === 'parameter') return [piece];
      const strokes = readStrokes(piece.text);
      if (strokes.kind === 'fault') {
        this.#error(path, strokes.fault);
        return [];
      }
      return strokes.value.map((stroke) =>
        'text' in stroke ? { kind: 'text', text: stroke.text } : { kind: 'key', key: stroke.key },
      );
    });
  }

  #pieces(path: KeyPath, source: string): readonly TextPiece[] {
    const read = readTextPieces(source);
    if (read.kind === 'fault') {
      this.#error(path, read.fault);
      return [];
    }
    for (const piece of read.value) {
      if (piece.kind !== 'parameter') continue;
      this.#used.add(piece.name);
      if (this.#parameters.has(piece.name)) continue;
      this.#error(path, `there is no parameter "${piece.name}"${didYouMean(piece.name, this.#parameters)}`);
    }
    return read.value;
  }

  #attentionKey(path: KeyPath, name: string): string {
    const folded = name.toUpperCase();
    const key = [...attentionKeys.keys()].find((known) => known.toUpperCase() === folded);
    if (key !== undefined) return key;
    this.#error(path, `expected an attention key, found "${name}"${didYouMean(name, attentionKeys.keys())}`);
    return name;
  }

  #screenNames(path: KeyPath, names: string | readonly string[] | undefined): readonly string[] | undefined {
    if (names === undefined) return undefined;
    if (typeof names === 'string') return [this.#screenName(path, names)];
    return names.map((name, at) => this.#screenName([...path, String(at)], name));
  }

  #screenName(path: KeyPath, name: string, at: 'key' | 'value' = 'value'): string {
    if (this.#screens?.has(name) === false) {
      const message = `there is no screen "${name}" in screens.yaml${didYouMean(name, this.#screens)}`;
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
      this.#error(path, 'a table has "rows" and "columns"; where and what its values are, each column says');
      return undefined;
    }
    if (key !== undefined && !Object.hasOwn(columns, key)) {
      this.#error([...path, 'key'], `there is no column "${key}"${didYouMean(key, Object.keys(columns))}`);
    }
    const typed = Object.entries(columns).map(([name, { column, length, ...type }]) => {
      return [name, { column, length, ...this.#valueType([...path, 'columns', name], type) }] as const;
    });
    return {
      kind: 'table',
      table: {
        rows,
        columns: Object.fromEntries(typed),
        // its shape is that of the schema
        until: until as ScreenCondition | undefined,
        next: next === undefined ? undefined : this.#attentionKey([...path, 'next'], next),
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
    if (pattern === undefined) this.#error(path, 'expected "pattern", which says how the date stands on the screen');
    const fault = datePatternFault(pattern ?? 'YYYY-MM-DD');
    if (fault !== undefined) this.#error([...path, 'pattern'], fault);
    return { as, pattern: pattern ?? 'YYYY-MM-DD' };
  }

  /** Names of an answer are given once, but for steps that are taken or left out. */
  #checkNames(steps: readonly ServiceStep[]): void {
    const seen = new Set<string>();
    for (const [at, { extract, optional }] of steps.entries()) {
      if (optional) continue;
      for (const name of extract.keys()) {
        if (seen.has(name)) this.#error(['steps', String(at), 'extract', name], 'another step has this name already');
        seen.add(name);
      }
    }
  }

  #error(path: KeyPath, message: string): void {
    this.#faults.push(errorAt(path, message));
  }
}
