/**
 * The character set of Graphic Escape and of character set attribute 0xF1: APL and line drawing, IBM's code page 310. Sixteen
 * codes a row from 0x40; U+FFFD where the page assigns none. The underscored capitals at 0x41–0x69 are given without their
 * underscore, as Unicode has them only as two code points.
 */
const rows = [
  ' ABCDEFGHI\ufffd\ufffd\ufffd\ufffd\ufffd\ufffd',
  '\ufffdJKLMNOPQR\ufffd\ufffd\ufffd\ufffd\ufffd\ufffd',
  '\ufffd\ufffdSTUVWXYZ\ufffd\ufffd\ufffd\ufffd\ufffd\ufffd',
  '⋄∧¨⌻⍸⍷⊢⊣∨\ufffd\ufffd\ufffd\ufffd\ufffd\ufffd\ufffd',
  '∼\ufffd\ufffd⎸⎹│\ufffd\ufffd\ufffd\ufffd↑↓≤⌈⌊→',
  '⎕▌▐▀▄■\ufffd\ufffd\ufffd\ufffd⊃⊂¤○±←',
  '¯°─•\ufffd\ufffd\ufffd\ufffd\ufffd\ufffd∩∪⊥[≥∘',
  '⍺∊⍳⍴⍵\ufffd×\\÷\ufffd∇∆⊤]≠∣',
  '{⁼+∎└┌├┴§\ufffd⍲⍱⌷⌽⍂⍉',
  '}⁾-┼┘┐┤┬¶\ufffd⌶!⍒⍋⍞⍝',
  '≡₁ʂʃ⍤⍥⍪€\ufffd\ufffd⌿⍀∵⊖⌹⍕',
  '⁰¹²³⁴⁵⁶⁷⁸⁹\ufffd⍫⍙⍟⍎\ufffd',
].join('');

const FIRST_CODE = 0x40;
const UNASSIGNED = 0xfffd;

/** One UTF-16 unit for each of 256 codes; U+FFFD if there is none. Read-only. */
export const aplUnitOfByte: Uint16Array = Uint16Array.from({ length: 256 }, (_, code) =>
  code < FIRST_CODE ? UNASSIGNED : rows.charCodeAt(code - FIRST_CODE),
);

/** Letters and the blank are left to the code page, which has them itself. */
const byteOfUnit: ReadonlyMap<number, number> = new Map(
  Array.from(aplUnitOfByte, (unit, code): [number, number] => [unit, code]).filter(
    ([unit]) => unit !== UNASSIGNED && unit > 0x7f,
  ),
);

/** Private code points of a plane that no code page has, one for each code. */
const PRIVATE = 0xf0000;

/** The code of a code point in this set; -1 if there is none. */
export function aplByteOf(codePoint: number): number {
  const isPrivate = codePoint >= PRIVATE + FIRST_CODE && codePoint < PRIVATE + 256;
  return isPrivate ? codePoint - PRIVATE : (byteOfUnit.get(codePoint) ?? -1);
}

/** A character for what this set shares with the code page, or has with a line below it: typed, it is of this set. */
export function ownAplCharacter(unit: number): string {
  return String.fromCodePoint(PRIVATE + aplUnitOfByte.indexOf(unit));
}

/** Whether a code of this set is a capital with a line below it. */
export function isUnderscoredLetter(code: number): boolean {
  const unit = aplUnitOfByte[code] ?? UNASSIGNED;
  return unit >= 0x41 && unit <= 0x5a;
}
