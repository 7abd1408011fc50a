import { isIntensified, isNonDisplayable, isNumeric, isProtected } from '../datastream/field-attribute.js';
import type { AttributeCondition, RowAndColumn, ScreenCondition, TextCondition } from '../screen/screen-condition.js';
import type { ScreenImage } from '../screen/screen-image.js';
import {
  fieldAt,
  inputFields,
  isInARow,
  positionOf,
  quotable,
  rowAndColumnOf,
  rowIndex,
  rowsOfArea,
  textAt,
} from './displayed-text.js';

/** Identifies a screen: all conditions hold. A definition without conditions never matches. */
export interface ScreenDefinition {
  readonly name: string;
  readonly conditions: readonly ScreenCondition[];
}

/** @returns descriptions of the conditions that do not hold, with the displayed value; empty if the screen matches */
export function differences({ conditions }: ScreenDefinition, image: ScreenImage): readonly string[] {
  if (conditions.length === 0) return ['the definition has no conditions'];
  return conditions.map((condition) => difference(condition, image)).filter((words) => words !== undefined);
}

/** Limit of cached results for one image: callers may create new definitions for each call. */
const MOST_RECOGNISED = 100;
/** Cache of matching definitions: waits, checks and acts evaluate the same definitions for one image. */
const recognised = new WeakMap<ScreenImage, Map<ScreenDefinition, boolean>>();

export function isScreen(definition: ScreenDefinition, image: ScreenImage): boolean {
  let known = recognised.get(image);
  if (known === undefined) {
    known = new Map();
    recognised.set(image, known);
  }
  let is = known.get(definition);
  if (is === undefined) {
    const { conditions } = definition;
    is = conditions.length > 0 && conditions.every((condition) => holds(condition, image));
    if (known.size < MOST_RECOGNISED) known.set(definition, is);
  }
  return is;
}

export function recognise(definitions: readonly ScreenDefinition[], image: ScreenImage): ScreenDefinition | undefined {
  return definitions.find((definition) => isScreen(definition, image));
}

interface Indistinct {
  readonly names: readonly [string, string];
  readonly image: number;
}

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

/** Called after every write of the host, so it creates no descriptions. */
export function holds(condition: ScreenCondition, image: ScreenImage): boolean {
  if ('text' in condition) return isDisplayed(condition, image);
  if ('not' in condition) return !holds(condition.not, image);
  if ('fields' in condition) return image.fields.length === condition.fields;
  if ('inputFields' in condition) return inputFields(image).length === condition.inputFields;
  if ('cursor' in condition) return positionOf(image, condition.cursor) === image.cursor;
  if ('attribute' in condition) return wrongAttributes(condition.attribute, image).length === 0;
  return image.cells.every((cell) => cell.trim() === '');
}

function isDisplayed({ text, row, column, area }: TextCondition, image: ScreenImage): boolean {
  if (text === '') return false;
  if (area !== undefined) return rowsOfArea(image, area)?.some((one) => one.includes(text)) === true;
  if (row !== undefined && column !== undefined) return standsAt(text, [row, column], image);
  if (row !== undefined) {
    const index = rowIndex(image, row);
    return index !== undefined && textAt(image, index * image.columns, image.columns).includes(text);
  }
  if (column === undefined) return isInARow(image, text);
  return Array.from({ length: image.rows }, (_, at) => [at + 1, column] as const).some((at) =>
    standsAt(text, at, image),
  );
}

function difference(condition: ScreenCondition, image: ScreenImage): string | undefined {
  if (holds(condition, image)) return undefined;
  if ('text' in condition) return textDifference(condition, image);
  if ('not' in condition) return `${inWords(condition.not)} must not match`;
  if ('fields' in condition) return `${condition.fields} fields: there are ${image.fields.length}`;
  if ('inputFields' in condition) {
    return `${condition.inputFields} input fields: there are ${inputFields(image).length}`;
  }
  if ('cursor' in condition) {
    const [row, column] = rowAndColumnOf(image, image.cursor);
    return `${inWords(condition)}: it is at row ${row}, column ${column}`;
  }
  if ('attribute' in condition) return attributeDifference(condition.attribute, image);
  return 'a blank screen: something is displayed';
}

function textDifference(condition: TextCondition, image: ScreenImage): string {
  const { text, row, column, area } = condition;
  const expected = inWords(condition);
  if (text === '') return 'an empty text never matches';
  if (area !== undefined) {
    return `${expected}: ${rowsOfArea(image, area) === undefined ? sizeOf(image) : 'it is not there'}`;
  }
  if (row === undefined) return `${expected}: it is not there`;
  const index = rowIndex(image, row);
  if (index === undefined) return `${expected}: ${sizeOf(image)}`;
  if (column === undefined) return `${expected}: ${shown(image, index * image.columns, image.columns)}`;
  const position = positionOf(image, [row, column]);
  if (position === undefined) return `${expected}: ${sizeOf(image)}`;
  return `${expected}: ${shown(image, position, Math.min(image.columns - column + 1, text.length))}`;
}

function standsAt(text: string, place: RowAndColumn, image: ScreenImage): boolean {
  const position = positionOf(image, place);
  if (position === undefined) return false;
  const end = position + image.columns - (position % image.columns);
  // a text cannot begin at the right half of a character
  if (image.cells[position] === '') return false;
  let matched = 0;
  for (let at = position; at < end && matched < text.length; at++) {
    const cell = image.cells[at] as string;
    if (!text.startsWith(cell, matched)) return false;
    matched += cell.length;
  }
  return matched === text.length;
}

/** Differing attributes of a field; 'nowhere' if there is no such place or field. */
function wrongAttributes(condition: AttributeCondition, image: ScreenImage): readonly string[] {
  const position = positionOf(image, condition.at);
  const field = position === undefined ? undefined : fieldAt(image, position);
  if (field === undefined) return ['nowhere'];
  return attributeWords
    .filter(([name, has]) => condition[name] !== undefined && condition[name] !== has(field.attribute))
    .map(([name, has]) => (has(field.attribute) ? '' : 'not ') + name);
}

function attributeDifference(condition: AttributeCondition, image: ScreenImage): string {
  const expected = inWords({ attribute: condition });
  const position = positionOf(image, condition.at);
  if (position === undefined) return `${expected}: ${sizeOf(image)}`;
  if (fieldAt(image, position) === undefined) return `${expected}: there are no fields`;
  return `${expected}: it is ${wrongAttributes(condition, image).join(', ')}`;
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
