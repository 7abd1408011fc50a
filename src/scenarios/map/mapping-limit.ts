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
