import { Planes } from './planes.js';
import type { ScreenState } from './screen-state.js';

/** Copies before a record. One per size and kind serves all sessions, because processing a record is synchronous. */
const scratch = { singleByte: new Map<number, Planes>(), doubleByte: new Map<number, Planes>() };
/** Copies for operations, which use `scratch` for their parts. */
const scratchApart: typeof scratch = { singleByte: new Map(), doubleByte: new Map() };

/** Valid until the next call of `rememberScreen`. */
interface RememberedScreen {
  readonly planes: Planes;
  readonly restore: () => void;
}

export function rememberScreen(state: ScreenState): RememberedScreen {
  const planes = copyOf(scratch, state);
  return { planes, restore: rememberIn(planes, state) };
}

/** Independent of `rememberScreen`; valid until the next call of this function. */
export function rememberScreenApart(state: ScreenState): () => void {
  return rememberIn(copyOf(scratchApart, state), state);
}

function copyOf({ singleByte, doubleByte }: typeof scratch, { space: { planes } }: ScreenState): Planes {
  const copies = planes.hasDoubleByte ? doubleByte : singleByte;
  let copy = copies.get(planes.positions);
  if (copy === undefined) {
    copy = new Planes(planes.positions, planes.hasDoubleByte);
    copies.set(planes.positions, copy);
  }
  return copy;
}

function rememberIn(kept: Planes, state: ScreenState): () => void {
  const { space, operator } = state;
  const { planes } = space;
  kept.copyFrom(planes);
  const { rows, columns, cursor, formatted } = space;
  const { replyMode, replyAttributes, aid, alarms } = state;
  const { waitingForHost, operatorError, insertMode } = operator;
  return () => {
    planes.copyFrom(kept);
    space.resize({ rows, columns });
    space.cursor = cursor;
    space.formatted = formatted;
    Object.assign(state, { replyMode, replyAttributes, aid, alarms });
    Object.assign(operator, { waitingForHost, operatorError, insertMode });
  };
}
