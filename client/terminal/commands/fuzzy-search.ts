/** How well a text is meant by what was typed: undefined where it is not; more is better. */
export function matchScore(sought: string, text: string): number | undefined {
  const wanted = folded(sought)
    .split(/\s+/)
    .filter((word) => word !== '');
  const within = folded(text);
  let score = 0;
  for (const word of wanted) {
    const best = wordScore(word, within);
    if (best === undefined) return undefined;
    score += best;
  }
  // of two that fit alike the shorter one
  return score - within.length / 100;
}

/** Its letters stand in the text in their order; those that begin a word, or stand side by side, count for more. */
function wordScore(word: string, text: string): number | undefined {
  const whole = text.indexOf(word);
  if (whole >= 0) return word.length * 4 + (isWordStart(text, whole) ? 8 : 0) + (whole === 0 ? 4 : 0);
  let score = 0;
  let at = -1;
  for (const letter of word) {
    const found = text.indexOf(letter, at + 1);
    if (found < 0) return undefined;
    score += found === at + 1 ? 2 : 0;
    score += isWordStart(text, found) ? 3 : 0;
    at = found;
  }
  return score;
}

function isWordStart(text: string, at: number): boolean {
  return at === 0 || !/[\p{L}\p{N}]/u.test(text.charAt(at - 1));
}

/** Without capitals and accents. */
function folded(text: string): string {
  return text
    .normalize('NFD')
    .replaceAll(/\p{Diacritic}/gu, '')
    .toLowerCase();
}
