import { codePointCount } from '../../lib/text/code-points.js';
import type { MappingBudget } from './mapping-limit.js';

/**
 * Puts a record together: areas in order, then the data that its OFFSET-LENGTH areas point to.
 *
 * An OFFSET-LENGTH area of n characters is two decimal numbers of n/2 digits: where the data begin, counted from the
 * start of the record (0 is its first character), and how many characters they are. Both are zero where there are none.
 */
export class RecordBuilder {
  readonly #parts: string[] = [];
  readonly #references: { readonly part: number; readonly digits: number; readonly data: string }[] = [];
  readonly #budget: MappingBudget;
  #length = 0;

  constructor(budget: MappingBudget) {
    this.#budget = budget;
  }

  /** @throws MappingLimitError */
  append(text: string): void {
    this.#spend(codePointCount(text));
    this.#parts.push(text);
  }

  /** @throws MappingLimitError, before the fills are made */
  appendFills(fill: string, count: number): void {
    this.#spend(codePointCount(fill) * count);
    this.#parts.push(fill.repeat(count));
  }

  /** @throws MappingLimitError if the data no longer have room in the record */
  appendReference(length: number, data: string): void {
    this.append('0'.repeat(length));
    if (data === '') return;
    this.#budget.spend('recordCharacters', codePointCount(data));
    this.#references.push({ part: this.#parts.length - 1, digits: length / 2, data });
  }

  /** The whole record. Once. */
  finish(): string {
    for (const { part, digits, data } of this.#references) {
      const length = codePointCount(data);
      this.#parts[part] = `${this.#length}`.padStart(digits, '0') + `${length}`.padStart(digits, '0');
      this.#parts.push(data);
      this.#length += length;
    }
    return this.#parts.join('');
  }

  #spend(characters: number): void {
    this.#budget.spend('recordCharacters', characters);
    this.#length += characters;
  }
}
