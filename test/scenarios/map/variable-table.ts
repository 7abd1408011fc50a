import { atOnce } from '../../../src/lib/turns/work-in-turns.js';
import type { NumericFault } from '../../../src/scenarios/map/area-text.js';
import { type DocumentFormat, documentReading } from '../../../src/scenarios/map/document.js';
import type { ElementNode } from '../../../src/scenarios/map/element-tree.js';
import type {
  Mapping,
  MappingOutcome,
  MappingPort,
  NumericArea,
  SubroutineCall,
} from '../../../src/scenarios/map/mapping.js';

export function readDocument(format: DocumentFormat, text: string): ElementNode | undefined {
  return atOnce(documentReading(format, text));
}

/** Table variables as a scenario run has them. */
export class VariableTable implements MappingPort {
  readonly #variables: Map<string, string[]>;

  constructor(variables: Readonly<Record<string, readonly string[]>> = {}) {
    this.#variables = new Map(Object.entries(variables).map(([name, values]) => [name, [...values]]));
  }

  valueOf(variable: string): string | undefined {
    return this.#variables.get(variable)?.[0];
  }

  append(variable: string, value: string): void {
    const values = this.#variables.get(variable);
    if (values === undefined) this.#variables.set(variable, [value]);
    else values.push(value);
  }

  replace(variable: string, value: string): void {
    this.#variables.set(variable, [value]);
  }

  storable(text: string): string {
    return text;
  }

  readonly numericFaults: string[] = [];

  numericFault({ name, length }: NumericArea, fault: NumericFault): void {
    this.numericFaults.push(`${name} ${length} ${fault}`);
  }

  toRecord(): Record<string, string[]> {
    return Object.fromEntries(this.#variables);
  }
}

/** Runs a mapping to its end; `subroutine` is what MAP$ EXECUTE does. */
export function complete(
  mapping: Mapping,
  subroutine: (call: SubroutineCall) => void = ({ execute }) => {
    throw new Error(`no subroutine ${execute}`);
  },
): MappingOutcome {
  for (;;) {
    const step = mapping.next();
    if (step.done) return step.value;
    if (step.value !== undefined) subroutine(step.value);
  }
}

/** The record of a mapping that does not abend. */
export function recordOf(...mapping: Parameters<typeof complete>): string {
  const outcome = complete(...mapping);
  if (outcome.kind === 'abended') throw new Error(`abended in line ${outcome.at.line}`);
  return outcome.record;
}
