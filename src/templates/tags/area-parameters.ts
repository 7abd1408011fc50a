import type { OneBasedArea } from '../page-declarations.js';
import type { TagInvocation } from '../scanner.js';
import type { TemplateBuilder } from '../template-builder.js';

const MOST_ROWS = 255;
const MOST_POSITIONS = 65_536;

/** Reads `(row,col,len)`; undefined after a reported error. */
export function areaOf(builder: TemplateBuilder, tag: TagInvocation): OneBasedArea | undefined {
  const numbers = numbersOf(tag);
  const [row = 0, column = 0, length = 0] = numbers;
  if (numbers.length === 3 && isPlace(row, column) && length >= 1 && length <= MOST_POSITIONS) {
    return { row, column, length };
  }
  return builder.report(tag.offset, `${tag.name} takes (row,column,length), each from 1`);
}

/** Reads `(row,col,width,height)`; undefined after a reported error. */
export function rectangleOf(
  builder: TemplateBuilder,
  tag: TagInvocation,
): (OneBasedArea & { readonly height: number }) | undefined {
  const numbers = numbersOf(tag);
  const [row = 0, column = 0, length = 0, height = 0] = numbers;
  const isWhole = numbers.length === 4 && isPlace(row, column) && length >= 1 && length <= MOST_POSITIONS;
  if (isWhole && height >= 1 && height <= MOST_ROWS) return { row, column, length, height };
  return builder.report(tag.offset, `${tag.name} takes (row,column,length,height), each from 1`);
}

function numbersOf({ parameters = [] }: TagInvocation): number[] {
  return parameters.map((written) => (/^\d{1,5}$/.test(written) ? Number(written) : 0));
}

function isPlace(row: number, column: number): boolean {
  return row >= 1 && row <= MOST_ROWS && column >= 1 && column <= MOST_ROWS;
}
