const LONGEST_NAME_COMPARED = 64;

/**
 * The candidate that a mistyped name most likely means: at most a third of its characters differ, whatever their
 * case. Undefined where none is near.
 */
export function nearestName(mistyped: string, candidates: Iterable<string>): string | undefined {
  if (mistyped.length > LONGEST_NAME_COMPARED) return undefined;
  const folded = mistyped.toUpperCase();
  let nearest: string | undefined;
  let fewest = Math.floor(Math.max(folded.length, 3) / 3) + 1;
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - folded.length) >= fewest) continue;
    const changes = editDistance(folded, candidate.toUpperCase());
    if (changes < fewest) {
      fewest = changes;
      nearest = candidate;
    }
  }
  return nearest;
}

/** ` (did you mean "x"?)`, or nothing. */
export function didYouMean(mistyped: string, candidates: Iterable<string>): string {
  const nearest = nearestName(mistyped, candidates);
  return nearest === undefined ? '' : ` (did you mean "${nearest}"?)`;
}

/** Insertions, deletions, replacements and exchanges of two neighbours (optimal string alignment). */
function editDistance(one: string, other: string): number {
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: other.length + 1 }, (_, column) => column);
  for (let row = 1; row <= one.length; row++) {
    const current = [row];
    for (let column = 1; column <= other.length; column++) {
      const replaced = (previous[column - 1] ?? 0) + (one[row - 1] === other[column - 1] ? 0 : 1);
      const exchanged =
        one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1]
          ? (beforePrevious[column - 2] ?? Infinity) + 1
          : Infinity;
      current.push(Math.min(replaced, exchanged, (previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1));
    }
    [beforePrevious, previous] = [previous, current];
  }
  return previous[other.length] ?? 0;
}
