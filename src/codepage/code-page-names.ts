/** Names are looked at up to this many characters, blanks and hyphens counted; a longer one is no code page's. */
export const LONGEST_CODE_PAGE_NAME = 40;

const acceptableName = new RegExp(`^[A-Za-z0-9+_ -]{1,${LONGEST_CODE_PAGE_NAME}}$`);

/** Names that do not consist of a prefix and the number. From IANA's registry, ICU's `convrtrs.txt` and Java's `Charset`. */
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
  ],
  273: ['EBCDIC-DE'],
  277: ['EBCDIC-CP-DK', 'EBCDIC-CP-NO', 'EBCDIC-DK'],
  278: ['EBCDIC-CP-FI', 'EBCDIC-CP-SE', 'EBCDIC-SV'],
  280: ['EBCDIC-CP-IT'],
  284: ['EBCDIC-CP-ES'],
  285: ['EBCDIC-CP-GB', 'EBCDIC-GB'],
  297: ['EBCDIC-CP-FR'],
  424: ['EBCDIC-CP-HE'],
  500: ['EBCDIC-CP-BE', 'EBCDIC-CP-CH', 'EBCDIC-INT'],
  871: ['EBCDIC-CP-IS', 'EBCDIC-IS'],
  875: ['EBCDIC-GREEK'],
  1026: [],
  1047: [],
  1140: ['EBCDIC-US-37+EURO', 'EBCDIC-US-037+EURO'],
  1141: ['EBCDIC-DE-273+EURO'],
  1142: ['EBCDIC-DK-277+EURO', 'EBCDIC-NO-277+EURO'],
  1143: ['EBCDIC-FI-278+EURO', 'EBCDIC-SE-278+EURO'],
  1144: ['EBCDIC-IT-280+EURO'],
  1145: ['EBCDIC-ES-284+EURO'],
  1146: ['EBCDIC-GB-285+EURO'],
  1147: ['EBCDIC-FR-297+EURO'],
  1148: ['EBCDIC-INTERNATIONAL-500+EURO'],
  1149: ['EBCDIC-IS-871+EURO'],
};

const numberPrefixes = ['IBM', 'IBM-', 'X-IBM', 'CP', 'CPIBM', 'CCSID', 'CSIBM', ''];
/** `CP37`, `IBM037`, `IBM0037` and `CCSID00037` are all in use. */
const digitCounts = [1, 3, 4, 5];

/** The numbers of all pages, rising. */
export const codePageNumbers: readonly number[] = Object.keys(furtherNames).map(Number);

/** `IBM` and the number in at least three digits, e.g. `IBM037`. */
export function canonicalCodePageName(number: number): string {
  return `IBM${String(number).padStart(3, '0')}`;
}

/** Every way to write the name of a page, the canonical one first, without those that differ only in what `codePageNumber` disregards. */
export function codePageAliases(number: number): string[] {
  const byNumber = numberPrefixes.flatMap((prefix) =>
    digitCounts.map((digits) => `${prefix}${String(number).padStart(digits, '0')}`),
  );
  const names = [canonicalCodePageName(number), ...byNumber, ...(furtherNames[number] ?? [])];
  const distinct = new Map<string, string>();
  for (const name of names) if (!distinct.has(compact(name))) distinct.set(compact(name), name);
  return [...distinct.values()];
}

/**
 * The number of the page a name means, whatever its case and whatever `-`, `_` and blanks it is written with.
 * Undefined for a name that no page has, or that is longer than `LONGEST_CODE_PAGE_NAME`.
 */
export function codePageNumber(name: string): number | undefined {
  return acceptableName.test(name) ? numberOfName.get(compact(name)) : undefined;
}

function compact(name: string): string {
  return name.replace(/[-_ ]/g, '').toUpperCase();
}

const numberOfName: ReadonlyMap<string, number> = new Map(
  codePageNumbers.flatMap((number) => codePageAliases(number).map((name) => [compact(name), number] as const)),
);
