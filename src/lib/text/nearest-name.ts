import type { Reason } from '../locale.js';

const LONGEST_NAME_COMPARED = 64;
/** Limit for all guesses of one check, in table cells and names: about 10 ms. */
const MOST_GUESSING = 1_000_000;

/**
 * Suggests names for mistyped ones. Use one object per check: its guesses share a work limit, so that a text with
 * thousands of unknown names stays fast. After the limit, there are no suggestions.
 */
export class NameGuesses {
  #left: number;
  /** Rows of the distance table. A candidate is shorter than twice the mistyped name. */
  readonly #rows = [row(), row(), row()] as const;

  constructor(most = MOST_GUESSING) {
    this.#left = most;
  }

  get left(): number {
    return this.#left;
  }

  /**
   * The most similar candidate, in which at most a third of the characters differ, without regard to case. Undefined if
   * there is none or the limit is reached.
   */
  nearest(mistyped: string, candidates: Iterable<string>): string | undefined {
    if (mistyped.length > LONGEST_NAME_COMPARED) return undefined;
    const folded = mistyped.toUpperCase();
    let nearest: string | undefined;
    let fewest = Math.floor(Math.max(folded.length, 3) / 3) + 1;
    for (const candidate of candidates) {
      if (!this.#spend(1)) return undefined;
      if (Math.abs(candidate.length - folded.length) >= fewest) continue;
      const changes = this.#editDistance(folded, candidate.toUpperCase(), fewest);
      if (changes === undefined) return undefined;
      if (changes < fewest) {
        fewest = changes;
        nearest = candidate;
      }
    }
    return nearest;
  }

  didYouMean(mistyped: string, candidates: Iterable<string>): string {
    const nearest = this.nearest(mistyped, candidates);
    return nearest === undefined ? '' : ` (did you mean "${nearest}"?)`;
  }

  #spend(work: number): boolean {
    this.#left = Math.max(0, this.#left - work);
    return this.#left > 0;
  }

  /**
   * Optimal string alignment distance: insertions, deletions, replacements and swaps of neighbors.
   * @param enough stop at this distance
   * @returns undefined if the limit is reached
   */
  #editDistance(one: string, other: string, enough: number): number | undefined {
    let [beforePrevious, previous, current] = this.#rows;
    for (let column = 0; column <= other.length; column++) previous[column] = column;
    let fewestBefore = 0;
    for (let row = 1; row <= one.length; row++) {
      if (!this.#spend(other.length + 1)) return undefined;
      const code = one.charCodeAt(row - 1);
      const codeBefore = row > 1 ? one.charCodeAt(row - 2) : -1;
      current[0] = row;
      let fewest = row;
      for (let column = 1; column <= other.length; column++) {
        const otherCode = other.charCodeAt(column - 1);
        let changes = (previous[column - 1] ?? 0) + (code === otherCode ? 0 : 1);
        changes = Math.min(changes, (previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1);
        if (codeBefore === otherCode && column > 1 && code === other.charCodeAt(column - 2)) {
          changes = Math.min(changes, (beforePrevious[column - 2] ?? 0) + 1);
        }
        current[column] = changes;
        if (changes < fewest) fewest = changes;
      }
      // The next row depends on this one and, for swaps, on the previous one.
      if (fewest >= enough && fewestBefore + 1 >= enough) return enough;
      fewestBefore = fewest;
      [beforePrevious, previous, current] = [previous, current, beforePrevious];
    }
    return previous[other.length] ?? 0;
  }
}

function row(): Uint8Array {
  return new Uint8Array(2 * LONGEST_NAME_COMPARED + 1);
}

/** For a single unknown name of a command or request. */
export function nearestName(mistyped: string, candidates: Iterable<string>): string | undefined {
  return new NameGuesses().nearest(mistyped, candidates);
}

export function didYouMean(mistyped: string, candidates: Iterable<string>): string {
  return new NameGuesses().didYouMean(mistyped, candidates);
}

/** That a name is unknown, and the name that may be meant. */
export function unknownName(code: Reason['code'], name: string, candidates: Iterable<string>): Reason {
  const statement: Reason = { code, values: { name } };
  const nearest = nearestName(name, candidates);
  return nearest === undefined ? statement : { code: 'guess.didYouMean', values: { statement, name: nearest } };
}
