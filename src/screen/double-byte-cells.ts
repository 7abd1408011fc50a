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
export function settleDoubleByteCells(state: ScreenState): boolean {
  const { space } = state;
  const { planes } = space;
  const first = space.firstField();
  let sound = true;
  /** Where the first pair of the field or subfield begins; -1 outside of one. */
  let begin = -1;
  let inDoubleByteField = false;
  let shiftedOut = false;
  let shiftedIn = false;
  let previous = -1;
  const start = first === undefined ? 0 : space.next(first);
  if (first !== undefined) enterField(first);
  let at = start;
  let offset = 0;
  do {
    if (planes.fieldAttributes[at] !== 0) {
      endSubfield();
      enterField(at);
      if (previous >= 0 && planes.doubleByte[previous] === doubleByteStates.shiftIn) {
        planes.doubleByte[previous] = doubleByteStates.none;
      }
    } else {
      settleCell(at);
    }
    previous = at;
    at = space.next(at);
  } while (at !== start);
  endSubfield();
  return sound;

  function enterField(field: BufferAddress) {
    planes.doubleByte[field] = doubleByteStates.none;
    inDoubleByteField = planes.characterSets[field] === characterSets.doubleByte;
    begin = inDoubleByteField ? space.next(field) : -1;
    offset = 0;
    shiftedOut = false;
    shiftedIn = false;
  }

  function settleCell(cell: BufferAddress) {
    const code = planes.codes[cell];
    if (code === formatControls.shiftOut) {
      if (shiftedOut || inDoubleByteField) sound = false;
      else {
        begin = space.next(cell);
        offset = 0;
      }
      planes.doubleByte[cell] = doubleByteStates.none;
      shiftedOut = true;
      shiftedIn = false;
      return;
    }
    if (code === formatControls.shiftIn) {
      endSubfield();
      const wrong = shiftedIn || inDoubleByteField;
      if (wrong) sound = false;
      planes.doubleByte[cell] = wrong ? doubleByteStates.none : doubleByteStates.shiftIn;
      begin = -1;
      shiftedIn = true;
      shiftedOut = false;
      return;
    }
    if (shiftedOut && planes.characterSets[cell] !== characterSets.default) sound = false;
    if (begin < 0) {
      planes.doubleByte[cell] = doubleByteStates.none;
      return;
    }
    if (offset++ % 2 === 0) {
      planes.doubleByte[cell] = doubleByteStates.left;
      return;
    }
    planes.doubleByte[cell] = doubleByteStates.right;
    if (!isPair(planes.codes[previous] as number, code as number)) {
      planes.codes[previous] = SPACE;
      planes.codes[cell] = SPACE;
    }
  }

  /** A left half without a right one is no character. */
  function endSubfield() {
    if (previous >= 0 && planes.doubleByte[previous] === doubleByteStates.left) {
      planes.doubleByte[previous] = doubleByteStates.dead;
    }
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
