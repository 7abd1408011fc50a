import { isProtected } from '../datastream/field-attribute.js';
import type { ScreenImage } from '../screen/screen-image.js';

/** Row and column, counted from 1; a negative row counts from the bottom, -1 is the last. */
export type RowAndColumn = readonly [row: number, column: number];
/** First row and column, last row and column; both belong to it. */
export type Area = readonly [row: number, column: number, lastRow: number, lastColumn: number];

/** Counted from 0; undefined where the screen has no such row. */
export function rowIndex({ rows }: ScreenImage, row: number): number | undefined {
  const index = row < 0 ? rows + row : row - 1;
  return Number.isInteger(index) && index >= 0 && index < rows ? index : undefined;
}

/** The position of a place, counted from 0; undefined where the screen has none. */
export function positionOf(image: ScreenImage, [row, column]: RowAndColumn): number | undefined {
  const index = rowIndex(image, row);
  const isColumn = Number.isInteger(column) && column >= 1 && column <= image.columns;
  return index === undefined || !isColumn ? undefined : index * image.columns + column - 1;
}

export function rowAndColumnOf({ columns }: ScreenImage, position: number): RowAndColumn {
  return [Math.floor(position / columns) + 1, (position % columns) + 1];
}

/** What is displayed from a position on; never more than the screen has. */
export function textAt({ cells }: ScreenImage, position: number, length: number): string {
  return cells.slice(position, position + length).join('');
}

/** Texts of the rows of an area, each between its columns; undefined where the screen has not all of it. */
export function rowsOfArea(
  image: ScreenImage,
  [row, column, lastRow, lastColumn]: Area,
): readonly string[] | undefined {
  const [first, last] = [positionOf(image, [row, column]), positionOf(image, [lastRow, lastColumn])];
  if (first === undefined || last === undefined || lastColumn < column || last < first) return undefined;
  const { texts, isSimple } = wholeRows(image);
  const rows = texts.slice(Math.floor(first / image.columns), Math.floor(last / image.columns) + 1);
  if (isSimple) return rows.map((text) => text.slice(column - 1, lastColumn));
  return rows.map((_, at) => textAt(image, first + at * image.columns, lastColumn - column + 1));
}

interface WholeRows {
  readonly texts: readonly string[];
  /** Each position is one code unit. */
  readonly isSimple: boolean;
}

/** Pictures never change, and many conditions are looked at on each. */
const rowsOfImages = new WeakMap<ScreenImage, WholeRows>();

function wholeRows(image: ScreenImage): WholeRows {
  const known = rowsOfImages.get(image);
  if (known !== undefined) return known;
  const { cells, columns, rows } = image;
  const texts = Array.from({ length: rows }, (_, row) => textAt(image, row * columns, columns));
  const made = { texts, isSimple: cells.every(({ length }) => length === 1) };
  rowsOfImages.set(image, made);
  return made;
}

export function rowTexts(image: ScreenImage): readonly string[] {
  return wholeRows(image).texts;
}

/** The image field that a position stands in, its attribute not counted; undefined where there are no fields. */
export function fieldAt({ fields }: ScreenImage, position: number) {
  let low = 0;
  let high = fields.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((fields[middle]?.address ?? 0) <= position) low = middle + 1;
    else high = middle;
  }
  return fields[low - 1] ?? fields.at(-1);
}

/** Fields that can be typed into. */
export function inputFields({ fields }: ScreenImage) {
  return fields.filter(({ attribute, length }) => !isProtected(attribute) && length > 0);
}

/** As much of what the host wrote as may be told in words: what stands in input fields may have been filled in. */
export function quotable(image: ScreenImage, position: number, length: number): string {
  let text = '';
  for (let at = position; at < Math.min(position + length, image.cells.length); at++) {
    const field = fieldAt(image, at);
    const isInput = !image.formatted || (field !== undefined && !isProtected(field.attribute));
    text += isInput ? ' ' : image.cells[at];
  }
  return text.trimEnd();
}
