/** A rectangle; rows and columns count from 0, both ends included. */
export interface ScreenRegion {
  readonly row: number;
  readonly column: number;
  readonly lastRow: number;
  readonly lastColumn: number;
}

interface ScreenSize {
  readonly rows: number;
  readonly columns: number;
}

interface ReadScreen {
  readonly columns: number;
  /** Displayed characters: `''` for right halves. */
  readonly cells: readonly string[];
}

export function areaBetween(one: number, other: number, columns: number): ScreenRegion {
  const [oneRow, otherRow] = [Math.floor(one / columns), Math.floor(other / columns)];
  const [oneColumn, otherColumn] = [one % columns, other % columns];
  return {
    row: Math.min(oneRow, otherRow),
    column: Math.min(oneColumn, otherColumn),
    lastRow: Math.max(oneRow, otherRow),
    lastColumn: Math.max(oneColumn, otherColumn),
  };
}

const steps: Readonly<Record<string, readonly [down: number, right: number]>> = {
  Left: [0, -1],
  Right: [0, 1],
  Up: [-1, 0],
  Down: [1, 0],
};

/** The adjacent position, limited to the screen. @param direction Left, Right, Up, Down */
export function positionBeside(position: number, direction: string, { rows, columns }: ScreenSize): number {
  const [down, right] = steps[direction] ?? [0, 0];
  const row = Math.max(0, Math.min(rows - 1, Math.floor(position / columns) + down));
  const column = Math.max(0, Math.min(columns - 1, (position % columns) + right));
  return row * columns + column;
}

const BESIDE_WORD = /^[()[\]{}<>,;'"]$/;

/** The word around a position without surrounding brackets and quotes; undefined on a blank. */
export function wordAt({ columns, cells }: ReadScreen, position: number): ScreenRegion | undefined {
  const row = Math.floor(position / columns);
  const start = row * columns;
  const isBlank = (at: number) => at < start || at >= start + columns || (cells[at]?.trim() === '' && cells[at] !== '');
  const isSplit = (at: number) => isBlank(at) || BESIDE_WORD.test(cells[at] ?? '');
  if (isBlank(position)) return undefined;
  // the pointed character is itself a bracket
  const ends = isSplit(position) ? isBlank : isSplit;
  let [first, last] = [position, position];
  while (!ends(first - 1)) first--;
  while (!ends(last + 1)) last++;
  return { row, column: first - start, lastRow: row, lastColumn: last - start };
}

export function rowArea(position: number, columns: number): ScreenRegion {
  const row = Math.floor(position / columns);
  return { row, column: 0, lastRow: row, lastColumn: columns - 1 };
}

export interface Stretch {
  readonly position: number;
  readonly length: number;
}

export function areaOf({ position, length }: Stretch, columns: number): ScreenRegion {
  const row = Math.floor(position / columns);
  const column = position % columns;
  return { row, column, lastRow: row, lastColumn: column + length - 1 };
}
