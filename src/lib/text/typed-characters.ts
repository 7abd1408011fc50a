/** Position of a field without input. Not sent to the host, and shown as a blank. */
export const NULL_SIGN = '\u0000';

/**
 * Second code points of two-code-point characters: combining marks and tone letters (JIS X 0213, code pages 1390 and
 * 1399).
 */
const SECOND = /[\u0300-\u036f\u02e5-\u02e9\u309a]/;

/**
 * Splits text into characters of the terminal. Two code points form one character if the code page has a code for the
 * pair, as for か and U+309A.
 * @param isCharacter true if the code page has a code for the sequence
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

export function isOneCodePoint(character: string): boolean {
  return character.length === ((character.codePointAt(0) ?? 0) > 0xffff ? 2 : 1);
}

/** U+0041, or U+304B U+309A for two code points. */
export function characterNumber(character: string): string {
  const numbers = Array.from(character, (one) => (one.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0'));
  return numbers.map((digits) => `U+${digits}`).join(' ');
}

/** True for letters, digits, punctuation and symbols. */
export function isVisible(character: string): boolean {
  return /^[\p{L}\p{N}\p{P}\p{S}]/u.test(character);
}
