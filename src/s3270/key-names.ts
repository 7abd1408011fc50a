import { ownAplCharacter } from '../tn3270/codepage/apl-character-set.js';

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
  euro: '€',
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

/** Keys of APL, each name with its character behind it; all begin with `apl_` (s3270 4.1, tried). */
const aplKeys: ReadonlyMap<string, string> = new Map(
  [
    'alpha⍺ bar- braceleft{ braceright} bracketleft[ bracketright] circle○ circlebar⊖ circleslope⍉ circlestar⍟ circlestile⌽',
    'colon: comma, commabar⍪ degree° del∇ delstile⍒ delta∆ deltastile⍋ deltaunderbar⍙ deltilde⍫ diaeresis¨',
    'diaeresiscircle⍥ diaeresisdot∵ diaeresisjot⍤ diamond⋄ dieresis¨ dieresiscircle⍥ dieresisdot∵ dieresisjot⍤ divide÷ dot.',
    'downarrow↓ downcaret∨ downcarettilde⍱ downshoe∪ downstile⌊ downtack⊤ downtackjot⍎ downtackup⌶ downtackuptack⌶ epsilon∊',
    'epsilonunderbar⍷ equal= equalunderbar≡ equiv≡ euro€ greater> iota⍳ iotaunderbar⍸ jot∘ leftarrow← leftbracket[ leftparen(',
    'leftshoe⊂ lefttack⊣ less< multiply× notequal≠ notgreater≤ notless≥ omega⍵ overbar¯ plus+ plusminus± quad⎕ quaddivide⌹',
    "quadjot⌻ quadquote⍞ quadslope⍂ query? quote' rho⍴ rightarrow→ rightbracket] rightparen) rightshoe⊃ righttack⊢ section§",
    'semicolon; slash/ slashbar⌿ slope\\ slopebar⍀ splat¤ squad⌷ star* stile∣ tilde∼ times× underbar_ uparrow↑ upcaret∧',
    'upcarettilde⍲ upshoe∩ upshoejot⍝ upstile⌈ uptack⊥ uptackjot⍕',
  ]
    .join(' ')
    .split(' ')
    .map((key) => [key.slice(0, -1), key.slice(-1)]),
);

/** A character of the APL set; those that it shares with code pages are its own where s3270 has them so. */
function aplKey(name: string): string | undefined {
  const letter = /^([A-Z])underbar$/.exec(name)?.[1];
  const character = letter ?? aplKeys.get(name);
  const isOwn = character !== undefined && (letter !== undefined || '[]{}\\¤°±§×÷¯¨'.includes(character));
  return isOwn ? ownAplCharacter(character.charCodeAt(0)) : character;
}

/** A character by itself, by its name, or by its code point (`0x41`, `U+0041`); empty where it is beyond Unicode. */
export function keyNamed(name: string): string | undefined {
  if ([...name].length === 1) return name;
  if (name.startsWith('apl_')) return aplKey(name.slice('apl_'.length));
  const place = latin1.indexOf(name);
  if (place >= 0) return String.fromCodePoint(FIRST_LATIN_1 + place);
  // as C reads a number: what stands behind it is left out
  const [, digits] = /^(?:0x|U\+)\s*([0-9a-f]+)/i.exec(name) ?? [];
  if (digits === undefined) return characters[name];
  const codePoint = Number.parseInt(digits, 16);
  if (codePoint === 0) return undefined;
  return codePoint <= 0x10ffff ? String.fromCodePoint(codePoint) : '';
}
