import type { ScreenImage } from './screen-image.js';

/** Positions side by side that show something else than before. */
export interface ChangedRun {
  readonly address: number;
  readonly cells: readonly string[];
}

export interface ScreenDifference {
  readonly from: number;
  readonly to: number;
  readonly changed: readonly ChangedRun[];
  readonly cursor: number;
  /** Given whole where they are others. */
  readonly fields: ScreenImage['fields'] | undefined;
  readonly runs: ScreenImage['runs'] | undefined;
}

/** Two runs with fewer unchanged positions between them cost less as one. */
const JOINED_ACROSS = 4;

/**
 * What makes the later image of the earlier one.
 * @returns undefined where the sizes differ: the later image is to be shown whole
 */
export function screenDifference(earlier: ScreenImage, later: ScreenImage): ScreenDifference | undefined {
  if (earlier.rows !== later.rows || earlier.columns !== later.columns) return undefined;
  const changed: ChangedRun[] = [];
  for (let at = 0; at < later.cells.length; at++) {
    if (earlier.cells[at] === later.cells[at]) continue;
    let end = at + 1;
    for (let next = end; next < later.cells.length && next < end + JOINED_ACROSS; next++) {
      if (earlier.cells[next] !== later.cells[next]) end = next + 1;
    }
    changed.push({ address: at, cells: later.cells.slice(at, end) });
    at = end;
  }
  return {
    from: earlier.revision,
    to: later.revision,
    changed,
    cursor: later.cursor,
    fields: sameItems(earlier.fields, later.fields) ? undefined : later.fields,
    runs: sameItems(earlier.runs, later.runs) ? undefined : later.runs,
  };
}

function sameItems<Item extends object>(left: readonly Item[], right: readonly Item[]): boolean {
  if (left === right) return true;
  if (left.length !== right.length) return false;
  return left.every((item, at) =>
    (Object.keys(item) as Array<keyof Item>).every((key) => item[key] === right[at]?.[key]),
  );
}
