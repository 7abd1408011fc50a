import type { CodePage } from './code-page.js';
import { canonicalCodePageName, codePageNumber, codePageNumbers } from './code-page-names.js';
import { codePageTables } from './code-page-tables.js';
import { SingleByteCodePage } from './single-byte-code-page.js';

const built = new Map<number, CodePage>();

/**
 * The code page that a name means (`IBM1147`, `cp037`, `ebcdic-cp-us`, …: docs/codepages.md), or undefined.
 * The same page is the same object every time; its tables are built when it is first asked for.
 */
export function findCodePage(name: string): CodePage | undefined {
  const number = codePageNumber(name);
  if (number === undefined) return undefined;
  const known = built.get(number);
  if (known) return known;
  const table = codePageTables[number];
  if (table === undefined) return undefined;
  const page = new SingleByteCodePage(canonicalCodePageName(number), number, table);
  built.set(number, page);
  return page;
}

/** The canonical names of all pages, by rising number: `IBM037` … `IBM1149`. */
export function codePageNames(): string[] {
  return codePageNumbers.map(canonicalCodePageName);
}
