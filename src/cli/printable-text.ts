/** Text from outside with its control and direction characters spelled out, so that no terminal obeys them. */
export function printableText(text: string): string {
  return text.replace(/[\p{Cc}\p{Bidi_Control}]/gu, (character) => {
    if (character === '\n' || character === '\t') return character;
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}
