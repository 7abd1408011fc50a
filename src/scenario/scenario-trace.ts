import type { SourceInstruction } from './syntax.js';

const MOST_ENTRIES = 10_000;
const LONGEST_VALUE = 200;

interface TraceEntry {
  readonly line: number;
  readonly label?: string;
  readonly instruction: string;
  readonly milliseconds: number;
  readonly jumpsToLine?: number;
  readonly notFound?: true;
  readonly set?: Record<string, readonly string[]>;
  readonly failure?: string;
}

/** The trace of a run, instruction by instruction (DEBUG$ TRACE,SCENARIO). */
export class ScenarioTrace {
  readonly #entries: TraceEntry[] = [];
  #left = 0;

  add(instruction: SourceInstruction, entry: Omit<TraceEntry, 'line' | 'label' | 'instruction'>): void {
    if (this.#entries.length >= MOST_ENTRIES) {
      this.#left++;
      return;
    }
    const form = instruction.operands[0];
    this.#entries.push({
      line: instruction.line,
      ...(instruction.label === undefined ? {} : { label: instruction.label }),
      instruction: form?.kind === 'word' ? `${instruction.name} ${form.word}` : instruction.name,
      ...entry,
    });
  }

  /** `{module, steps: [...], left?}`; `left` counts the steps past the bound of 10,000. */
  toJson(module: string): string {
    return JSON.stringify({ module, steps: this.#entries, ...(this.#left > 0 ? { left: this.#left } : {}) });
  }
}

/** The beginning of a value, for a trace. */
export function shownValue(text: string): string {
  return text.length <= LONGEST_VALUE ? text : `${text.slice(0, LONGEST_VALUE)}… (${text.length} characters)`;
}
