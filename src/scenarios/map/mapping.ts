import { withoutTrailingBlanks } from '../../lib/text/characters.js';
import type { SourcePlace } from '../syntax.js';
import type { NumericFault } from './area-text.js';

export interface NumericArea {
  readonly name: string;
  readonly length: number | undefined;
}

export interface MappingPort {
  /** First value of the variable, or its current value in a FOREACH$; undefined if it does not exist. */
  valueOf(variable: string): string | undefined;
  append(variable: string, value: string): void;
  replace(variable: string, value: string): void;
  /** Replaces each character that the code page of the record lacks by a substitute. */
  storable(text: string): string;
  numericFault(area: NumericArea, fault: NumericFault): void;
}

/** A MAP$ EXECUTE inside a mapping. The interpreter calls the label, then resumes the mapping. */
export interface SubroutineCall extends SourcePlace {
  readonly execute: string;
}

/**
 * A mapping or a part of one. Yields a call for each MAP$ EXECUTE, to be run before the generator resumes, and
 * undefined for a pause.
 */
export type Mapping<Result = MappingOutcome> = Generator<SubroutineCall | undefined, Result, void>;

export type MappingOutcome =
  | { readonly kind: 'mapped'; readonly record: string }
  | { readonly kind: 'abended'; readonly at: SourcePlace };

/**
 * Limits of one mapping. `work` counts steps of the structure, counted elements and every fourth character read, so
 * that a small document with nested repetitions cannot cause a long run.
 */
export const mappingLimits = {
  recordCharacters: 1_048_576,
  variableCharacters: 1_048_576,
  repetitions: 100_000,
  work: 2_000_000,
} as const;

type MappingLimitName = keyof typeof mappingLimits;

const limitNames: Readonly<Record<MappingLimitName, string>> = {
  recordCharacters: 'characters of the record',
  variableCharacters: 'characters in variables',
  repetitions: 'repetitions of groups',
  work: 'steps',
};

export class MappingLimitError extends Error {
  override readonly name = 'MappingLimitError';

  constructor(readonly limit: MappingLimitName) {
    super(`A mapping went past ${mappingLimits[limit]} ${limitNames[limit]}.`);
  }
}

const WORK_AT_A_STRETCH = 2_000;

export class MappingBudget {
  readonly #spent: Record<MappingLimitName, number> = {
    recordCharacters: 0,
    variableCharacters: 0,
    repetitions: 0,
    work: 0,
  };
  #restsAt = WORK_AT_A_STRETCH;

  spend(limit: MappingLimitName, amount: number): void {
    this.#spent[limit] += amount;
    if (this.#spent[limit] > mappingLimits[limit]) throw new MappingLimitError(limit);
  }

  /** @returns true once per WORK_AT_A_STRETCH units of work */
  isRestDue(): boolean {
    if (this.#spent.work < this.#restsAt) return false;
    this.#restsAt = this.#spent.work + WORK_AT_A_STRETCH;
    return true;
  }

  spendStep(characters: number): void {
    this.spend('work', 1 + (characters >>> 2));
  }
}

/**
 * Variables of a mapping: its first value for a variable replaces the old values, further values (repeated groups) are
 * appended. Trailing blanks of an area are removed.
 */
export class FieldVariables {
  readonly #port: MappingPort;
  readonly #budget: MappingBudget;
  readonly #written = new Set<string>();

  constructor(port: MappingPort, budget: MappingBudget) {
    this.#port = port;
    this.#budget = budget;
  }

  write(variable: string, area: string): void {
    const value = withoutTrailingBlanks(area);
    this.#budget.spend('variableCharacters', value.length);
    if (this.#written.has(variable)) {
      this.#port.append(variable, value);
      return;
    }
    this.#written.add(variable);
    this.#port.replace(variable, value);
  }
}
