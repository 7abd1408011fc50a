import { isSecretName } from '../lib/secrets/secret-names.js';
import { MASK } from '../lib/secrets/secret-text.js';
import type { SourceInstruction } from './syntax.js';

const MOST_ENTRIES = 10_000;
const LONGEST_VALUE = 200;

/** What one instruction did. */
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
  /** Values whose digits are not the number in the document. */
  readonly numericFaults?: readonly string[];
}

/** The trace of a run, instruction by instruction (DEBUG$ TRACE,SCENARIO). */
export class ScenarioTrace {
  readonly #entries: TraceEntry[] = [];
  #left = 0;

  add(instruction: SourceInstruction, entry: TracedStep): void {
    if (this.#entries.length >= MOST_ENTRIES) {
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

  /** `{module, steps: [...], left?}`; `left` counts the steps past the bound of 10,000. */
  toJson(module: string): string {
    return JSON.stringify({ module, steps: this.#entries, ...(this.#left > 0 ? { left: this.#left } : {}) });
  }
}

/** `COPY$ INPUT-TO-VARIABLE`. */
export function instructionText({ name, operands: [form] }: SourceInstruction): string {
  return form?.kind === 'word' ? `${name} ${form.word}` : name;
}

/** What a trace shows of variables; undefined where there are none. */
export function shownVariables(set: ReadonlyMap<string, readonly string[]>): TracedStep['set'] {
  if (set.size === 0) return undefined;
  return Object.fromEntries([...set].map(([name, values]) => [name, values.map((value) => shown(name, value))]));
}

function shown(name: string, text: string): string {
  if (isSecretName(name)) return MASK;
  return text.length <= LONGEST_VALUE ? text : `${text.slice(0, LONGEST_VALUE)}… (${text.length} characters)`;
}
