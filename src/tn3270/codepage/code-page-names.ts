import { codePageTables } from './code-page-tables.js';

const LONGEST_CODE_PAGE_NAME = 40;

const acceptableName = new RegExp(`^[A-Za-z0-9+_ -]{1,${LONGEST_CODE_PAGE_NAME}}$`);

/**
 * Names that are not a prefix and the number. Sources: IANA's registry, ICU's `convrtrs.txt`, Java's `Charset`, and the
 * country and language names of 3270 emulators.
 */
const furtherNames: Readonly<Record<number, readonly string[]>> = {
  37: [
    'EBCDIC-CP-US',
    'EBCDIC-CP-CA',
    'EBCDIC-CP-WT',
    'EBCDIC-CP-NL',
    'CS-EBCDIC-CP-US',
    'CS-EBCDIC-CP-CA',
    'CS-EBCDIC-CP-WT',
    'CS-EBCDIC-CP-NL',
    'US-INTL',
  ],
  273: ['EBCDIC-DE', 'GERMAN'],
  275: ['BRAZILIAN', 'EBCDIC-BR'],
  277: ['EBCDIC-CP-DK', 'EBCDIC-CP-NO', 'EBCDIC-DK', 'NORWEGIAN'],
  278: ['EBCDIC-CP-FI', 'EBCDIC-CP-SE', 'EBCDIC-SV', 'FINNISH', 'SWEDISH'],
  280: ['EBCDIC-CP-IT', 'ITALIAN'],
  284: ['EBCDIC-CP-ES', 'SPANISH'],
  285: ['EBCDIC-CP-GB', 'EBCDIC-GB'],
  297: ['EBCDIC-CP-FR', 'FRENCH'],
  420: ['EBCDIC-CP-AR1'],
  423: ['EBCDIC-CP-GR'],
  424: ['EBCDIC-CP-HE'],
  500: ['EBCDIC-CP-BE', 'EBCDIC-CP-CH', 'EBCDIC-INT', 'BELGIAN'],
  803: ['HEBREW-OLD'],
  870: ['EBCDIC-CP-ROECE', 'EBCDIC-CP-YU', 'POLISH', 'SLOVENIAN'],
  871: ['EBCDIC-CP-IS', 'EBCDIC-IS', 'ICELANDIC'],
  875: ['EBCDIC-GREEK'],
  880: ['EBCDIC-CYRILLIC', 'RUSSIAN'],
  918: ['EBCDIC-CP-AR2'],
  924: ['EBCDIC-LATIN9--EURO'],
  930: ['JAPANESE-KANA'],
  935: ['SIMPLIFIED-CHINESE'],
  937: ['TRADITIONAL-CHINESE'],
  939: ['JAPANESE-LATIN'],
  1140: ['EBCDIC-US-37+EURO', 'EBCDIC-US-037+EURO', 'US-EURO'],
  1141: ['EBCDIC-DE-273+EURO', 'GERMAN-EURO'],
  1142: ['EBCDIC-DK-277+EURO', 'EBCDIC-NO-277+EURO', 'NORWEGIAN-EURO'],
  1143: ['EBCDIC-FI-278+EURO', 'EBCDIC-SE-278+EURO', 'FINNISH-EURO', 'SWEDISH-EURO'],
  1144: ['EBCDIC-IT-280+EURO', 'ITALIAN-EURO'],
  1145: ['EBCDIC-ES-284+EURO', 'SPANISH-EURO'],
  1146: ['EBCDIC-GB-285+EURO', 'UK-EURO'],
  1147: ['EBCDIC-FR-297+EURO', 'FRENCH-EURO'],
  1148: ['EBCDIC-INTERNATIONAL-500+EURO', 'BELGIAN-EURO'],
  1149: ['EBCDIC-IS-871+EURO', 'ICELANDIC-EURO'],
  1388: ['CHINESE-GB18030'],
};

/** 3270 emulator names that elsewhere mean other character sets: ASCII, BS 4730, ISO 8859, Windows. */
const ambiguousNames: Readonly<Record<string, number>> = {
  US: 37,
  UK: 285,
  HEBREW: 424,
  GREEK: 875,
  TURKISH: 1026,
  THAI: 1160,
};

const numberPrefixes = ['IBM', 'X-IBM', 'CP', 'CPIBM', 'CCSID', 'CSIBM', ''];
/** `CP37`, `IBM037`, `IBM0037` and `CCSID00037` are all in use. */
const digitCounts = [1, 3, 4, 5];

/** Numbers of pages with the same characters as another page. */
const otherNumbers: Readonly<Record<number, number>> = { 838: 9030 };

export const codePageNumbers: readonly number[] = Object.keys(codePageTables).map(Number);

export function canonicalCodePageName(number: number): string {
  return `IBM${String(number).padStart(3, '0')}`;
}

/** All names of a page, canonical name first, without ambiguous ones and variants that `codePageNumber` ignores. */
export function codePageAliases(number: number): string[] {
  const numbers = [number, ...Object.keys(otherNumbers).map(Number)].filter(
    (one) => (otherNumbers[one] ?? one) === number,
  );
  const byNumber = numbers.flatMap((one) =>
    numberPrefixes.flatMap((prefix) => digitCounts.map((digits) => `${prefix}${String(one).padStart(digits, '0')}`)),
  );
  const names = [canonicalCodePageName(number), ...byNumber, ...(furtherNames[number] ?? [])];
  const distinct = new Map<string, string>();
  for (const name of names) if (!distinct.has(compact(name))) distinct.set(compact(name), name);
  return [...distinct.values()];
}

/** Ignores case, `-`, `_` and blanks. */
export function codePageNumber(name: string): number | undefined {
  if (!acceptableName.test(name)) return undefined;
  const compacted = compact(name);
  const digits = numbered.exec(compacted)?.groups?.digits;
  if (digits === undefined) return numberOfName(compacted);
  const number = otherNumbers[Number(digits)] ?? Number(digits);
  return knownNumbers.has(number) ? number : undefined;
}

/** True for names that elsewhere mean other character sets. */
export function isAmbiguousCodePageName(name: string): boolean {
  return Object.hasOwn(ambiguousNames, compact(name));
}

function compact(name: string): string {
  return name.replace(/[-_ ]/g, '').toUpperCase();
}

const numbered = new RegExp(
  `^(?:${numberPrefixes.map(compact).join('|')})(?<digits>[0-9]{1,${Math.max(...digitCounts)}})$`,
);
const knownNumbers: ReadonlySet<number> = new Set(codePageNumbers);
let numbersOfNames: ReadonlyMap<string, number> | undefined;

function numberOfName(name: string): number | undefined {
  numbersOfNames ??= new Map([
    ...Object.entries(ambiguousNames),
    ...codePageNumbers.flatMap((number) =>
      (furtherNames[number] ?? []).map((further) => [compact(further), number] as const),
    ),
  ]);
  return numbersOfNames.get(name);
}
