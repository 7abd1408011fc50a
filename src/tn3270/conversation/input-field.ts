import { type ReadOutcome, readAs, readFault } from '../../lib/read-outcome.js';
import type { RowAndColumn } from '../screen/screen-condition.js';
import type { ImageField, ScreenImage } from '../screen/screen-image.js';
import { inputFields, isSimple, positionOf, rowAndColumnOf, rowTexts } from './displayed-text.js';

/** Which field is filled in: the one that begins at a place, or the one right of, or below, words that are displayed. */
export type FieldTarget = { readonly at: RowAndColumn } | { readonly label: string };

/** Stands between words and their field: blanks, and what leads the eye. */
const leaders = /^[\s.:=>\-_·…]*$/u;
const isOfWord = (character: string | undefined) => character !== undefined && /[\p{L}\p{N}]/u.test(character);

/**
 * Finds the field. Words are displayed whole, on one row; right of them nothing but leaders stands before the field; below them the
 * field begins, in the next row, under one of their characters or before them. Where words lead to several fields, none is found: one of them would be
 * the wrong one.
 * @returns the position of its first character, or in words why there is none
 */
export function findInputField(image: ScreenImage, target: FieldTarget): ReadOutcome<number> {
  return 'at' in target ? fieldFrom(image, target.at) : labelledField(image, target.label);
}

function fieldFrom(image: ScreenImage, place: RowAndColumn): ReadOutcome<number> {
  const position = positionOf(image, place);
  if (position === undefined) return readFault(`the screen has no row ${place[0]}, column ${place[1]}`);
  if (!image.formatted || inputFields(image).some((field) => startOf(image, field) === position))
    return readAs(position);
  return readFault(`no input field begins at row ${place[0]}, column ${place[1]}`);
}

function labelledField(image: ScreenImage, label: string): ReadOutcome<number> {
  const inputs = inputFields(image);
  const right = new Set<number>();
  const below = new Set<number>();
  for (const { start, end } of occurrences(image, label)) {
    const beside = inputs
      .map((field) => startOf(image, field))
      .find((at) => at >= end && rowOf(image, at) === rowOf(image, start));
    if (beside !== undefined && leaders.test(image.cells.slice(end, beside).join(''))) {
      right.add(beside);
      continue;
    }
    const [under, underEnd] = [start + image.columns, end + image.columns];
    for (const field of inputs) {
      const first = startOf(image, field);
      const isUnder = rowOf(image, first) === rowOf(image, under) && first < underEnd && first + field.length > under;
      if (isUnder) below.add(first);
    }
  }
  const found = [...(right.size > 0 ? right : below)];
  if (found.length === 1) return readAs(found[0] as number);
  const words = JSON.stringify(label);
  if (found.length === 0) return readFault(`there is no input field right of, or below, ${words}`);
  const places = found.map((at) => rowAndColumnOf(image, at)).map(([row, column]) => `row ${row}, column ${column}`);
  return readFault(`there are several input fields right of, or below, ${words}: ${places.slice(0, 5).join('; ')}`);
}

function* occurrences(image: ScreenImage, label: string): Generator<{ readonly start: number; readonly end: number }> {
  if (label.trim() === '') return;
  for (const [row, rowText] of rowTexts(image).entries()) {
    if (!rowText.includes(label)) continue;
    const { text, cellOf } = rowOfCells(image, row, rowText);
    for (let at = text.indexOf(label); at >= 0; at = text.indexOf(label, at + 1)) {
      const behind = at + label.length;
      if (isOfWord(label[0]) && isOfWord(text[at - 1])) continue;
      if (isOfWord(label.at(-1)) && isOfWord(text[behind])) continue;
      yield { start: cellOf(at), end: cellOf(behind - 1) + 1 };
    }
  }
}

/** A row as text, and the position that each of its code units comes from: a double-byte character has one of two positions. */
function rowOfCells(image: ScreenImage, row: number, rowText: string) {
  const { cells, columns } = image;
  const first = row * columns;
  if (isSimple(image)) return { text: rowText, cellOf: (at: number) => first + at };
  let text = '';
  const positions: number[] = [];
  for (let at = first; at < first + columns; at++) {
    for (const unit of (cells[at] ?? '').split('')) {
      text += unit;
      positions.push(at);
    }
  }
  return { text, cellOf: (at: number) => positions[at] as number };
}

function startOf({ cells }: ScreenImage, { address }: ImageField): number {
  return (address + 1) % cells.length;
}

function rowOf({ columns }: ScreenImage, position: number): number {
  return Math.floor(position / columns);
}
