import { Planes } from './planes.js';
import type { ScreenState } from './screen-state.js';

/**
 * Where a screen is copied to before a record is carried out. One for each size and kind serves every session, as no other record is
 * carried out in between.
 */
const scratch = newScratch();
/** The same for what an operator does, while records of its parts are remembered in the other one. */
const scratchApart = newScratch();

interface Scratch {
  readonly singleByte: Map<number, Planes>;
  readonly doubleByte: Map<number, Planes>;
}

function newScratch(): Scratch {
  return { singleByte: new Map(), doubleByte: new Map() };
}

/** A screen as it was. Valid until another screen is remembered. */
interface RememberedScreen {
  readonly planes: Planes;
  /** Puts everything back. */
  readonly restore: () => void;
}

export function rememberScreen(state: ScreenState): RememberedScreen {
  const planes = copyOf(scratch, state);
  return { planes, restore: rememberIn(planes, state) };
}

/**
 * @returns a function that puts everything back as it is now, whatever `rememberScreen` remembers in between; to be called before
 *   another screen is remembered apart
 */
export function rememberScreenApart(state: ScreenState): () => void {
  return rememberIn(copyOf(scratchApart, state), state);
}

function copyOf({ singleByte, doubleByte }: Scratch, { space: { planes } }: ScreenState): Planes {
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
