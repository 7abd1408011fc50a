import type { BufferAddress } from '../datastream/buffer-address.js';
import {
  isDetectable,
  isIntensified,
  isModified,
  isNonDisplayable,
  isNumeric,
  isProtected,
} from '../datastream/field-attribute.js';
import type { Screen } from './screen.js';
import type { ImageField } from './screen-image.js';

const DIGITS = 7;

/** Name of a field in forms: V and the address of its first character in 7 upper-case hex digits (contract). */
export function fieldIdOf(address: BufferAddress): string {
  return `V${hex(address)}`;
}

/** Name of a protected position (reference 2.2, POSITION-OF-THE-CURSOR). */
export function protectedPositionIdOf(address: BufferAddress): string {
  return `P${hex(address)}`;
}

function hex(address: BufferAddress): string {
  return address.toString(16).toUpperCase().padStart(DIGITS, '0');
}

/** Indexed by the low four bits of the attribute value. Forms have no names for the other colours. */
const colourNames = ['NOCOLOR', 'BLUE', 'RED', 'PINK', 'GREEN', 'TURQUOISE', 'YELLOW', 'WHITE'];
const highlightingNames: Readonly<Record<number, string>> = { 241: 'BLINK', 242: 'REVERSE', 244: 'UNDERSCORE' };

function colourName(value: number): string {
  return colourNames[value & 0x0f] ?? 'NOCOLOR';
}

function highlightingName(value: number): string {
  return highlightingNames[value] ?? 'NOHILIGHT';
}

export function takeFormScreen({ image, state }: Screen): HostScreen {
  // copied because the host may write before the page is rendered
  const codes = state.space.planes.codes.slice();
  return {
    revision: image.revision,
    rows: image.rows,
    columns: image.columns,
    cursor: image.cursor,
    cells: image.text.cells,
    fields: image.fields.map((field) => formField(field, image.text.length)),
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
  return {
    start: (address + 1) % positions,
    length,
    isProtected: isProtected(attribute),
    isNumeric: isNumeric(attribute),
    isNonDisplayable: isNonDisplayable(attribute),
    isIntensified: isIntensified(attribute),
    isDetectable: isDetectable(attribute),
    isModified: isModified(attribute),
    colour: colourName(foreground),
    highlighting: highlightingName(highlighting),
  };
}

/** A field of a host screen for template tags. Addresses count positions from 0. */
export interface HostField {
  readonly start: number;
  readonly length: number;
  readonly isProtected: boolean;
  readonly isNumeric: boolean;
  readonly isNonDisplayable: boolean;
  readonly isIntensified: boolean;
  readonly isDetectable: boolean;
  readonly isModified: boolean;
  /** NOCOLOR, BLUE, RED, PINK, GREEN, TURQUOISE, YELLOW, WHITE. */
  readonly colour: string;
  /** NOHILIGHT, BLINK, REVERSE, UNDERSCORE. */
  readonly highlighting: string;
}

/** Adjacent characters with the same attributes of their own. */
export interface HostRun {
  readonly start: number;
  readonly length: number;
  readonly colour: string;
  readonly highlighting: string;
}

/** Host screen for templates, without the content of non-displayable fields. */
export interface HostScreen {
  readonly revision: number;
  readonly rows: number;
  readonly columns: number;
  readonly cursor: number;
  /** One per position: a character, '' for the right half of a double-byte one, a blank if nothing is displayed. */
  readonly cells: readonly string[];
  readonly fields: readonly HostField[];
  readonly runs: readonly HostRun[];
  readonly isNull: (position: number) => boolean;
  /** Name of a position in forms: V and 7 hex digits, or P and 7 hex digits if it is protected. */
  readonly idOf: (position: number, isInput: boolean) => string;
}
