/** In the text of a field: a position that nobody has typed into. It stays a null, which hosts are not sent, and shows as a blank. */
export const NULL_SIGN = '\u0000';

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

/** The number of a character, or the numbers of its code points: U+0041, or U+304B U+309A. */
export function characterNumber(character: string): string {
  const numbers = Array.from(character, (one) => (one.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0'));
  return numbers.map((digits) => `U+${digits}`).join(' ');
}

/** Whether a reader sees a character: letters, digits, punctuation and symbols. */
export function isVisible(character: string): boolean {
  return /^[\p{L}\p{N}\p{P}\p{S}]/u.test(character);
}
