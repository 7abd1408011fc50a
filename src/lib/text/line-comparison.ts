export interface DifferenceLine {
  readonly mark: 'same' | 'added' | 'removed';
  readonly text: string;
}

/**
 * Line comparisons per call, about 30 ms. Past the limit, the rest between the common start and end is shown as removed
 * and added.
 */
const MOST_COMPARISONS = 2_000_000;

/** Shortest edit script (Myers, An O(ND) Difference Algorithm, 1986), within a limit. */
export class LineComparison {
  /** Each distinct line has a number, so that long similar lines are fast to compare. */
  readonly #numbers = new Map<string, number>();
  #comparisonsLeft = MOST_COMPARISONS;

  compare(older: readonly string[], newer: readonly string[]): DifferenceLine[] {
    const [from, to] = [this.#numbersOf(older), this.#numbersOf(newer)];
    const shorter = Math.min(from.length, to.length);
    let start = 0;
    while (start < shorter && from[start] === to[start]) start += 1;
    let end = 0;
    while (end < shorter - start && from.at(-1 - end) === to.at(-1 - end)) end += 1;
    const middle = [older.slice(start, older.length - end), newer.slice(start, newer.length - end)] as const;
    const kept =
      this.#kept(from.slice(start, from.length - end), to.slice(start, to.length - end)) ?? new Map<number, number>();
    return [
      ...older.slice(0, start).map((text) => ({ mark: 'same', text }) as const),
      ...marked(...middle, kept),
      ...older.slice(older.length - end).map((text) => ({ mark: 'same', text }) as const),
    ];
  }

  #numbersOf(lines: readonly string[]): number[] {
    return lines.map((line) => {
      const number = this.#numbers.get(line) ?? this.#numbers.size;
      this.#numbers.set(line, number);
      return number;
    });
  }

  /** Maps kept lines of one text to lines of the other. Undefined if the limit is exceeded. */
  #kept(from: readonly number[], to: readonly number[]): Map<number, number> | undefined {
    if (from.length === 0 || to.length === 0) return undefined;
    const most = from.length + to.length;
    /** Per number of differences: furthest older line reached, by diagonal. */
    const rounds: Int32Array[] = [];
    let furthest = new Int32Array([0, 0, 0]);
    for (let differences = 0; differences <= most; differences += 1) {
      this.#comparisonsLeft -= 2 * differences;
      const next = new Int32Array(2 * differences + 3);
      for (let diagonal = -differences; diagonal <= differences; diagonal += 2) {
        let x = differences === 0 ? 0 : stepInto(furthest, differences, diagonal).x;
        const before = x;
        while (x < from.length && x - diagonal < to.length && from[x] === to[x - diagonal]) x += 1;
        this.#comparisonsLeft -= x - before;
        next[diagonal + differences + 1] = x;
        if (x >= from.length && x - diagonal >= to.length)
          return this.#wayBack([...rounds, next], from.length, diagonal);
      }
      if (this.#comparisonsLeft < 0) return undefined;
      rounds.push(next);
      furthest = next;
    }
    return undefined;
  }

  #wayBack(rounds: readonly Int32Array[], length: number, lastDiagonal: number): Map<number, number> {
    const kept = new Map<number, number>();
    let x = length;
    let diagonal = lastDiagonal;
    for (let differences = rounds.length - 1; differences >= 0; differences -= 1) {
      const entered = differences === 0 ? { x: 0, diagonal } : stepInto(rounds[differences - 1], differences, diagonal);
      while (x > entered.x) {
        x -= 1;
        kept.set(x, x - diagonal);
      }
      if (differences === 0) break;
      x = entered.diagonal < diagonal ? entered.x - 1 : entered.x;
      diagonal = entered.diagonal;
    }
    return kept;
  }
}

/** The next point on a diagonal and its previous diagonal. Removing a line moves right, adding one moves down. */
function stepInto(
  furthest: Int32Array | undefined,
  differences: number,
  diagonal: number,
): { readonly x: number; readonly diagonal: number } {
  const at = (wanted: number) => furthest?.[wanted + differences] ?? 0;
  const comesDown = diagonal === -differences || (diagonal !== differences && at(diagonal - 1) < at(diagonal + 1));
  return comesDown
    ? { x: at(diagonal + 1), diagonal: diagonal + 1 }
    : { x: at(diagonal - 1) + 1, diagonal: diagonal - 1 };
}

function marked(
  older: readonly string[],
  newer: readonly string[],
  kept: ReadonlyMap<number, number>,
): DifferenceLine[] {
  const lines: DifferenceLine[] = [];
  let shown = 0;
  const showUpTo = (end: number) => {
    for (; shown < end; shown += 1) lines.push({ mark: 'added', text: newer[shown] ?? '' });
  };
  for (const [index, text] of older.entries()) {
    const target = kept.get(index);
    if (target === undefined) lines.push({ mark: 'removed', text });
    else {
      showUpTo(target);
      lines.push({ mark: 'same', text });
      shown += 1;
    }
  }
  showUpTo(newer.length);
  return lines;
}
