import { characterSets } from '../datastream/attributes.js';
import type { BufferAddress } from '../datastream/buffer-address.js';
import { formatControls, SPACE } from '../datastream/orders.js';
import { doubleByteStates } from './planes.js';
import type { PresentationSpace } from './presentation-space.js';
import type { ScreenState } from './screen-state.js';

/** Whether a character written at an address would have two bytes: in a double-byte field, or behind a shift-out. */
export function takesDoubleByteAt(space: PresentationSpace, address: BufferAddress): boolean {
  const { codes, fieldAttributes, characterSets: sets } = space.planes;
  for (let at = space.previous(address); at !== address; at = space.previous(at)) {
    if (fieldAttributes[at] !== 0) return sets[at] === characterSets.doubleByte;
    if (codes[at] === formatControls.shiftOut) return true;
    if (codes[at] === formatControls.shiftIn) return false;
    if (at === 0 && !space.formatted) return false;
  }
  return false;
}

/**
 * Works out which positions make up double-byte characters: whole double-byte fields, and what stands between shift-out and
 * shift-in. Pairs that can be no character become blanks.
 * @returns false where shift-out and shift-in do not match, or stand in a double-byte field
 */
export function settleDoubleByteCells({ space }: ScreenState): boolean {
  const first = space.firstField();
  const start = first === undefined ? 0 : space.next(first);
  const cells = new DoubleByteCells(space);
  if (first !== undefined) cells.enterField(first);
  let at = start;
  do {
    if (space.isFieldAttribute(at)) cells.enterField(at);
    else cells.settle(at);
    at = space.next(at);
  } while (at !== start);
  cells.endSubfield();
  return cells.sound;
}

/** What is known from left to right. */
class DoubleByteCells {
  readonly #space: PresentationSpace;
  sound = true;
  #inDoubleByteField = false;
  /** Whether the next position is in a double-byte field or subfield, and whether it would be a right half. */
  #inPairs = false;
  #isRight = false;
  #shiftedOut = false;
  #shiftedIn = false;
  #previous: BufferAddress = -1;

  constructor(space: PresentationSpace) {
    this.#space = space;
  }

  enterField(field: BufferAddress): void {
    const { planes } = this.#space;
    this.endSubfield();
    // a shift-in at the end of a field ends nothing that could be typed on
    if (this.#previous >= 0 && planes.doubleByte[this.#previous] === doubleByteStates.shiftIn) {
      planes.doubleByte[this.#previous] = doubleByteStates.none;
    }
    planes.doubleByte[field] = doubleByteStates.none;
    this.#inDoubleByteField = planes.characterSets[field] === characterSets.doubleByte;
    this.#inPairs = this.#inDoubleByteField;
    this.#isRight = false;
    this.#shiftedOut = false;
    this.#shiftedIn = false;
    this.#previous = field;
  }

  settle(cell: BufferAddress): void {
    const code = this.#space.planes.codes[cell];
    if (code === formatControls.shiftOut) this.#shiftOut(cell);
    else if (code === formatControls.shiftIn) this.#shiftIn(cell);
    else this.#character(cell);
    this.#previous = cell;
  }

  /** A left half without a right one is no character. */
  endSubfield(): void {
    const { doubleByte } = this.#space.planes;
    if (this.#previous >= 0 && doubleByte[this.#previous] === doubleByteStates.left) {
      doubleByte[this.#previous] = doubleByteStates.dead;
    }
  }

  #shiftOut(cell: BufferAddress): void {
    if (this.#shiftedOut || this.#inDoubleByteField) {
      this.sound = false;
    } else {
      this.#inPairs = true;
      this.#isRight = false;
    }
    this.#space.planes.doubleByte[cell] = doubleByteStates.none;
    this.#shiftedOut = true;
    this.#shiftedIn = false;
  }

  #shiftIn(cell: BufferAddress): void {
    this.endSubfield();
    const wrong = this.#shiftedIn || this.#inDoubleByteField;
    if (wrong) this.sound = false;
    this.#space.planes.doubleByte[cell] = wrong ? doubleByteStates.none : doubleByteStates.shiftIn;
    this.#inPairs = false;
    this.#shiftedIn = true;
    this.#shiftedOut = false;
  }

  #character(cell: BufferAddress): void {
    const { codes, doubleByte, characterSets: sets } = this.#space.planes;
    if (this.#shiftedOut && sets[cell] !== characterSets.default) this.sound = false;
    if (!this.#inPairs) {
      doubleByte[cell] = doubleByteStates.none;
      return;
    }
    doubleByte[cell] = this.#isRight ? doubleByteStates.right : doubleByteStates.left;
    if (this.#isRight && !isPair(codes[this.#previous] as number, codes[cell] as number)) {
      codes[this.#previous] = SPACE;
      codes[cell] = SPACE;
    }
    this.#isRight = !this.#isRight;
  }
}

/** Whether two codes can be one double-byte character: both graphic, or a null, blank or control that takes two positions. */
function isPair(left: number, right: number): boolean {
  const bothGraphic = left >= SPACE && left < 0xff && right >= SPACE && right < 0xff;
  return bothGraphic || (left === 0 && doubleByteControls.has(right));
}

const doubleByteControls: ReadonlySet<number> = new Set([
  formatControls.null,
  formatControls.newLine,
  formatControls.endOfMedium,
  formatControls.formFeed,
  formatControls.carriageReturn,
  formatControls.duplicate,
  formatControls.fieldMark,
]);
