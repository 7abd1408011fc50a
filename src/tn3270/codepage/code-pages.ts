import type { CodePage } from './code-page.js';
import { canonicalCodePageName, codePageNumber, codePageNumbers } from './code-page-names.js';
import { codePageTables } from './code-page-tables.js';
import { DoubleByteCharacterSet, type PairTable } from './double-byte-character-set.js';
import { MixedCodePage } from './mixed-code-page.js';
import { bracketCodePage, bracketCodePageNames, SingleByteCodePage } from './single-byte-code-page.js';
import { ibm1364Pairs } from './tables/ibm1364-pairs.js';
import { ibm1371Pairs } from './tables/ibm1371-pairs.js';
import { ibm1388Pairs } from './tables/ibm1388-pairs.js';
import { ibm1399Pairs } from './tables/ibm1399-pairs.js';

const bracketNames: ReadonlySet<string> = new Set(bracketCodePageNames);
const built = new Map<number, CodePage>();

/** Names as `IBM1147`, `cp037`, `ebcdic-cp-us` (docs/run/codepages.md). Returns the same object each time. */
export function findCodePage(name: string): CodePage | undefined {
  if (bracketNames.has(name.toLowerCase())) return bracketCodePage();
  const number = codePageNumber(name);
  if (number === undefined) return undefined;
  const known = built.get(number);
  if (known) return known;
  const table = codePageTables[number];
  if (table === undefined) return undefined;
  const singleByte = new SingleByteCodePage(canonicalCodePageName(number), number, table);
  const doubleByte = findDoubleByteCharacterSet(number);
  const page = doubleByte === undefined ? singleByte : new MixedCodePage(singleByte, doubleByte);
  built.set(number, page);
  return page;
}

/** Canonical names of all numbered pages in ascending order of number: `IBM037` … `IBM16804`. */
export function codePageNames(): string[] {
  return codePageNumbers.map(canonicalCodePageName);
}

/** A function, so that these long texts are loaded only if needed. */
type Pairs = () => PairTable;

/** 930 and 939, and 1390 and 1399, differ only in their single-byte halves. */
const pairsOfPage: Readonly<Record<number, readonly [pairs: Pairs, extent: 'whole' | 'part']>> = {
  930: [ibm1399Pairs, 'part'],
  933: [ibm1364Pairs, 'part'],
  935: [ibm1388Pairs, 'part'],
  937: [ibm1371Pairs, 'part'],
  939: [ibm1399Pairs, 'part'],
  1364: [ibm1364Pairs, 'whole'],
  1371: [ibm1371Pairs, 'whole'],
  1388: [ibm1388Pairs, 'whole'],
  1390: [ibm1399Pairs, 'whole'],
  1399: [ibm1399Pairs, 'whole'],
};

const builtSets = {
  whole: new Map<Pairs, DoubleByteCharacterSet>(),
  part: new Map<Pairs, DoubleByteCharacterSet>(),
} as const;

/** The double-byte half of a mixed page (1 to 2 MB), built on first use; undefined for a single-byte page. */
function findDoubleByteCharacterSet(page: number): DoubleByteCharacterSet | undefined {
  const entry = pairsOfPage[page];
  if (entry === undefined) return undefined;
  const [pairs, extent] = entry;
  const known = builtSets[extent].get(pairs);
  if (known !== undefined) return known;
  const set = new DoubleByteCharacterSet(pairs(), extent);
  builtSets[extent].set(pairs, set);
  return set;
}

/**
 * Bytes that 3270 emulators display differently from IBM's table and glibc: `[byte, character]`. Terminals and recorded
 * host sessions follow the emulators; data conversions follow the table.
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

const terminalPages = new Map<number, CodePage>();

/** The code page for display and keyboard input of a terminal; names as in `findCodePage`. */
export function findTerminalCodePage(name: string): CodePage | undefined {
  const page = findCodePage(name);
  const changes = page === undefined ? undefined : shownOtherwise[page.number];
  if (page === undefined || changes === undefined || page.doubleByte === undefined) return page;
  const known = terminalPages.get(page.number);
  if (known !== undefined) return known;
  const characters = Array.from(page.unitOfByte, (unit) => String.fromCharCode(unit));
  for (const [byte, character] of changes) characters[byte] = character;
  const table = { characters: characters.join(''), encodedOtherwise: [] };
  const terminalPage = new MixedCodePage(new SingleByteCodePage(page.name, page.number, table), page.doubleByte);
  terminalPages.set(page.number, terminalPage);
  return terminalPage;
}
