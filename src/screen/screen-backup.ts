import { Planes } from './planes.js';
import type { ScreenState } from './screen-state.js';

/**
 * Where a screen is copied to before a record is carried out. One for each size and kind serves every session, as no other record is
 * carried out in between.
 */
const scratch = { singleByte: new Map<number, Planes>(), doubleByte: new Map<number, Planes>() };

/** @returns a function that puts everything back as it is now; to be called before another screen is remembered */
export function rememberScreen(state: ScreenState): () => void {
  const { planes } = state.space;
  const copies = planes.hasDoubleByte ? scratch.doubleByte : scratch.singleByte;
  let copy = copies.get(planes.positions);
  if (copy === undefined) {
    copy = new Planes(planes.positions, planes.hasDoubleByte);
    copies.set(planes.positions, copy);
  }
  return rememberIn(copy, state);
}

/** The same, whatever is remembered in between. */
export function rememberScreenApart(state: ScreenState): () => void {
  const { positions, hasDoubleByte } = state.space.planes;
  return rememberIn(new Planes(positions, hasDoubleByte), state);
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
