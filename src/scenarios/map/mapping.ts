import { withoutTrailingBlanks } from '../../lib/text/characters.js';
import type { SourcePlace } from '../syntax.js';
import type { NumericFault } from './area-text.js';

/** An area, as logs and traces name it. */
export interface NumericArea {
  /** The element, attribute or variable. */
  readonly name: string;
  /** Undefined: as long as its value. */
  readonly length: number | undefined;
}

/** The variables of the scenario run, as a mapping needs them. */
export interface MappingPort {
  /** The current (first) value; undefined if there is no such variable. */
  valueOf(variable: string): string | undefined;
  /** Adds a value at the end of the variable's list. */
  append(variable: string, value: string): void;
  /** Makes this the only value. */
  replace(variable: string, value: string): void;
  /** Text of the document as the record can hold it: one substitute for each character that its code page lacks. */
  storable(text: string): string;
  /** The digits in an area are not the number in the document. */
  numericFault(area: NumericArea, fault: NumericFault): void;
}

/** What a mapping asks of the interpreter in its middle (MAP$ EXECUTE); it goes on when it is resumed. */
export interface SubroutineCall extends SourcePlace {
  readonly execute: string;
}

/** A mapping, or a part of one; it can rest where it yields nothing. */
export type Mapping<Result = MappingOutcome> = Generator<SubroutineCall | undefined, Result, void>;

export type MappingOutcome =
  /** The record; empty if the mapping is to variables. */
  | { readonly kind: 'mapped'; readonly record: string }
  /** The place of the MAP$ ABEND or ABEND-AT that was reached. */
  | { readonly kind: 'abended'; readonly at: SourcePlace };

/**
 * What one mapping may take. `work` counts steps of the structure, counted elements and every fourth character that
 * is read, so that a small document cannot make a long run out of nested repetitions.
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

/** A mapping went past one of the `mappingLimits`. */
export class MappingLimitError extends Error {
  override readonly name = 'MappingLimitError';

  constructor(readonly limit: MappingLimitName) {
    super(`A mapping went past ${mappingLimits[limit]} ${limitNames[limit]}.`);
  }
}

/** Work before a mapping may rest. */
const WORK_AT_A_STRETCH = 2_000;

/** Counts what one mapping takes. */
export class MappingBudget {
  readonly #spent: Record<MappingLimitName, number> = {
    recordCharacters: 0,
    variableCharacters: 0,
    repetitions: 0,
    work: 0,
  };
  #restsAt = WORK_AT_A_STRETCH;

  /** @throws MappingLimitError if the limit is passed */
  spend(limit: MappingLimitName, amount: number): void {
    this.#spent[limit] += amount;
    if (this.#spent[limit] > mappingLimits[limit]) throw new MappingLimitError(limit);
  }

  /** Whether enough was done since the last rest. */
  isRestDue(): boolean {
    if (this.#spent.work < this.#restsAt) return false;
    this.#restsAt = this.#spent.work + WORK_AT_A_STRETCH;
    return true;
  }

  /** One step of the structure that reads `characters` characters. */
  spendStep(characters: number): void {
    this.spend('work', 1 + (characters >>> 2));
  }
}

/**
 * One variable per field: the first value of a mapping replaces what the variable held, further ones (repeated groups)
 * are appended. A value is the area without its trailing blanks.
 */
export class FieldVariables {
  readonly #port: MappingPort;
  readonly #budget: MappingBudget;
  readonly #written = new Set<string>();

  constructor(port: MappingPort, budget: MappingBudget) {
    this.#port = port;
    this.#budget = budget;
  }

  /** @throws MappingLimitError */
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
