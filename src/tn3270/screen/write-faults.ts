import { programChecks, type WriteFault } from '../datastream/data-stream-handler.js';
import { MOST_FILLED_POSITIONS } from './record-budget.js';

const { order, characterCode, shifts, amongDoubleBytes, doubleByteCharacter } = programChecks;

/** What can be wrong with a write whose orders are whole. */
export const writeFaults = {
  fillsTooMuch: { programCheck: order, reason: `a record that fills more than ${MOST_FILLED_POSITIONS} positions` },
  shiftInUnknown: { programCheck: characterCode, reason: 'shift-in without a double-byte character set' },
  shiftInAlone: { programCheck: shifts, reason: 'shift-in without shift-out' },
  shiftOutTwice: { programCheck: shifts, reason: 'shift-out behind shift-out' },
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
  characterCutShort: { programCheck: doubleByteCharacter, reason: 'a double-byte character is cut short' },
  noCharacter: { programCheck: doubleByteCharacter, reason: 'two codes that are no double-byte character' },
} as const satisfies Readonly<Record<string, WriteFault>>;
