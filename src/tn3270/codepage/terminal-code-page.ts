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

const terminalPages = new Map<number, CodePage>();

/** The page that a terminal shows and types by; the names are those of `findCodePage`. */
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
