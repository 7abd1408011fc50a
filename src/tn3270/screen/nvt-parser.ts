/**
 * DEC special graphics for codes `_` to `~` (VT102 User Guide, "Special Graphics Character Set"); scan lines, blank and
 * centred dot as displayed by s3270 4.1 (tested).
 */
const SPECIAL_GRAPHICS = [...'█◆▒␉␌␍␊°±␤␋┘┐┌└┼--─-_├┤┴┬│≤≥π≠£•'].map((character) => character.codePointAt(0) as number);
const FIRST_SPECIAL_GRAPHIC = 0x5f;
const NUMBER_SIGN = 0x23;
const POUND = 0xa3;

/** Final bytes of `ESC (` and `ESC )`: DEC special graphics, British; all others select ASCII. */
const [GRAPHICS, BRITISH, ASCII] = [0x30, 0x41, 0x42];

/** Bytes after ESC that designate G0 to G3. */
const DESIGNATIONS = [0x28, 0x29, 0x2a, 0x2b];
/** Bytes after ESC that shift in G2 or G3 permanently (LS2, LS3) or for one character (SS2, SS3). */
const [LOCKING_SHIFT_2, LOCKING_SHIFT_3, SINGLE_SHIFT_2, SINGLE_SHIFT_3] = [0x6e, 0x6f, 0x4e, 0x4f];

interface Sets {
  readonly sets: readonly number[];
  readonly shifted: number;
}

const PLAIN: Sets = { sets: [ASCII, ASCII, ASCII, ASCII], shifted: 0 };

/** Character sets G0 to G3 and the active one (ISO 2022, as on a VT220). */
class NvtCharacterSets {
  #now = PLAIN;
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

  designate(intermediate: number, set: number): void {
    const place = DESIGNATIONS.indexOf(intermediate);
    if (place >= 0) this.#now = { ...this.#now, sets: this.#now.sets.with(place, set) };
  }

  shift(out: boolean): void {
    this.#now = { ...this.#now, shifted: out ? 1 : 0 };
  }

  escape(byte: number): void {
    if (byte === LOCKING_SHIFT_2 || byte === LOCKING_SHIFT_3) {
      this.#now = { ...this.#now, shifted: byte === LOCKING_SHIFT_2 ? 2 : 3 };
    } else if (byte === SINGLE_SHIFT_2 || byte === SINGLE_SHIFT_3) this.#single = byte === SINGLE_SHIFT_2 ? 2 : 3;
  }

  characterOf(code: number): number {
    const set = this.#now.sets[this.#single ?? this.#now.shifted];
    this.#single = undefined;
    if (set === GRAPHICS && code >= FIRST_SPECIAL_GRAPHIC)
      return SPECIAL_GRAPHICS[code - FIRST_SPECIAL_GRAPHIC] as number;
    return set === BRITISH && code === NUMBER_SIGN ? POUND : code;
  }
}

interface NvtHandler {
  character(codePoint: number): void;
  /** @param count number of consecutive occurrences */
  control(code: number, count: number): void;
  escape(final: string): void;
  /** ESC [, parameters, final character. */
  sequence(final: string, parameters: readonly number[], isPrivate: boolean): void;
}

/** Further parameters are ignored; larger values are reduced to the maximum. */
const MOST_PARAMETERS = 16;
const HIGHEST_PARAMETER = 9_999;

type State = 'ground' | 'escape' | 'intermediate' | 'sequence' | 'string' | 'stringEscape';

const ESC = 0x1b;
const BEL = 0x07;
const RESET = 0x63;
const [SHIFT_OUT, SHIFT_IN] = [0x0e, 0x0f];

const INVALID = 0x3f;
/** Lower codes from 0x80 are 8-bit controls. */
const FIRST_GRAPHIC = 0xa0;
/** Lowest code point, indexed by the number of continuation bytes. */
const leastOfLength = [0, 0x80, 0x800, 0x10000];

/** Parses the output of a line terminal's host: UTF-8 text, controls and ANSI X3.64 sequences. Never throws. */
export class NvtParser {
  readonly #handler: NvtHandler;
  readonly #marksInvalidText: boolean;
  readonly #sets = new NvtCharacterSets();
  #intermediate = 0;
  #state: State = 'ground';
  #parameters: number[] = [];
  #isPrivate = false;
  #partial = 0;
  #missing = 0;
  #least = 0;
  #isInvalid = false;

  /** @param marksInvalidText true to display invalid UTF-8 as question marks, as s3270 does */
  constructor(handler: NvtHandler, marksInvalidText: boolean) {
    this.#handler = handler;
    this.#marksInvalidText = marksInvalidText;
  }

  saveSets(): void {
    this.#sets.save();
  }

  restoreSets(): void {
    this.#sets.restore();
  }

  reset(): void {
    this.#state = 'ground';
    this.#missing = 0;
    this.#sets.reset();
  }

  feed(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; ) {
      const byte = bytes[at++] as number;
      if (this.#isControl(byte)) {
        const first = at;
        while (bytes[at] === byte) at++;
        if (byte === SHIFT_OUT || byte === SHIFT_IN) this.#sets.shift(byte === SHIFT_OUT);
        else this.#handler.control(byte, 1 + at - first);
      } else {
        this.#take(byte);
      }
    }
  }

  /** Controls also take effect within a sequence (VT102 User Guide, "Control characters"). */
  #isControl(byte: number): boolean {
    if (byte >= 0x20 || byte === ESC) return false;
    const isText = this.#state === 'string' || this.#state === 'stringEscape';
    return !isText && !(this.#marksInvalidText && this.#missing > 0);
  }

  #take(byte: number): void {
    if (this.#state === 'ground') this.#takeGround(byte);
    else if (this.#state === 'string' || this.#state === 'stringEscape') this.#takeString(byte);
    else if (byte === ESC) this.#state = 'escape';
    else if (this.#state === 'escape') this.#takeEscape(byte);
    else if (this.#state === 'intermediate') this.#takeDesignation(byte);
    else this.#takeSequence(byte);
  }

  #takeGround(byte: number): void {
    if (this.#missing > 0 && this.#marksInvalidText) this.#takeFurtherByte(byte);
    else if (byte === ESC) this.#state = 'escape';
    else if (byte < 0x7f) this.#character(this.#sets.characterOf(byte));
    else if (byte > 0x7f) this.#takeUtf8(byte);
  }

  /** Unless invalid text is marked, invalid UTF-8 is read as Latin 1. */
  #takeUtf8(byte: number): void {
    if (this.#missing > 0 && (byte & 0xc0) === 0x80) {
      this.#partial = (this.#partial << 6) | (byte & 0x3f);
      if (--this.#missing === 0) this.#character(this.#partial);
    } else if (byte >= 0xc2 && byte < 0xf5) {
      this.#missing = byte < 0xe0 ? 1 : byte < 0xf0 ? 2 : 3;
      this.#least = leastOfLength[this.#missing] as number;
      this.#isInvalid = false;
      this.#partial = byte & (0x3f >> this.#missing);
    } else {
      this.#missing = 0;
      if (!this.#marksInvalidText) this.#character(byte);
      // lower codes are 8-bit controls
      else if (byte >= FIRST_GRAPHIC) this.#character(INVALID);
    }
  }

  /** The last byte of an invalid character may start the next one. */
  #takeFurtherByte(byte: number): void {
    const isPart = (byte & 0xc0) === 0x80;
    this.#isInvalid ||= !isPart;
    this.#partial = (this.#partial << 6) | (byte & 0x3f);
    if (--this.#missing > 0) return;
    const isSound = !this.#isInvalid && this.#partial >= this.#least;
    this.#character(isSound ? this.#partial : INVALID);
    if (!isSound) this.#takeGround(byte);
  }

  #character(codePoint: number): void {
    this.#missing = 0;
    const printable = codePoint <= 0x10ffff && !(codePoint >= 0xd800 && codePoint <= 0xdfff) && codePoint >= 0x20;
    const isControl = codePoint >= 0x7f && codePoint < 0xa0;
    if (printable && !isControl) this.#handler.character(codePoint);
  }

  #takeEscape(byte: number): void {
    if (byte === 0x5b) {
      this.#state = 'sequence';
      this.#parameters = [];
      this.#isPrivate = false;
    } else if (byte === 0x5d || byte === 0x50 || byte === 0x58 || byte === 0x5e || byte === 0x5f) {
      this.#state = 'string';
    } else if (byte < 0x30) {
      this.#state = 'intermediate';
      this.#intermediate = byte;
    } else {
      this.#state = 'ground';
      if (byte === RESET) this.#sets.reset();
      else this.#sets.escape(byte);
      this.#handler.escape(String.fromCharCode(byte));
    }
  }

  /** Skips further intermediate bytes, which belong to unsupported functions. */
  #takeDesignation(byte: number): void {
    if (byte < 0x30) return;
    this.#state = 'ground';
    this.#sets.designate(this.#intermediate, byte);
  }

  #takeSequence(byte: number): void {
    if (byte >= 0x30 && byte <= 0x39) {
      if (this.#parameters.length === 0) this.#parameters.push(0);
      const last = this.#parameters.length - 1;
      const value = (this.#parameters[last] as number) * 10 + byte - 0x30;
      this.#parameters[last] = Math.min(value, HIGHEST_PARAMETER);
    } else if (byte === 0x3b) {
      if (this.#parameters.length === 0) this.#parameters.push(0);
      if (this.#parameters.length < MOST_PARAMETERS) this.#parameters.push(0);
    } else if (byte >= 0x3c && byte <= 0x3f) {
      this.#isPrivate = true;
    } else if (byte >= 0x40) {
      this.#state = 'ground';
      this.#handler.sequence(String.fromCharCode(byte), this.#parameters, this.#isPrivate);
    }
  }

  /** Ignores e.g. a title, up to BEL or ESC \. */
  #takeString(byte: number): void {
    if (this.#state === 'stringEscape') this.#state = byte === 0x5c ? 'ground' : 'string';
    else if (byte === BEL) this.#state = 'ground';
    else if (byte === ESC) this.#state = 'stringEscape';
  }
}
