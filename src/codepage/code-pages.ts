import type { CodePage } from './code-page.js';
import { canonicalCodePageName, codePageNumber, codePageNumbers } from './code-page-names.js';
import { codePageTables } from './code-page-tables.js';
import { findDoubleByteCharacterSet } from './double-byte-character-sets.js';
import { MixedCodePage } from './mixed-code-page.js';
import { SingleByteCodePage } from './single-byte-code-page.js';

const built = new Map<number, CodePage>();

/**
 * The code page that a name means (`IBM1147`, `cp037`, `ebcdic-cp-us`, …: docs/codepages.md), or undefined.
 * The same page is the same object every time; its tables are built when it is first asked for.
 */
export function findCodePage(name: string): CodePage | undefined {
  if (bracketNames.test(name)) return bracketCodePage();
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

/**
 * 3270 emulators' name for code page 37 with the brackets where many hosts, and code page 1047, have them. It has no number
 * of its own.
 */
const bracketNames = /^(bracket|oldibm|bracket437)$/i;

function bracketCodePage(): CodePage | undefined {
  const known = built.get(BRACKET);
  const base = codePageTables[37];
  if (known !== undefined || base === undefined) return known;
  const characters = Array.from(base.characters);
  for (const [left, right] of bracketSwaps) {
    [characters[left], characters[right]] = [characters[right] ?? '', characters[left] ?? ''];
  }
  const page = new SingleByteCodePage('bracket', 37, { ...base, characters: characters.join('') });
  built.set(BRACKET, page);
  return page;
}

const BRACKET = -1;
/** Bytes that change places: brackets with Y acute and diaeresis. */
const bracketSwaps = [
  [0xad, 0xba],
  [0xbd, 0xbb],
] as const;

/** The canonical names of all pages, by rising number: `IBM037` … `IBM1149`. */
export function codePageNames(): string[] {
  return codePageNumbers.map(canonicalCodePageName);
}
