/** @returns undefined if the text does not match; higher is better */
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
  return score - within.length / 100;
}

/** The letters must occur in order. Word starts and adjacent letters score higher. */
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

function folded(text: string): string {
  return text
    .normalize('NFD')
    .replaceAll(/\p{Diacritic}/gu, '')
    .toLowerCase();
}
