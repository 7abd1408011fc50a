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
  BackSpace: '\b',
  Delete: '\x7f',
  EuroSign: '€',
  Escape: '\x1b',
  Eth: 'Ð',
  Oslash: 'Ø',
  Return: '\r',
  Tab: '\t',
  Thorn: 'Þ',
};

/** Those of U+00A0 to U+00FF, in their order. */
const latin1 = [
  'nobreakspace exclamdown cent sterling currency yen brokenbar section diaeresis copyright ordfeminine guillemotleft',
  'notsign hyphen registered macron degree plusminus twosuperior threesuperior acute mu paragraph periodcentered',
  'cedilla onesuperior masculine guillemotright onequarter onehalf threequarters questiondown Agrave Aacute',
  'Acircumflex Atilde Adiaeresis Aring AE Ccedilla Egrave Eacute Ecircumflex Ediaeresis Igrave Iacute Icircumflex',
  'Idiaeresis ETH Ntilde Ograve Oacute Ocircumflex Otilde Odiaeresis multiply Ooblique Ugrave Uacute Ucircumflex',
  'Udiaeresis Yacute THORN ssharp agrave aacute acircumflex atilde adiaeresis aring ae ccedilla egrave eacute',
  'ecircumflex ediaeresis igrave iacute icircumflex idiaeresis eth ntilde ograve oacute ocircumflex otilde odiaeresis',
  'division oslash ugrave uacute ucircumflex udiaeresis yacute thorn ydiaeresis',
]
  .join(' ')
  .split(' ');
const FIRST_LATIN_1 = 0xa0;

/** A character by itself, by its name, or by its code point (`0x41`, `U+0041`). */
export function keyNamed(name: string): string | undefined {
  if ([...name].length === 1) return name;
  const [, digits] = /^(?:0x|U\+)([0-9a-f]{1,6})$/i.exec(name) ?? [];
  const place = latin1.indexOf(name);
  if (place >= 0) return String.fromCodePoint(FIRST_LATIN_1 + place);
  if (digits === undefined) return characters[name];
  const codePoint = Number.parseInt(digits, 16);
  return codePoint >= 1 && codePoint <= 0x10ffff ? String.fromCodePoint(codePoint) : undefined;
}
