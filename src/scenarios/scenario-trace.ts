import type { TraceSink, TraceSinks } from '../lib/log/trace-sinks.js';
import { isSecretName, MASK, MetSecrets, withoutSecrets } from '../lib/secrets/secret-text.js';
import { printable } from '../lib/text/characters.js';
import type { ScenarioRequest } from './scenario-outcome.js';
import type { SourceInstruction, StartedKind } from './syntax.js';
import { bytesOf } from './value.js';
import type { VariableStore } from './variable-store.js';

export interface ScenarioTaps {
  readonly scenarios: TraceSinks;
  readonly entryPoints: TraceSinks;
}

interface TracedRun {
  readonly moduleName: string;
  readonly request: ScenarioRequest;
  readonly variables: VariableStore;
  readonly codePage: string;
}

const MOST_STEPS = 10_000;
const MOST_PARAMETERS = 100;
/** Characters of a value that are searched for secrets before it is truncated for display. */
const LONGEST_LOOKED_AT = 4_000;
const LONGEST_SHOWN = 200;

let runs = 0;

export function writtenTraceOf(
  sinks: ScenarioTaps | undefined,
  kind: StartedKind,
  run: TracedRun,
): WrittenTrace | undefined {
  if (sinks === undefined) return undefined;
  const { request, moduleName, variables } = run;
  const { scenarios, entryPoints } = sinks;
  const openSinks = [scenarios.sinkOf(moduleName), entryPoints.sinkOf(request.names.get('ENTRY-POINT') ?? '')];
  const found = openSinks.filter((sink) => sink !== undefined);
  if (found.length === 0) return undefined;
  const secrets = new MetSecrets((text) => bytesOf(text, run.codePage));
  for (const text of secretTexts(variables, request)) secrets.add(text);
  const trace = new WrittenTrace(found, moduleName, secrets);
  trace.began(kind, request);
  return trace;
}

export class WrittenTrace {
  readonly #sinks: readonly TraceSink[];
  readonly #secrets: MetSecrets;
  readonly #run: string;
  #steps = 0;

  constructor(sinks: readonly TraceSink[], module: string, secrets: MetSecrets) {
    this.#sinks = sinks;
    this.#secrets = secrets;
    runs = (runs + 1) % 1_000_000;
    this.#run = `#${runs} ${printable(module)}`;
  }

  began(kind: StartedKind, { requestId, method, names, parameters }: ScenarioRequest): void {
    const transaction = names.get('TRANSACTION-EXTERNAL') ?? '';
    this.#write(`${kind} begins: request ${requestId}, ${method}, transaction ${printable(transaction) || '–'}`);
    for (const [name, values] of [...parameters].slice(0, MOST_PARAMETERS)) {
      this.#write(`  parameter ${printable(name.slice(0, LONGEST_SHOWN))} = ${this.#shown(name, values)}`);
    }
  }

  step(instruction: SourceInstruction, step: TracedStep, set: ReadonlyMap<string, readonly string[]>): void {
    // also masks the secrets set by this step in its own line
    for (const [name, values] of set) if (isSecretName(name)) for (const value of values) this.#secrets.add(value);
    this.#steps += 1;
    if (this.#steps > MOST_STEPS) {
      if (this.#steps === MOST_STEPS + 1) this.#write(`the trace ends after ${MOST_STEPS} instructions`);
      return;
    }
    const { milliseconds, jumpsToLine, notFound, failure, numericFaults = [] } = step;
    const words = [
      `${milliseconds} ms`,
      jumpsToLine === undefined ? '' : `goes to line ${jumpsToLine}`,
      notFound ? 'NOT-FOUND' : '',
      failure === undefined ? '' : `fails: ${this.#shownText(failure)}`,
      ...numericFaults.map(printable),
      ...[...set].map(([name, values]) => `${printable(name)} = ${this.#shown(name, values)}`),
    ];
    const { line, label } = instruction;
    const text = `${String(line).padStart(5)} ${(label ?? '').padEnd(8)} ${instructionText(instruction)}`;
    this.#write(`${text}; ${words.filter(Boolean).join('; ')}`);
  }

  ended(how: string): void {
    this.#write(this.#shownText(how));
  }

  #shown(name: string, values: readonly string[]): string {
    return values.map((value) => (isSecretName(name) ? MASK : `"${this.#shownText(value)}"`)).join(', ');
  }

  #shownText(text: string): string {
    const shown = printable(withoutSecrets(this.#secrets.masked(text.slice(0, LONGEST_LOOKED_AT))));
    return cut(shown, text.length);
  }

  #write(text: string): void {
    const line = `${new Date().toISOString()} ${this.#run} ${text}`;
    for (const sink of this.#sinks) sink.write(line);
  }
}

export type TracedStep = Omit<TraceEntry, 'line' | 'label' | 'instruction'>;

interface TraceEntry {
  readonly line: number;
  readonly label?: string;
  readonly instruction: string;
  readonly milliseconds: number;
  readonly jumpsToLine?: number;
  readonly notFound?: true;
  readonly set?: Record<string, readonly string[]>;
  readonly failure?: string;
  readonly numericFaults?: readonly string[];
}

/** Trace of a run for DEBUG$ TRACE,SCENARIO. */
export class ScenarioTrace {
  readonly #entries: TraceEntry[] = [];
  #left = 0;

  add(instruction: SourceInstruction, entry: TracedStep): void {
    if (this.#entries.length >= MOST_STEPS) {
      this.#left++;
      return;
    }
    this.#entries.push({
      line: instruction.line,
      ...(instruction.label === undefined ? {} : { label: instruction.label }),
      instruction: instructionText(instruction),
      ...entry,
    });
  }

  /** `{module, steps: [...], left?}`; `left` counts the steps past the limit of 10,000. */
  toJson(module: string): string {
    return JSON.stringify({ module, steps: this.#entries, ...(this.#left > 0 ? { left: this.#left } : {}) });
  }
}

function instructionText({ name, operands: [form] }: SourceInstruction): string {
  return form?.kind === 'word' ? `${name} ${form.word}` : name;
}

/** Truncates values and masks secrets; undefined if `set` is empty. */
export function shownVariables(set: ReadonlyMap<string, readonly string[]>): TracedStep['set'] {
  if (set.size === 0) return undefined;
  return Object.fromEntries([...set].map(([name, values]) => [name, values.map((value) => shown(name, value))]));
}

function shown(name: string, text: string): string {
  if (isSecretName(name)) return MASK;
  return cut(text, text.length);
}

function cut(text: string, characters: number): string {
  return text.length <= LONGEST_SHOWN ? text : `${text.slice(0, LONGEST_SHOWN)}… (${characters} characters)`;
}

/**
 * Values with secret names: in the variables, which may contain values of previous runs, and in the request parameters.
 */
export function* secretTexts(
  variables: VariableStore,
  { parameters }: Pick<ScenarioRequest, 'parameters'>,
): Generator<string> {
  for (const name of variables.names()) if (isSecretName(name)) yield* variables.texts(name) ?? [];
  for (const [name, values] of parameters) if (isSecretName(name)) yield* values;
}
