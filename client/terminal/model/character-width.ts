import { isOneCodePoint } from '../../../src/lib/text/typed-characters.js';

/** Number of positions; 0 if the character cannot be typed. */
export type CharacterWidth = (character: string) => 0 | 1 | 2;

/** First and last code points of the East Asian Width classes W and F. */
const wideRanges: ReadonlyArray<readonly [first: number, last: number]> = [
  [0x1100, 0x115f],
  [0x2e80, 0x303e],
  [0x3041, 0x33ff],
  [0x3400, 0x4dbf],
  [0x4e00, 0xa4cf],
  [0xa960, 0xa97f],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0xfe30, 0xfe6f],
  [0xff01, 0xff60],
  [0xffe0, 0xffe6],
  [0x1f300, 0x1f64f],
  [0x1f900, 0x1f9ff],
  [0x20000, 0x3fffd],
];

const untypable = /^[\p{Cc}\p{Cs}\p{M}]/u;

/** By Unicode properties, without the code page. */
export const unicodeWidth: CharacterWidth = (character) => {
  if (character === '' || untypable.test(character) || !isOneCodePoint(character)) return 0;
  const codePoint = character.codePointAt(0) as number;
  return wideRanges.some(([first, last]) => codePoint >= first && codePoint <= last) ? 2 : 1;
};
