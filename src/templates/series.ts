import { codePointsFurther } from '../lib/text/characters.js';

export interface Series {
  readonly length: number;
  at(index: number): string | undefined;
}

export const noValues: Series = [];

/** Counts from `first` in steps and restarts after the last value (DEFINE-AUTOMATIC-COUNTER, reference 2.5). */
export class CounterSeries implements Series {
  constructor(
    readonly first: number,
    readonly step: number,
    readonly length: number,
  ) {}

  at(index: number): string | undefined {
    return this.length === 0 ? undefined : String(this.first + (index % this.length) * this.step);
  }
}

/**
 * Parts of equal length of another value (DEFINE-SUB-VARIABLE, reference 2.5); `whole` is called for each access.
 * Offsets and lengths count code points, as in the records of MAP$.
 */
export class SubSeries implements Series {
  /** Last offset, from which the next one is found without scanning from the start. */
  #last = { text: '', codePoint: 0, at: 0 };

  constructor(
    readonly whole: () => string | undefined,
    readonly offset: number,
    readonly pieceLength: number,
    readonly count: number,
  ) {}

  get length(): number {
    return this.whole() === undefined ? 0 : this.count;
  }

  at(index: number): string | undefined {
    if (index >= this.count) return undefined;
    const text = this.whole();
    if (text === undefined) return undefined;
    const codePoint = this.offset + index * this.pieceLength;
    const known = this.#last.text === text && this.#last.codePoint <= codePoint ? this.#last : { codePoint: 0, at: 0 };
    const at = codePointsFurther(text, known.at, codePoint - known.codePoint);
    this.#last = { text, codePoint, at };
    return text.slice(at, codePointsFurther(text, at, this.pieceLength));
  }
}
