import type { CodePage } from './code-page.js';
import { codePageTables } from './code-page-tables.js';
import { SingleByteCodePage } from './single-byte-code-page.js';

/** The canonical name first. IBM has no name or number for the page; these are the names used by 3270 emulators. */
export const bracketCodePageNames = ['bracket', 'oldibm', 'bracket437'] as const;

const BASE = 37;
/** Bytes that change places: `[` and `]` with Y acute and diaeresis. */
const swaps = [
  [0xad, 0xba],
  [0xbd, 0xbb],
] as const;

let built: CodePage | undefined;

/** Code page 37 with the brackets at the codes of code page 1047 and many hosts. */
export function bracketCodePage(): CodePage | undefined {
  const base = codePageTables[BASE];
  if (built !== undefined || base === undefined) return built;
  const characters = Array.from(base.characters);
  for (const [left, right] of swaps) {
    [characters[left], characters[right]] = [characters[right] as string, characters[left] as string];
  }
  built = new SingleByteCodePage(bracketCodePageNames[0], BASE, { ...base, characters: characters.join('') });
  return built;
}
