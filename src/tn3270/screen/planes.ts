import { MOST_16_BIT_POSITIONS } from '../datastream/buffer-address.js';

const USUAL_PLANES = 4;
const DOUBLE_BYTE_PLANES = 2;
/** Backgrounds, character sets, validations and outlinings, allocated on first use. */
const RARE_PLANES = 4;

export const doubleByteStates = {
  none: 0,
  left: 1,
  right: 2,
  shiftIn: 3,
  /** Position in a double-byte field or subfield that is not part of a pair. */
  dead: 4,
} as const;

/** Character set of a character written with Graphic Escape; all other values in the plane are attribute values. */
export const GRAPHIC_ESCAPED = 0x01;

const MODIFIED = 0x01;
/** Up to this number of positions, a loop is faster than `fill` of several planes. */
const LONGEST_LOOP = 96;

/** Scratch marks of positions, shared by all screens; all 0 between uses. */
const marks = new Uint8Array(MOST_16_BIT_POSITIONS);
const CHANGED = 1;
const BOUNDARY = 2;

/** Shared by all planes that contain only 0; never written with another value. */
let zeros = new Uint8Array(0);
/** Cached for the most recent size: most screens have the same size. */
let lastZeros = zeros;

function zeroPlane(positions: number): Uint8Array {
  if (zeros.length < positions) zeros = new Uint8Array(positions);
  if (lastZeros.length !== positions) lastZeros = zeros.subarray(0, positions);
  return lastZeros;
}

/**
 * One byte per position and property, in consecutive planes of one buffer. Extended attributes of a field are at the
 * position of its field attribute. 0 is the default in all planes.
 */
export class Planes {
  readonly positions: number;
  readonly hasDoubleByte: boolean;
  readonly #bytes: Uint8Array;
  #rare: Uint8Array | undefined;
  /** EBCDIC; 0 (null) at field attributes. */
  readonly codes: Uint8Array;
  readonly fieldAttributes: Uint8Array;
  readonly foregrounds: Uint8Array;
  /** May be shared `zeros`, as are the other rare planes: write only with `setRare`. */
  backgrounds: Uint8Array;
  /** 0 or 0xF1–0xFF; 0xF0, which looks the same as 0, is stored as 0. */
  readonly highlightings: Uint8Array;
  characterSets: Uint8Array;
  readonly inputControls: Uint8Array;
  validations: Uint8Array;
  outlinings: Uint8Array;
  readonly doubleByte: Uint8Array;

  constructor(positions: number, hasDoubleByte: boolean) {
    this.positions = positions;
    this.hasDoubleByte = hasDoubleByte;
    this.#bytes = new Uint8Array(positions * (USUAL_PLANES + (hasDoubleByte ? DOUBLE_BYTE_PLANES : 0)));
    let plane = 0;
    const next = () => this.#bytes.subarray(positions * plane, positions * ++plane);
    this.codes = next();
    this.fieldAttributes = next();
    this.foregrounds = next();
    this.highlightings = next();
    this.inputControls = hasDoubleByte ? next() : zeroPlane(positions);
    this.doubleByte = hasDoubleByte ? next() : zeroPlane(positions);
    this.backgrounds = zeroPlane(positions);
    this.characterSets = zeroPlane(positions);
    this.validations = zeroPlane(positions);
    this.outlinings = zeroPlane(positions);
  }

  clear(): void {
    this.#bytes.fill(0);
    this.#rare?.fill(0);
  }

  setRare(plane: 'backgrounds' | 'characterSets' | 'validations' | 'outlinings', at: number, value: number): void {
    if (value !== 0) this.#rarePlanes();
    this[plane][at] = value;
  }

  #rarePlanes(): Uint8Array {
    if (this.#rare === undefined) {
      const rare = new Uint8Array(this.positions * RARE_PLANES);
      const plane = (at: number) => rare.subarray(this.positions * at, this.positions * (at + 1));
      this.#rare = rare;
      this.backgrounds = plane(0);
      this.characterSets = plane(1);
      this.validations = plane(2);
      this.outlinings = plane(3);
    }
    return this.#rare;
  }

  /** Writes a character with default attributes; replaces a field attribute. */
  setCharacter(at: number, code: number): void {
    this.codes[at] = code;
    this.fieldAttributes[at] = 0;
    this.clearAttributes(at);
  }

  /** Writes a null and keeps colours and highlighting, as an erase by the host does. */
  eraseCode(at: number): void {
    this.codes[at] = 0;
    this.characterSets[at] = 0;
  }

  clearAttributes(at: number): void {
    this.foregrounds[at] = 0;
    this.backgrounds[at] = 0;
    this.highlightings[at] = 0;
    this.characterSets[at] = 0;
    this.inputControls[at] = 0;
    this.validations[at] = 0;
    this.outlinings[at] = 0;
  }

  fillAttributes(
    start: number,
    end: number,
    foreground: number,
    background: number,
    highlighting: number,
    characterSet: number,
    inputControl: number,
  ): void {
    if (background !== 0 || characterSet !== 0) this.#rarePlanes();
    const { fieldAttributes, foregrounds, highlightings } = this;
    if (end - start <= LONGEST_LOOP) {
      for (let at = start; at < end; at++) {
        fieldAttributes[at] = 0;
        foregrounds[at] = foreground;
        highlightings[at] = highlighting;
      }
    } else {
      fieldAttributes.fill(0, start, end);
      foregrounds.fill(foreground, start, end);
      highlightings.fill(highlighting, start, end);
    }
    if (this.hasDoubleByte) this.inputControls.fill(inputControl, start, end);
    if (this.#rare === undefined) return;
    this.backgrounds.fill(background, start, end);
    this.characterSets.fill(characterSet, start, end);
    this.validations.fill(0, start, end);
    this.outlinings.fill(0, start, end);
  }

  resetModified(): void {
    const { fieldAttributes } = this;
    for (let at = 0; at < fieldAttributes.length; at++) {
      if (fieldAttributes[at] !== 0) fieldAttributes[at] = (fieldAttributes[at] as number) & ~1;
    }
  }

  copyCharacter(from: number, to: number): void {
    this.codes[to] = this.codes[from] as number;
    this.foregrounds[to] = this.foregrounds[from] as number;
    this.backgrounds[to] = this.backgrounds[from] as number;
    this.highlightings[to] = this.highlightings[from] as number;
    this.characterSets[to] = this.characterSets[from] as number;
    this.inputControls[to] = this.inputControls[from] as number;
    this.doubleByte[to] = this.doubleByte[from] as number;
  }

  moveRange(from: number, to: number, count: number): void {
    this.#inEachPlane((bytes, start) => bytes.copyWithin(start + to, start + from, start + from + count));
  }

  clearRange(start: number, end: number): void {
    this.#inEachPlane((bytes, first) => bytes.fill(0, first + start, first + end));
  }

  /**
   * Both planes must have the same size and kind. Ignores modified data tags.
   * @param tell receives each range of different positions; `isBoundary` is true if a field attribute was added or removed at each
   */
  eachDifference(
    other: Planes,
    positions: number,
    tell: (from: number, to: number, isBoundary: boolean) => void,
  ): void {
    let first = positions;
    let last = -1;
    const mark = (at: number, value: number) => {
      marks[at] = value;
      if (at < first) first = at;
      if (at > last) last = at;
    };
    for (const [own, others] of this.#pairsWith(other)) {
      eachDifferent(own, others, positions, (at) => mark(at, CHANGED));
    }
    if (!isSame(this.fieldAttributes, other.fieldAttributes)) {
      eachDifferent(this.fieldAttributes, other.fieldAttributes, positions, (at) => {
        const own = this.fieldAttributes[at] as number;
        const others = other.fieldAttributes[at] as number;
        if (((own ^ others) & ~MODIFIED) !== 0) mark(at, (own === 0) === (others === 0) ? CHANGED : BOUNDARY);
      });
    }
    for (let from = first; from <= last; ) {
      const value = marks[from];
      let to = from + 1;
      while (to <= last && marks[to] === value) to++;
      if (value !== 0) {
        marks.fill(0, from, to);
        tell(from, to, value === BOUNDARY);
      }
      from = to;
    }
  }

  #pairsWith(other: Planes): ReadonlyArray<readonly [Uint8Array, Uint8Array]> {
    const pairs: Array<readonly [Uint8Array, Uint8Array]> = [
      [this.codes, other.codes],
      [this.foregrounds, other.foregrounds],
      [this.highlightings, other.highlightings],
    ];
    if (this.hasDoubleByte) pairs.push([this.inputControls, other.inputControls], [this.doubleByte, other.doubleByte]);
    if (this.#rare !== undefined || other.#rare !== undefined) {
      pairs.push([this.backgrounds, other.backgrounds], [this.characterSets, other.characterSets]);
      pairs.push([this.validations, other.validations], [this.outlinings, other.outlinings]);
    }
    return pairs.filter(([own, others]) => !isSame(own, others));
  }

  #inEachPlane(change: (bytes: Uint8Array, first: number) => void): void {
    for (const bytes of this.#rare === undefined ? [this.#bytes] : [this.#bytes, this.#rare]) {
      for (let first = 0; first < bytes.length; first += this.positions) change(bytes, first);
    }
  }

  copyFrom(other: Planes): void {
    this.#bytes.set(other.#bytes);
    if (other.#rare === undefined) this.#rare?.fill(0);
    else this.#rarePlanes().set(other.#rare);
  }
}

const WORD_BYTES = Uint32Array.BYTES_PER_ELEMENT;

/** Compares four positions at a time if the planes are aligned, which is faster by the same factor. */
function eachDifferent(one: Uint8Array, other: Uint8Array, positions: number, tell: (at: number) => void): void {
  const inBytes = (from: number, to: number) => {
    for (let at = from; at < to; at++) if (one[at] !== other[at]) tell(at);
  };
  const isAligned = one.byteOffset % WORD_BYTES === 0 && other.byteOffset % WORD_BYTES === 0;
  const words = isAligned ? Math.floor(positions / WORD_BYTES) : 0;
  if (words > 0) {
    const ownWords = new Uint32Array(one.buffer, one.byteOffset, words);
    const otherWords = new Uint32Array(other.buffer, other.byteOffset, words);
    for (let word = 0; word < words; word++) {
      if (ownWords[word] !== otherWords[word]) inBytes(WORD_BYTES * word, WORD_BYTES * (word + 1));
    }
  }
  inBytes(WORD_BYTES * words, positions);
}

function isSame(one: Uint8Array, other: Uint8Array): boolean {
  return Buffer.compare(one, other) === 0;
}
