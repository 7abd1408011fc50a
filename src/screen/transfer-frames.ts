import { aids } from '../datastream/aid.js';
import { displays, fieldAttributeBits, isAutoSkip } from '../datastream/field-attribute.js';
import { CUT_MARK, CUT_POSITIONS } from '../file-transfer/cut-frame.js';
import type { ScreenState } from './screen-state.js';

/** Gives a frame to whoever transfers a file, and sends the answer. A frame is complete when the keyboard is free. */
export function answerFrame(state: ScreenState, send: (aid: number) => void): void {
  const { space, operator, transfer } = state;
  const { planes } = space;
  if (transfer === undefined || operator.waitingForHost || space.positions !== CUT_POSITIONS) return;
  if (!isAutoSkip(planes.fieldAttributes[CUT_MARK] as number)) return;
  const answer = transfer.frame(planes.codes.slice(0, CUT_POSITIONS));
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
