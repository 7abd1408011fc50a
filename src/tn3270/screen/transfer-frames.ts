import { aids } from '../datastream/aid.js';
import { displays, fieldAttributeBits, isAutoSkip } from '../datastream/field-attribute.js';
import { CUT_MARK, CUT_POSITIONS, REQUEST_ATTRIBUTE, readCutFrame } from '../file-transfer/cut-frame.js';
import type { PresentationSpace } from './presentation-space.js';
import type { ScreenState } from './screen-state.js';

/** Gives a frame to whoever transfers a file, and sends the answer. A frame is complete when the keyboard is free. */
export function answerFrame(state: ScreenState, send: (aid: number) => void): void {
  const { space, operator, transfer } = state;
  const { planes } = space;
  if (transfer === undefined || operator.waitingForHost || space.positions < CUT_POSITIONS) return;
  if (!isAutoSkip(planes.fieldAttributes[CUT_MARK] as number)) return;
  const codes = planes.codes.slice(0, CUT_POSITIONS);
  if (space.positions > CUT_POSITIONS && !isFrameOfLargerScreen(space, codes)) return;
  const answer = transfer.frame(codes);
  if (answer === undefined) return;
  const { write, hides, key } = answer;
  if (write !== undefined) for (const [at, code] of write.codes.entries()) planes.setCharacter(write.at + at, code);
  if (hides !== undefined && planes.fieldAttributes[hides] !== 0) {
    const shown = (planes.fieldAttributes[hides] as number) & ~fieldAttributeBits.display;
    planes.fieldAttributes[hides] = shown | displays.nonDisplayable;
  }
  operator.waitingForHost = true;
  if (transfer.end !== undefined) operator.transferring = false;
  state.aid = aids[key];
  send(state.aid);
}

/**
 * Whether a screen of models 3, 4 and 5 is a frame. Its positions are those of a frame of 24 by 80, in the order of the buffer. The
 * mark alone does not tell, as an application may begin a field there: no other field begins after it, and the content is a frame's.
 */
function isFrameOfLargerScreen({ planes, positions }: PresentationSpace, codes: Uint8Array): boolean {
  const { fieldAttributes } = planes;
  if (fieldAttributes.subarray(CUT_MARK + 1, positions).some((attribute) => attribute !== 0)) return false;
  const frame = readCutFrame(codes);
  if (frame.kind === 'fault') return false;
  return frame.value.kind !== 'dataRequest' || fieldAttributes[REQUEST_ATTRIBUTE] !== 0;
}
