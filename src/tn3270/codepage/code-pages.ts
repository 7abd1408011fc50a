import type { CodePage } from './code-page.js';
import { canonicalCodePageName, codePageNumber, codePageNumbers } from './code-page-names.js';
import { codePageTables } from './code-page-tables.js';
import { findDoubleByteCharacterSet } from './double-byte-character-sets.js';
import { MixedCodePage } from './mixed-code-page.js';
import { bracketCodePage, bracketCodePageNames, SingleByteCodePage } from './single-byte-code-page.js';

const bracketNames: ReadonlySet<string> = new Set(bracketCodePageNames);
const built = new Map<number, CodePage>();

/**
 * The code page that a name means (`IBM1147`, `cp037`, `ebcdic-cp-us`, …: docs/codepages.md), or undefined.
 * The same page is the same object every time; its tables are built when it is first asked for.
 */
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

/** The canonical names of all pages that have a number, by rising number: `IBM037` … `IBM16804`. */
export function codePageNames(): string[] {
  return codePageNumbers.map(canonicalCodePageName);
}
