/** Names of keys that X windows and s3270 have for characters. */
const characters: Readonly<Record<string, string>> = {
  space: ' ',
  exclam: '!',
  quotedbl: '"',
  numbersign: '#',
  dollar: '$',
  percent: '%',
  ampersand: '&',
  apostrophe: "'",
  quoteright: "'",
  parenleft: '(',
  parenright: ')',
  asterisk: '*',
  plus: '+',
  comma: ',',
  minus: '-',
  period: '.',
  slash: '/',
  colon: ':',
  semicolon: ';',
  less: '<',
  equal: '=',
  greater: '>',
  question: '?',
  at: '@',
  bracketleft: '[',
  backslash: '\\',
  bracketright: ']',
  asciicircum: '^',
  underscore: '_',
  grave: '`',
  quoteleft: '`',
  braceleft: '{',
  bar: '|',
  braceright: '}',
  asciitilde: '~',
  cent: '¢',
  sterling: '£',
  yen: '¥',
  brokenbar: '¦',
  section: '§',
  notsign: '¬',
  degree: '°',
  EuroSign: '€',
};

/** A character by itself, by its name, or by its code point (`0x41`, `U+0041`). */
export function keyNamed(name: string): string | undefined {
  if ([...name].length === 1) return name;
  const [, digits] = /^(?:0x|U\+)([0-9a-f]{1,6})$/i.exec(name) ?? [];
  if (digits === undefined) return characters[name];
  const codePoint = Number.parseInt(digits, 16);
  return codePoint >= 0x20 && codePoint <= 0x10ffff ? String.fromCodePoint(codePoint) : undefined;
}
