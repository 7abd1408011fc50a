import { isOneCodePoint } from '../../lib/text/typed-characters.js';
import { aplByteOf } from '../codepage/apl-character-set.js';
import type { CodePage } from '../codepage/code-page.js';

interface TypedRepertoire {
  readonly narrow: string;
  /** One bit per BMP code point that takes two positions; undefined on a single-byte page. */
  readonly wide: Uint8Array | undefined;
  /** Other characters that take two positions: outside that plane, or with two code points. */
  readonly wideOthers: readonly string[];
}

const LAST_UNIT = 0xffff;
const LOWEST_PAIR = 0x4040;
const HIGHEST_PAIR = 0xfefe;

const built = new WeakMap<CodePage, TypedRepertoire>();

export function typedRepertoire(codePage: CodePage): TypedRepertoire {
  const known = built.get(codePage);
  if (known !== undefined) return known;
  const repertoire = findRepertoire(codePage);
  built.set(codePage, repertoire);
  return repertoire;
}

function findRepertoire(codePage: CodePage): TypedRepertoire {
  const { doubleByte } = codePage;
  const wide = doubleByte && new Uint8Array((LAST_UNIT + 1) / 8);
  let narrow = '';
  for (let unit = 0x20; unit <= LAST_UNIT; unit++) {
    if (unit >= 0x7f && unit < 0xa0) continue;
    const isByte = codePage.encodeCodePoint(unit) >= 0;
    if (!isByte && wide !== undefined && doubleByte?.pairOfCodePoint(unit)) wide[unit >> 3] = wideBits(wide, unit);
    else if (isByte || aplByteOf(unit) >= 0) narrow += String.fromCharCode(unit);
  }
  const wideOthers: string[] = [];
  for (let pair = LOWEST_PAIR; doubleByte !== undefined && pair <= HIGHEST_PAIR; pair++) {
    const character = doubleByte.decodePair(pair);
    if (character.length > 1 && (isOneCodePoint(character) || doubleByte.encodePair(character) === pair))
      wideOthers.push(character);
  }
  return { narrow, wide, wideOthers };
}

function wideBits(wide: Uint8Array, unit: number): number {
  return (wide[unit >> 3] as number) | (1 << (unit & 7));
}
