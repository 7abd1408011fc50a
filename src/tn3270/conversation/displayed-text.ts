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

export function textAt(image: ScreenImage, position: number, length: number): string {
  const { whole, isSimple } = imageText(image);
  return isSimple ? whole.slice(position, position + length) : joined(image, position, length);
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

interface ImageText {
  readonly whole: string;
  /** Each position is one code unit. */
  readonly isSimple: boolean;
  rows: readonly string[] | undefined;
}

/** Cached, because screen images never change and many conditions read each of them. */
const textsOfImages = new WeakMap<ScreenImage, ImageText>();

function imageText(image: ScreenImage): ImageText {
  const known = textsOfImages.get(image);
  if (known !== undefined) return known;
  const made = { rows: undefined, ...joinedCells(image.cells) };
  textsOfImages.set(image, made);
  return made;
}

let latin1 = Buffer.alloc(0);

/** Many images have only Latin 1 characters: joining these as bytes is much faster. */
function joinedCells(cells: readonly string[]): Pick<ImageText, 'whole' | 'isSimple'> {
  if (latin1.length < cells.length) latin1 = Buffer.alloc(cells.length);
  for (let at = 0; at < cells.length; at++) {
    const cell = cells[at] as string;
    const unit = cell.charCodeAt(0);
    if (cell.length !== 1 || unit > 0xff) {
      return { whole: cells.join(''), isSimple: cells.every(({ length }) => length === 1) };
    }
    latin1[at] = unit;
  }
  return { whole: latin1.toString('latin1', 0, cells.length), isSimple: true };
}

function joined({ cells }: ScreenImage, position: number, length: number): string {
  return cells.slice(position, position + length).join('');
}

export function isSimple(image: ScreenImage): boolean {
  return imageText(image).isSimple;
}

export function rowTexts(image: ScreenImage): readonly string[] {
  const text = imageText(image);
  text.rows ??= Array.from({ length: image.rows }, (_, row) => textAt(image, row * image.columns, image.columns));
  return text.rows;
}

export function isInARow(image: ScreenImage, text: string): boolean {
  // `whole` may contain the text across the end of a row
  return imageText(image).whole.includes(text) && rowTexts(image).some((row) => row.includes(text));
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
  for (let at = position; at < Math.min(position + length, image.cells.length); at++) {
    const field = fieldAt(image, at);
    const isInput = !image.formatted || (field !== undefined && !isProtected(field.attribute));
    text += isInput ? ' ' : image.cells[at];
  }
  return text.trimEnd();
}
