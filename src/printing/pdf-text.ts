/** What Windows' code page 1252 has at 0x80 to 0x9f, and with it the fonts that every PDF reader has. */
const FURTHER = new Set('€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ');

/** What comes near to characters that those fonts lack. */
const nearest: Readonly<Record<string, string>> = {
  '─': '-',
  '━': '-',
  '│': '|',
  '⎸': '|',
  '⎹': '|',
  '■': '*',
  '₁': '1',
  '∼': '~',
  '\u3000': '  ',
};
const BOX = /[\u2500-\u257f]/;

/** Text as Courier has it: a character that it lacks is a plus where it draws lines, else a question mark. */
export function textForCourier(text: string): string {
  let shown = '';
  for (const character of text)
    shown += isInCourier(character) ? character : (nearest[character] ?? substitute(character));
  return shown;
}

function isInCourier(character: string): boolean {
  const code = character.codePointAt(0) ?? 0;
  return (code >= 0x20 && code < 0x7f) || (code >= 0xa0 && code <= 0xff) || FURTHER.has(character);
}

function substitute(character: string): string {
  return BOX.test(character) ? '+' : '?';
}
