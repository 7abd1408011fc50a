import type { CodePage } from './code-page.js';
import { findCodePage } from './code-pages.js';
import { MixedCodePage } from './mixed-code-page.js';
import { SingleByteCodePage } from './single-byte-code-page.js';

/**
 * Bytes that 3270 emulators show otherwise than IBM's table and glibc have them: `[byte, character]`. Terminals follow the
 * emulators, as recorded host sessions do; conversions of data follow the table.
 */
const shownOtherwise: Readonly<Record<number, ReadonlyArray<readonly [byte: number, character: string]>>> = {
  930: [
    [0x81, 'ｧ'],
    [0x82, 'ｨ'],
    [0xa1, '¯'],
    [0xe1, '€'],
  ],
  935: [
    [0x6a, '\ufffd'],
    [0xa1, '¯'],
  ],
  939: [
    [0xa0, '¯'],
    [0xe1, '€'],
  ],
  1388: [[0xa1, '¯']],
};

/** The names of countries and languages that 3270 emulators know pages by; elsewhere some of them mean other tables. */
const emulatorNames: Readonly<Record<string, number>> = {
  'us-intl': 37,
  german: 273,
  brazilian: 275,
  norwegian: 277,
  finnish: 278,
  swedish: 278,
  italian: 280,
  spanish: 284,
  french: 297,
  belgian: 500,
  'hebrew-old': 803,
  polish: 870,
  slovenian: 870,
  icelandic: 871,
  russian: 880,
  'japanese-kana': 930,
  'simplified-chinese': 935,
  'traditional-chinese': 937,
  'japanese-latin': 939,
  'us-euro': 1140,
  'german-euro': 1141,
  'norwegian-euro': 1142,
  'finnish-euro': 1143,
  'swedish-euro': 1143,
  'italian-euro': 1144,
  'spanish-euro': 1145,
  'uk-euro': 1146,
  'french-euro': 1147,
  'belgian-euro': 1148,
  'icelandic-euro': 1149,
  'chinese-gb18030': 1388,
};

const built = new Map<number, CodePage>();

/** The page that a terminal shows and types by; the names are those of `findCodePage` and those of 3270 emulators. */
export function findTerminalCodePage(name: string): CodePage | undefined {
  const lowerCase = name.toLowerCase();
  const number = Object.hasOwn(emulatorNames, lowerCase) ? emulatorNames[lowerCase] : undefined;
  const page = findCodePage(number === undefined ? name : String(number));
  const changes = page === undefined ? undefined : shownOtherwise[page.number];
  if (page === undefined || changes === undefined || page.doubleByte === undefined) return page;
  const known = built.get(page.number);
  if (known !== undefined) return known;
  const characters = Array.from(page.unitOfByte, (unit) => String.fromCharCode(unit));
  for (const [byte, character] of changes) characters[byte] = character;
  const table = { characters: characters.join(''), encodedOtherwise: [] };
  const terminalPage = new MixedCodePage(new SingleByteCodePage(page.name, page.number, table), page.doubleByte);
  built.set(page.number, terminalPage);
  return terminalPage;
}
