import { characterSets } from '../datastream/attributes.js';
import type { BufferAddress } from '../datastream/buffer-address.js';
import { programChecks, type WriteFault } from '../datastream/data-stream-handler.js';
import { formatControls, SPACE } from '../datastream/orders.js';
import { doubleByteStates } from './planes.js';
import type { PresentationSpace } from './presentation-space.js';
import { MOST_FILLED_POSITIONS } from './record-budget.js';
import type { ScreenState } from './screen-state.js';

const { order, characterCode, shifts, amongDoubleBytes, doubleByteCharacter } = programChecks;

export const writeFaults = {
  fillsTooMuch: { programCheck: order, reason: `a record that fills more than ${MOST_FILLED_POSITIONS} positions` },
  shiftInUnknown: { programCheck: characterCode, reason: 'shift-in without a double-byte character set' },
  shiftInAlone: { programCheck: shifts, reason: 'shift-in without shift-out' },
  shiftOutTwice: { programCheck: shifts, reason: 'shift-out after shift-out' },
  shiftsUnmatched: { programCheck: shifts, reason: 'shift-out and shift-in do not match' },
  graphicEscapeAmongPairs: { programCheck: amongDoubleBytes, reason: 'Graphic Escape in a double-byte field' },
  textIntoMiddle: { programCheck: doubleByteCharacter, reason: 'text into the middle of a double-byte character' },
  repeatFromMiddle: {
    programCheck: doubleByteCharacter,
    reason: 'Repeat to Address from the middle of a double-byte character',
  },
  repeatToMiddle: {
    programCheck: doubleByteCharacter,
    reason: 'Repeat to Address ends in the middle of a double-byte character',
  },
  characterCutShort: { programCheck: doubleByteCharacter, reason: 'a double-byte character is truncated' },
  noCharacter: { programCheck: doubleByteCharacter, reason: 'two codes that are not a double-byte character' },
} as const satisfies Readonly<Record<string, WriteFault>>;

/** Half of a double-byte character that a code at an address would become, judged by the codes to its left. */
type Half = 'none' | 'left' | 'right';

/** Reports the number of positions examined; a record may cause many examinations. */
type Walked = (positions: number) => void;

const unheeded: Walked = () => undefined;

/** Considers only subfields after shift-out, not double-byte fields. */
export function halfInSubfield(space: PresentationSpace, address: BufferAddress, walked: Walked = unheeded): Half {
  const { half, distance } = lookLeft(space, address);
  walked(distance);
  return half;
}

function lookLeft(space: PresentationSpace, address: BufferAddress): { half: Half; distance: number } {
  const { codes, fieldAttributes } = space.planes;
  let distance = 0;
  for (let at = space.previous(address); at !== address; at = space.previous(at)) {
    if (fieldAttributes[at] !== 0 || codes[at] === formatControls.shiftIn) return { half: 'none', distance };
    if (codes[at] === formatControls.shiftOut) return { half: distance % 2 === 0 ? 'left' : 'right', distance };
    if (at === 0 && !space.formatted) return { half: 'none', distance };
    distance++;
  }
  return { half: 'none', distance };
}

export function takesDoubleByteAt(
  space: PresentationSpace,
  address: BufferAddress,
  walked: Walked = unheeded,
): boolean {
  // the search for a subfield ends at the attribute of the field
  const half = halfInSubfield(space, address, walked);
  const field = space.fieldOf(address);
  const inField = field !== undefined && space.planes.characterSets[field] === characterSets.doubleByte;
  return inField || half !== 'none';
}

/** Valid pairs between shift codes: two graphic codes, or a null and a control or null. */
export function faultOfText(
  space: PresentationSpace,
  address: BufferAddress,
  record: Uint8Array,
  start: number,
  end: number,
  walked: Walked,
): WriteFault | undefined {
  const half = halfInSubfield(space, address, walked);
  if (half === 'right') return writeFaults.textIntoMiddle;
  const inField = half === 'none' && takesDoubleByteAt(space, address, walked);
  let inPairs = half === 'left' || inField;
  for (let at = start; at < end; at++) {
    const code = record[at] as number;
    if (code === formatControls.shiftOut) {
      if (inPairs) return writeFaults.shiftOutTwice;
      inPairs = true;
    } else if (code === formatControls.shiftIn) {
      if (!inPairs || inField) return writeFaults.shiftInAlone;
      inPairs = false;
    } else if (inPairs) {
      if (++at >= end) return writeFaults.characterCutShort;
      if (!isPair(code, record[at] as number)) return writeFaults.noCharacter;
    }
  }
  return undefined;
}

/**
 * Replaces invalid pairs by blanks.
 * @returns false if shift-out and shift-in do not match or are in a double-byte field
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

/** As `settleDoubleByteCells`, for the field at a position: typed characters affect no other field. */
export function settleFieldAt(state: ScreenState, address: BufferAddress): void {
  const { space } = state;
  const field = space.fieldOf(address);
  if (field === undefined) {
    settleDoubleByteCells(state);
    return;
  }
  const cells = new DoubleByteCells(space);
  cells.enterField(field);
  for (let at = space.next(field); !space.isFieldAttribute(at); at = space.next(at)) cells.settle(at);
  cells.leaveField();
}

class DoubleByteCells {
  readonly #space: PresentationSpace;
  sound = true;
  #inDoubleByteField = false;
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
    this.leaveField();
    planes.doubleByte[field] = doubleByteStates.none;
    this.#inDoubleByteField = planes.characterSets[field] === characterSets.doubleByte;
    this.#inPairs = this.#inDoubleByteField;
    this.#isRight = false;
    this.#shiftedOut = false;
    this.#shiftedIn = false;
    this.#previous = field;
  }

  leaveField(): void {
    const { doubleByte } = this.#space.planes;
    this.endSubfield();
    // nothing can be typed after a shift-in at the end of a field
    if (this.#previous >= 0 && doubleByte[this.#previous] === doubleByteStates.shiftIn) {
      doubleByte[this.#previous] = doubleByteStates.none;
    }
  }

  settle(cell: BufferAddress): void {
    const code = this.#space.planes.codes[cell];
    if (code === formatControls.shiftOut) this.#shiftOut(cell);
    else if (code === formatControls.shiftIn) this.#shiftIn(cell);
    else this.#character(cell);
    this.#previous = cell;
  }

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
    const ownPairs = sets[cell] === characterSets.doubleByte;
    if (!this.#inPairs && !ownPairs) {
      this.#isRight = false;
      doubleByte[cell] = doubleByteStates.none;
      return;
    }
    doubleByte[cell] = this.#isRight ? doubleByteStates.right : doubleByteStates.left;
    if (this.#isRight && this.#isInvalid(codes[this.#previous] as number, codes[cell] as number)) {
      codes[this.#previous] = SPACE;
      codes[cell] = SPACE;
    }
    this.#isRight = !this.#isRight;
  }

  /** Null pairs are valid in a double-byte field, not in a subfield. */
  #isInvalid(left: number, right: number): boolean {
    if (this.#inDoubleByteField && left === 0 && right === 0) return false;
    return !bothGraphic(left, right);
  }
}

function bothGraphic(left: number, right: number): boolean {
  return left >= SPACE && left < formatControls.eightOnes && right >= SPACE && right < formatControls.eightOnes;
}

function isPair(left: number, right: number): boolean {
  return bothGraphic(left, right) || (left === formatControls.null && doubleByteControls.has(right));
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
