/**
 * DEC special graphics for the codes from `_` to `~` (VT102 User Guide, "Special Graphics Character Set"); the scan lines, the blank and
 * the centred dot are those that s3270 4.1 shows (tried).
 */
const SPECIAL_GRAPHICS = [...'█◆▒␉␌␍␊°±␤␋┘┐┌└┼--─-_├┤┴┬│≤≥π≠£•'].map((character) => character.codePointAt(0) as number);
const FIRST_SPECIAL_GRAPHIC = 0x5f;
const NUMBER_SIGN = 0x23;
const POUND = 0xa3;

/** What stands behind `ESC (` and `ESC )`: DEC special graphics, British, and ASCII for all others. */
const [GRAPHICS, BRITISH, ASCII] = [0x30, 0x41, 0x42];

/** The bytes behind ESC that a set is designated with: G0 to G3. */
const DESIGNATIONS = [0x28, 0x29, 0x2a, 0x2b];
/** Behind ESC: G2 and G3 shifted in (LS2, LS3), and for one character (SS2, SS3). */
const [LOCKING_SHIFT_2, LOCKING_SHIFT_3, SINGLE_SHIFT_2, SINGLE_SHIFT_3] = [0x6e, 0x6f, 0x4e, 0x4f];

interface Sets {
  readonly sets: readonly number[];
  readonly shifted: number;
}

const PLAIN: Sets = { sets: [ASCII, ASCII, ASCII, ASCII], shifted: 0 };

/** The character sets G0 to G3 of a line terminal, and which of them is shifted in (ISO 2022 as a VT220 has it). */
export class NvtCharacterSets {
  #now = PLAIN;
  /** For the next character alone. */
  #single: number | undefined;
  #saved = PLAIN;

  reset(): void {
    this.#now = PLAIN;
    this.#saved = PLAIN;
    this.#single = undefined;
  }

  save(): void {
    this.#saved = this.#now;
  }

  restore(): void {
    this.#now = this.#saved;
  }

  /** @param intermediate the byte behind ESC; others than `(` to `+` are for what this terminal has not */
  designate(intermediate: number, set: number): void {
    const place = DESIGNATIONS.indexOf(intermediate);
    if (place >= 0) this.#now = { ...this.#now, sets: this.#now.sets.with(place, set) };
  }

  /** Shift out is G1, shift in G0. */
  shift(out: boolean): void {
    this.#now = { ...this.#now, shifted: out ? 1 : 0 };
  }

  /** @param byte behind ESC */
  escape(byte: number): void {
    if (byte === LOCKING_SHIFT_2 || byte === LOCKING_SHIFT_3) {
      this.#now = { ...this.#now, shifted: byte === LOCKING_SHIFT_2 ? 2 : 3 };
    } else if (byte === SINGLE_SHIFT_2 || byte === SINGLE_SHIFT_3) this.#single = byte === SINGLE_SHIFT_2 ? 2 : 3;
  }

  /** @param code of ASCII */
  characterOf(code: number): number {
    const set = this.#now.sets[this.#single ?? this.#now.shifted];
    this.#single = undefined;
    if (set === GRAPHICS && code >= FIRST_SPECIAL_GRAPHIC) return SPECIAL_GRAPHICS[code - FIRST_SPECIAL_GRAPHIC] as number;
    return set === BRITISH && code === NUMBER_SIGN ? POUND : code;
  }
}
