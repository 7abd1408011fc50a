import { isIntensified, isNonDisplayable, isNumeric, isProtected } from '../datastream/field-attribute.js';
import type { ScreenImage } from '../screen/screen-image.js';
import {
  type Area,
  fieldAt,
  inputFields,
  positionOf,
  quotable,
  type RowAndColumn,
  rowAndColumnOf,
  rowIndex,
  rowsOfArea,
  rowTexts,
  textAt,
} from './displayed-text.js';

/** A text that is displayed: at a place, in a row, within an area, or in any row. It does not go on in the next row. */
interface TextCondition {
  readonly text: string;
  readonly row?: number;
  readonly column?: number;
  readonly area?: Area;
}

/** What the field is like that a place stands in. */
interface AttributeCondition {
  readonly at: RowAndColumn;
  readonly protected?: boolean;
  readonly numeric?: boolean;
  readonly nonDisplayable?: boolean;
  readonly intensified?: boolean;
}

/** One condition, as a definition has it in YAML. */
export type ScreenCondition =
  | TextCondition
  | { readonly not: ScreenCondition }
  /** How many fields there are; those that can be typed into. */
  | { readonly fields: number }
  | { readonly inputFields: number }
  | { readonly cursor: RowAndColumn }
  | { readonly attribute: AttributeCondition }
  /** Nothing at all is displayed. */
  | { readonly blank: true };

/** What makes a screen this screen: all conditions hold on its picture. Without conditions it is none. */
export interface ScreenDefinition {
  readonly name: string;
  readonly conditions: readonly ScreenCondition[];
}

/** @returns in words every condition that does not hold, and what there is in its place; none: it is this screen */
export function differences({ conditions }: ScreenDefinition, image: ScreenImage): readonly string[] {
  if (conditions.length === 0) return ['the definition has no conditions'];
  return conditions.map((condition) => difference(condition, image)).filter((words) => words !== undefined);
}

export function isScreen({ conditions }: ScreenDefinition, image: ScreenImage): boolean {
  return conditions.length > 0 && conditions.every((condition) => holds(condition, image));
}

/** The first that holds. */
export function recognise(definitions: readonly ScreenDefinition[], image: ScreenImage): ScreenDefinition | undefined {
  return definitions.find((definition) => isScreen(definition, image));
}

/** Which definitions hold on the same picture. */
interface Indistinct {
  readonly names: readonly [string, string];
  /** Of the first such picture, from 0. */
  readonly image: number;
}

/** Pairs of definitions that cannot be told apart on pictures given. */
export function indistinct(
  definitions: readonly ScreenDefinition[],
  images: readonly ScreenImage[],
): readonly Indistinct[] {
  const found = new Map<string, Indistinct>();
  for (const [at, image] of images.entries()) {
    const held = definitions.filter((definition) => isScreen(definition, image));
    for (const [index, { name: one }] of held.entries()) {
      for (const { name: other } of held.slice(index + 1)) {
        const key = JSON.stringify([one, other]);
        if (!found.has(key)) found.set(key, { names: [one, other], image: at });
      }
    }
  }
  return [...found.values()];
}

export function holds(condition: ScreenCondition, image: ScreenImage): boolean {
  return difference(condition, image) === undefined;
}

function difference(condition: ScreenCondition, image: ScreenImage): string | undefined {
  if ('text' in condition) return textDifference(condition, image);
  if ('not' in condition) {
    return holds(condition.not, image) ? `${inWords(condition.not)} must not be so` : undefined;
  }
  if ('fields' in condition) return countDifference('fields', condition.fields, image.fields.length);
  if ('inputFields' in condition) {
    return countDifference('input fields', condition.inputFields, inputFields(image).length);
  }
  if ('cursor' in condition) {
    if (positionOf(image, condition.cursor) === image.cursor) return undefined;
    const [row, column] = rowAndColumnOf(image, image.cursor);
    return `${inWords(condition)}: it is at row ${row}, column ${column}`;
  }
  if ('attribute' in condition) return attributeDifference(condition.attribute, image);
  return image.cells.every((cell) => cell.trim() === '') ? undefined : 'a blank screen: something is displayed';
}

function textDifference(condition: TextCondition, image: ScreenImage): string | undefined {
  const { text, row, column, area } = condition;
  const expected = inWords(condition);
  if (text === '') return 'a text without characters is nowhere';
  if (area !== undefined) {
    const texts = rowsOfArea(image, area);
    if (texts === undefined) return `${expected}: ${sizeOf(image)}`;
    return texts.some((one) => one.includes(text)) ? undefined : `${expected}: it is not there`;
  }
  if (row === undefined) {
    const isThere =
      column === undefined
        ? rowTexts(image).some((one) => one.includes(text))
        : Array.from({ length: image.rows }, (_, at) => [at + 1, column] as const).some((at) =>
            standsAt(text, at, image),
          );
    return isThere ? undefined : `${expected}: it is not there`;
  }
  const index = rowIndex(image, row);
  if (index === undefined) return `${expected}: ${sizeOf(image)}`;
  if (column === undefined) {
    if (textAt(image, index * image.columns, image.columns).includes(text)) return undefined;
    return `${expected}: ${shown(image, index * image.columns, image.columns)}`;
  }
  const position = positionOf(image, [row, column]);
  if (position === undefined) return `${expected}: ${sizeOf(image)}`;
  if (standsAt(text, [row, column], image)) return undefined;
  return `${expected}: ${shown(image, position, Math.min(image.columns - column + 1, text.length))}`;
}

/** Whether a text begins at a place, and ends in its row. */
function standsAt(text: string, place: RowAndColumn, image: ScreenImage): boolean {
  const position = positionOf(image, place);
  if (position === undefined) return false;
  const end = position + image.columns - (position % image.columns);
  // the right half of a character is no place where a text begins
  if (image.cells[position] === '') return false;
  let matched = 0;
  for (let at = position; at < end && matched < text.length; at++) {
    const cell = image.cells[at] as string;
    if (!text.startsWith(cell, matched)) return false;
    matched += cell.length;
  }
  return matched === text.length;
}

function countDifference(what: string, expected: number, count: number): string | undefined {
  return count === expected ? undefined : `${expected} ${what}: there are ${count}`;
}

function attributeDifference(condition: AttributeCondition, image: ScreenImage): string | undefined {
  const expected = inWords({ attribute: condition });
  const position = positionOf(image, condition.at);
  if (position === undefined) return `${expected}: ${sizeOf(image)}`;
  const field = fieldAt(image, position);
  if (field === undefined) return `${expected}: there are no fields`;
  const wrong = attributeWords.filter(
    ([name, has]) => condition[name] !== undefined && condition[name] !== has(field.attribute),
  );
  if (wrong.length === 0) return undefined;
  return `${expected}: it is ${wrong.map(([name, has]) => (has(field.attribute) ? '' : 'not ') + name).join(', ')}`;
}

const attributeWords = [
  ['protected', isProtected],
  ['numeric', isNumeric],
  ['nonDisplayable', isNonDisplayable],
  ['intensified', isIntensified],
] as const;

function inWords(condition: ScreenCondition): string {
  if ('text' in condition) {
    const { text, row, column, area } = condition;
    const quoted = JSON.stringify(text);
    if (area !== undefined) return `${quoted} within rows ${area[0]} to ${area[2]}, columns ${area[1]} to ${area[3]}`;
    if (row === undefined) return column === undefined ? quoted : `${quoted} in column ${column}`;
    return column === undefined ? `${quoted} in row ${row}` : `${quoted} at row ${row}, column ${column}`;
  }
  if ('not' in condition) return `not (${inWords(condition.not)})`;
  if ('fields' in condition) return `${condition.fields} fields`;
  if ('inputFields' in condition) return `${condition.inputFields} input fields`;
  if ('cursor' in condition) return `the cursor at row ${condition.cursor[0]}, column ${condition.cursor[1]}`;
  if ('blank' in condition) return 'a blank screen';
  const { at } = condition.attribute;
  const wanted = attributeWords
    .filter(([name]) => condition.attribute[name] !== undefined)
    .map(([name]) => (condition.attribute[name] === true ? '' : 'not ') + name);
  return `row ${at[0]}, column ${at[1]} ${wanted.join(', ')}`;
}

function shown(image: ScreenImage, position: number, length: number): string {
  const text = quotable(image, position, length);
  return text === '' ? 'it is not there' : `there is ${JSON.stringify(text)}`;
}

function sizeOf({ rows, columns }: ScreenImage): string {
  return `the screen has ${rows} rows of ${columns} columns`;
}
