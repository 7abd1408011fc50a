import { isProtected } from '../datastream/field-attribute.js';
import type { Area, RowAndColumn } from '../screen/screen-condition.js';
import type { ScreenImage } from '../screen/screen-image.js';

/** Counted from 0; undefined if the screen has no such row. */
export function rowIndex({ rows }: ScreenImage, row: number): number | undefined {
  const index = row < 0 ? rows + row : row - 1;
  return Number.isInteger(index) && index >= 0 && index < rows ? index : undefined;
}

export function positionOf(image: ScreenImage, [row, column]: RowAndColumn): number | undefined {
  const index = rowIndex(image, row);
  const isColumn = Number.isInteger(column) && column >= 1 && column <= image.columns;
  return index === undefined || !isColumn ? undefined : index * image.columns + column - 1;
}

export function rowAndColumnOf({ columns }: ScreenImage, position: number): RowAndColumn {
  return [Math.floor(position / columns) + 1, (position % columns) + 1];
}

export function textAt({ text }: ScreenImage, position: number, length: number): string {
  return text.slice(position, position + length);
}

export function rowsOfArea(
  image: ScreenImage,
  [row, column, lastRow, lastColumn]: Area,
): readonly string[] | undefined {
  const [first, last] = [positionOf(image, [row, column]), positionOf(image, [lastRow, lastColumn])];
  if (first === undefined || last === undefined || lastColumn < column || last < first) return undefined;
  const count = Math.floor(last / image.columns) - Math.floor(first / image.columns) + 1;
  return Array.from({ length: count }, (_, at) => textAt(image, first + at * image.columns, lastColumn - column + 1));
}

/** Cached, because screen images never change and many conditions read each of them. */
const rowsOfImages = new WeakMap<ScreenImage, readonly string[]>();

export function rowTexts(image: ScreenImage): readonly string[] {
  let rows = rowsOfImages.get(image);
  if (rows === undefined) {
    rows = Array.from({ length: image.rows }, (_, row) => textAt(image, row * image.columns, image.columns));
    rowsOfImages.set(image, rows);
  }
  return rows;
}

export function isInARow(image: ScreenImage, text: string): boolean {
  // the displayed text may contain `text` across the end of a row
  return image.text.shown.includes(text) && rowTexts(image).some((row) => row.includes(text));
}

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

export function inputFields({ fields }: ScreenImage) {
  return fields.filter(({ attribute, length }) => !isProtected(attribute) && length > 0);
}

/** Displayed text that may be quoted in messages: input fields are blanked, because users may have filled them in. */
export function quotable(image: ScreenImage, position: number, length: number): string {
  let text = '';
  for (let at = position; at < Math.min(position + length, image.text.length); at++) {
    const field = fieldAt(image, at);
    const isInput = !image.formatted || (field !== undefined && !isProtected(field.attribute));
    text += isInput ? ' ' : image.text.cellAt(at);
  }
  return text.trimEnd();
}
