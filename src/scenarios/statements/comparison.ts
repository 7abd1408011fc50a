import { withoutTrailingBlanks } from '../../lib/text/characters.js';
import type { ScenarioRun } from '../scenario-run.js';
import { bytesOf } from '../value.js';

/**
 * Comparisons of CASE$ and IF$. As on the host, the shorter text is padded with blanks, and the order is that of the
 * current EBCDIC code page (letters before digits). Different texts are never equal, even if the code page maps them to
 * the same substitutes.
 */
export const comparisons = {
  EQ: (_run, left, right) => withoutTrailingBlanks(left) === withoutTrailingBlanks(right),
  NE: (_run, left, right) => withoutTrailingBlanks(left) !== withoutTrailingBlanks(right),
  LT: (run, left, right) => order(run, left, right) < 0,
  LE: (run, left, right) => order(run, left, right) <= 0,
  GT: (run, left, right) => order(run, left, right) > 0,
  GE: (run, left, right) => order(run, left, right) >= 0,
  BEGIN: (_run, left, right) => left.startsWith(right),
  CONTAINS: (_run, left, right) => left.includes(right),
} as const satisfies Record<string, (run: ScenarioRun, left: string, right: string) => boolean>;

export type Comparison = keyof typeof comparisons;
export const comparisonNames = Object.keys(comparisons) as readonly Comparison[];

export function isComparison(word: string): word is Comparison {
  return Object.hasOwn(comparisons, word);
}

/** EMPTY: only blanks. A variable that does not exist is not empty. */
export function isEmpty(text: string): boolean {
  return text.trim() === '';
}

function order(run: ScenarioRun, left: string, right: string): number {
  const trimmedLeft = withoutTrailingBlanks(left);
  const trimmedRight = withoutTrailingBlanks(right);
  if (trimmedLeft === trimmedRight) return 0;
  const length = Math.max(trimmedLeft.length, trimmedRight.length);
  const inCodePage = Buffer.compare(
    bytesOf(trimmedLeft.padEnd(length), run.codePage),
    bytesOf(trimmedRight.padEnd(length), run.codePage),
  );
  return inCodePage || Buffer.compare(Buffer.from(trimmedLeft), Buffer.from(trimmedRight));
}
