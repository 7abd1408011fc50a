import type { HostScreen } from '../tn3270/screen/form-screen.js';

/** Part of a screen: `(row,col,len)`, row and column from 1. */
export interface ScreenArea {
  readonly row: number;
  readonly column: number;
  readonly length: number;
}

/** Positions from 0; `to` is behind the last and never before `from`. */
export interface Stretch {
  readonly from: number;
  readonly to: number;
}

/** Positions of an area; what is beyond the screen is left out. */
export function positionsOf({ row, column, length }: ScreenArea, { rows, columns }: HostScreen): Stretch {
  const positions = rows * columns;
  const from = Math.min((row - 1) * columns + column - 1, positions);
  return { from, to: column > columns ? from : Math.min(from + length, positions) };
}
