const LONGEST_NAME_COMPARED = 64;
/** Work of all guesses of one check, in cells of distance tables and names looked at: about 10 ms. */
const MOST_GUESSING = 1_000_000;

/**
 * Guesses which name was meant by a mistyped one. One object serves one check: its guesses share a bounded amount of work, and
 * names that are looked up after that have no guess. A text with thousands of unknown names costs as much as one with some.
 */
export class NameGuesses {
  #left: number;
  /** Of a distance table: a candidate is shorter than twice the mistyped name. */
  readonly #rows = [row(), row(), row()] as const;

  /** @param most work, in cells of distance tables and names looked at */
  constructor(most = MOST_GUESSING) {
    this.#left = most;
  }

  /** Work that is left; 0: no more guesses. */
  get left(): number {
    return this.#left;
  }

  /**
   * The candidate that a mistyped name most likely means: at most a third of its characters differ, whatever their
   * case. Undefined if none is near, or if too little work is left to compare all of them.
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

  /** ` (did you mean "x"?)`, or nothing. */
  didYouMean(mistyped: string, candidates: Iterable<string>): string {
    const nearest = this.nearest(mistyped, candidates);
    return nearest === undefined ? '' : ` (did you mean "${nearest}"?)`;
  }

  #spend(work: number): boolean {
    this.#left = Math.max(0, this.#left - work);
    return this.#left > 0;
  }

  /**
   * Insertions, deletions, replacements and exchanges of two neighbours (optimal string alignment).
   * @param enough more changes are not counted to the end
   * @returns undefined if too little work is left
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
      // the next row builds on this one and, by an exchange, on the one before
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

/** As NameGuesses, for the one unknown name of a command or a request. */
export function nearestName(mistyped: string, candidates: Iterable<string>): string | undefined {
  return new NameGuesses().nearest(mistyped, candidates);
}

/** ` (did you mean "x"?)`, or nothing; for the one unknown name of a command or a request. */
export function didYouMean(mistyped: string, candidates: Iterable<string>): string {
  return new NameGuesses().didYouMean(mistyped, candidates);
}
