import { aplUnitOfByte } from '../codepage/apl-character-set.js';
import type { CodePage } from '../codepage/code-page.js';
import { characterSets } from '../datastream/attributes.js';
import type { BufferAddress } from '../datastream/buffer-address.js';
import { formatControls } from '../datastream/orders.js';
import { doubleByteStates, GRAPHIC_ESCAPED } from './planes.js';
import type { ScreenState } from './screen-state.js';

const UNASSIGNED = 0xfffd;
/** What a terminal shows for codes that are no character of the code page. */
const signs: Readonly<Record<number, string>> = {
  [formatControls.duplicate]: '*',
  [formatControls.fieldMark]: ';',
  [formatControls.substitute]: '■',
  [formatControls.eightOnes]: '●',
};

/**
 * What a position shows: one character, empty for the right half of a double-byte one, a blank for field attributes, nulls and
 * controls. Tells non-displayable fields too: that is the caller's to hide.
 * @param fieldSet the character set of the field the position is in
 */
export function characterAt(state: ScreenState, at: BufferAddress, fieldSet: number): string {
  const { planes } = state.space;
  const lineCharacter = state.lineCharacters?.[at] ?? 0;
  if (lineCharacter !== 0) return String.fromCodePoint(lineCharacter);
  const code = planes.codes[at] as number;
  const half = planes.doubleByte[at];
  if (half === doubleByteStates.right) return '';
  if (half === doubleByteStates.left) {
    const pair = (code << 8) | (planes.codes[state.space.next(at)] as number);
    return state.codePage.doubleByte?.decodePair(pair) || WIDE_BLANK;
  }
  const set = (planes.characterSets[at] as number) || fieldSet;
  const fromApl = set === GRAPHIC_ESCAPED || set === characterSets.apl;
  return singleByteCharacter(fromApl ? aplUnitOfByte : state.codePage.unitOfByte, code);
}

function singleByteCharacter(unitOfByte: Uint16Array, code: number): string {
  if (code < 0x40 || code === formatControls.eightOnes) return signs[code] ?? ' ';
  const unit = unitOfByte[code] as number;
  return unit === UNASSIGNED || unit < 0x20 || (unit >= 0x7f && unit < 0xa0) ? ' ' : String.fromCharCode(unit);
}

/** What each code shows where nothing but the code page says so, by code pages: screens are drawn again and again. */
const usualCharacters = new WeakMap<CodePage, readonly string[]>();

/**
 * What a single byte of the code page shows, by its code: `characterAt` for positions of 3270 data without a character set,
 * where the code page has no double-byte characters.
 */
export function usualCharactersOf(codePage: CodePage): readonly string[] {
  let characters = usualCharacters.get(codePage);
  if (characters === undefined) {
    characters = Array.from({ length: 256 }, (_, code) => singleByteCharacter(codePage.unitOfByte, code));
    usualCharacters.set(codePage, characters);
  }
  return characters;
}

const WIDE_BLANK = '\u3000';
