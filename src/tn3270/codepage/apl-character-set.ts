/**
 * Character set of Graphic Escape and of character set attribute 0xF1: APL and line drawing, IBM's code page 310.
 * Sixteen codes a row from 0x40; U+FFFD if unassigned. The underscored capitals at 0x41–0x69 are stored without their
 * underscore, because in Unicode they are two code points.
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

/** 256 UTF-16 units, indexed by code; U+FFFD if unassigned. */
export const aplUnitOfByte: Uint16Array = Uint16Array.from({ length: 256 }, (_, code) =>
  code < FIRST_CODE ? UNASSIGNED : rows.charCodeAt(code - FIRST_CODE),
);

const byteOfUnit: ReadonlyMap<number, number> = new Map(
  Array.from(aplUnitOfByte, (unit, code): [number, number] => [unit, code]).filter(
    ([unit]) => unit !== UNASSIGNED && unit > 0x7f,
  ),
);

/** Start of 256 private code points, one per code, in a plane that no code page uses. */
const PRIVATE = 0xf0000;

/** @returns -1 if the set lacks the code point */
export function aplByteOf(codePoint: number): number {
  const isPrivate = codePoint >= PRIVATE + FIRST_CODE && codePoint < PRIVATE + 256;
  return isPrivate ? codePoint - PRIVATE : (byteOfUnit.get(codePoint) ?? -1);
}

/** Private code point for a character of both this set and the code page, or an underscored capital. */
export function ownAplCharacter(unit: number): string {
  return String.fromCodePoint(PRIVATE + aplUnitOfByte.indexOf(unit));
}

export function isUnderscoredLetter(code: number): boolean {
  const unit = aplUnitOfByte[code] ?? UNASSIGNED;
  return unit >= 0x41 && unit <= 0x5a;
}
