import {
  displays,
  fieldAttributeBits,
  isIntensified,
  isModified,
  isNonDisplayable,
  isNumeric,
  isProtected,
} from '../datastream/field-attribute.js';
import { fieldIdOf, protectedPositionIdOf } from './field-id.js';
import type { HostField, HostScreen } from './host-screen.js';
import type { Screen } from './screen.js';
import type { ImageField } from './screen-image.js';

/** By the low half of the attribute value; the others of the sixteen have no name of their own in forms. */
const colourNames = ['NOCOLOR', 'BLUE', 'RED', 'PINK', 'GREEN', 'TURQUOISE', 'YELLOW', 'WHITE'];
const highlightingNames: Readonly<Record<number, string>> = { 241: 'BLINK', 242: 'REVERSE', 244: 'UNDERSCORE' };

function colourName(value: number): string {
  return colourNames[value & 0x0f] ?? 'NOCOLOR';
}

function highlightingName(value: number): string {
  return highlightingNames[value] ?? 'NOHILIGHT';
}

/** The screen as forms show it. */
export function takeFormScreen({ image, state }: Screen): HostScreen {
  // the page is rendered later, and in turns: the host writes meanwhile
  const codes = state.space.planes.codes.slice();
  return {
    revision: image.revision,
    rows: image.rows,
    columns: image.columns,
    cursor: image.cursor,
    cells: image.cells,
    fields: image.fields.map((field) => formField(field, image.cells.length)),
    runs: image.runs.map(({ address, length, foreground, highlighting }) => ({
      start: address,
      length,
      colour: colourName(foreground),
      highlighting: highlightingName(highlighting),
    })),
    isNull: (position) => codes[position] === 0,
    idOf: (position, isInput) => (isInput ? fieldIdOf(position) : protectedPositionIdOf(position)),
  };
}

function formField({ address, length, attribute, foreground, highlighting }: ImageField, positions: number): HostField {
  const display = attribute & fieldAttributeBits.display;
  return {
    start: (address + 1) % positions,
    length,
    isProtected: isProtected(attribute),
    isNumeric: isNumeric(attribute),
    isNonDisplayable: isNonDisplayable(attribute),
    isIntensified: isIntensified(attribute),
    isDetectable: display === displays.normalDetectable || display === displays.intensified,
    isModified: isModified(attribute),
    colour: colourName(foreground),
    highlighting: highlightingName(highlighting),
  };
}
