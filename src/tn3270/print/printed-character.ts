import { aplUnitOfByte } from '../codepage/apl-character-set.js';
import type { CodePage } from '../codepage/code-page.js';

const UNASSIGNED = 0xfffd;
const FIRST_GRAPHIC = 0x40;

/** What the byte of a single-byte character prints; a blank where the code page has none. */
export function printedCharacter(codePage: CodePage, code: number): string {
  return graphicOf(code < FIRST_GRAPHIC ? UNASSIGNED : (codePage.unitOfByte[code] ?? UNASSIGNED));
}

/** The same for a byte after Graphic Escape. */
export function printedAplCharacter(code: number): string {
  return graphicOf(aplUnitOfByte[code] ?? UNASSIGNED);
}

/** The same for two bytes. */
export function printedPair(codePage: CodePage, first: number, second: number): string {
  return codePage.doubleByte?.decodePair((first << 8) | second) || '\u3000';
}

/** Whatever a code page says, no control character reaches the paper. */
function graphicOf(unit: number): string {
  const isGraphic =
    unit !== UNASSIGNED && unit >= 0x20 && (unit < 0x7f || unit > 0xa0) && (unit < 0xd800 || unit > 0xdfff);
  return isGraphic ? String.fromCharCode(unit) : ' ';
}
