/** The capital of one character; one that has none of the same length (ß) stays. */
export function capitalOf(character: string): string {
  const upper = character.toUpperCase();
  return upper.length === character.length ? upper : character;
}

/** The small letter of one character; one that has none of the same length (İ) stays. */
export function smallOf(character: string): string {
  const lower = character.toLowerCase();
  return lower.length === character.length ? lower : character;
}
