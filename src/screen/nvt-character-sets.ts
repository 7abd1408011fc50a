/**
 * DEC special graphics for the codes from `_` to `~` (VT102 User Guide, "Special Graphics Character Set"); the scan lines, the blank and
 * the centred dot are those that s3270 4.1 shows (tried).
 */
const SPECIAL_GRAPHICS = [...'█◆▒␉␌␍␊°±␤␋┘┐┌└┼--─-_├┤┴┬│≤≥π≠£•'].map((character) => character.codePointAt(0) as number);
const FIRST_GRAPHIC = 0x5f;
const NUMBER_SIGN = 0x23;
const POUND = 0xa3;

/** What stands behind `ESC (` and `ESC )`: DEC special graphics, British, and ASCII for all others. */
const [GRAPHICS, BRITISH, ASCII] = [0x30, 0x41, 0x42];

/** The character sets G0 and G1 of a line terminal, and which of them is shifted in (ISO 2022 as a VT102 has it). */
export class NvtCharacterSets {
  #sets: [number, number] = [ASCII, ASCII];
  #shifted: 0 | 1 = 0;

  reset(): void {
    this.#sets = [ASCII, ASCII];
    this.#shifted = 0;
  }

  /** @param intermediate the byte behind ESC; others than `(` and `)` are for sets that this terminal has not */
  designate(intermediate: number, set: number): void {
    if (intermediate === 0x28) this.#sets[0] = set;
    else if (intermediate === 0x29) this.#sets[1] = set;
  }

  /** Shift out is G1, shift in G0. */
  shift(out: boolean): void {
    this.#shifted = out ? 1 : 0;
  }

  /** @param code of ASCII */
  characterOf(code: number): number {
    const set = this.#sets[this.#shifted];
    if (set === GRAPHICS && code >= FIRST_GRAPHIC) return SPECIAL_GRAPHICS[code - FIRST_GRAPHIC] as number;
    return set === BRITISH && code === NUMBER_SIGN ? POUND : code;
  }
}
