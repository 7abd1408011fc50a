/** Second code points of characters that are two: marks on a letter, and tone letters (JIS X 0213, code pages 1390 and 1399). */
const SECOND = /[\u0300-\u036f\u02e5-\u02e9\u309a]/;

/**
 * The characters of a text as a terminal takes them. Two code points are one character where the terminal knows them as one: か and
 * U+309A have a code of their own.
 * @param isCharacter whether the terminal has a code for two code points
 */
export function typedCharacters(text: string, isCharacter: (sequence: string) => boolean): string[] {
  const codePoints = [...text];
  if (!SECOND.test(text)) return codePoints;
  const characters: string[] = [];
  for (let at = 0; at < codePoints.length; at++) {
    const first = codePoints[at] as string;
    const second = codePoints[at + 1] ?? '';
    const isOne = SECOND.test(second) && isCharacter(first + second);
    characters.push(isOne ? first + second : first);
    if (isOne) at++;
  }
  return characters;
}

/** Whether a character is one code point. */
export function isOneCodePoint(character: string): boolean {
  return character.length === ((character.codePointAt(0) ?? 0) > 0xffff ? 2 : 1);
}
