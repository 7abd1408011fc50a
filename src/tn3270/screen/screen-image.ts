import { aplUnitOfByte } from '../codepage/apl-character-set.js';
import type { CodePage } from '../codepage/code-page.js';
import { characterSets as characterSetCodes, characterSets } from '../datastream/attributes.js';
import type { BufferAddress } from '../datastream/buffer-address.js';
import { FIELD_ATTRIBUTE_MARK, isNonDisplayable, isProtected } from '../datastream/field-attribute.js';
import { formatControls } from '../datastream/orders.js';
import { doubleByteStates, GRAPHIC_ESCAPED, type Planes } from './planes.js';
import type { ScreenState } from './screen-state.js';
import { BLANK_UNIT, RIGHT_HALF_UNIT, type ScreenText, ScreenTextBuilder } from './screen-text.js';

/** A field for a page. Addresses count positions from 0; values are those of the data stream. */
export interface ImageField {
  readonly address: number;
  readonly length: number;
  readonly attribute: number;
  readonly foreground: number;
  readonly background: number;
  readonly highlighting: number;
  readonly outlining: number;
  readonly validation: number;
  /** 0: single-byte characters only; 1: also double-byte ones; 2: double-byte ones only. */
  readonly doubleByteEntry: number;
}

export interface ImageRun {
  readonly address: number;
  readonly length: number;
  readonly foreground: number;
  readonly background: number;
  readonly highlighting: number;
}

/** Immutable image of a screen, without the content of non-displayable fields. */
export interface ScreenImage {
  readonly revision: number;
  readonly erased: number;
  readonly rows: number;
  readonly columns: number;
  readonly cursor: number;
  readonly formatted: boolean;
  readonly locked: boolean;
  readonly operatorError: string | undefined;
  readonly insertMode: boolean;
  readonly alarms: number;
  /** The only copy of the displayed text: positions that are hidden or empty are blank. */
  readonly text: ScreenText;
  /** Positions of nulls before text in displayed input fields; omitted if there are none. */
  readonly nulls?: readonly number[];
  readonly fields: readonly ImageField[];
  readonly runs: readonly ImageRun[];
}

export function takeScreenImage(state: ScreenState): ScreenImage {
  const { space, operator } = state;
  const { planes, positions } = space;
  const { codes, fieldAttributes, foregrounds, backgrounds, highlightings, characterSets } = planes;
  const isUsual = state.lineCharacters === undefined && !planes.hasDoubleByte;
  const usual = usualUnitsOf(state.codePage);
  const builder = new ScreenTextBuilder(positions);
  const { units } = builder;
  const fields: ImageField[] = [];
  const runs: ImageRun[] = [];
  let field = space.fieldOf(positions - 1);
  let hidden = field !== undefined && isNonDisplayable(fieldAttributes[field] as number);
  let fieldSet = field === undefined ? 0 : (characterSets[field] as number);
  let run: { -readonly [Key in keyof ImageRun]: ImageRun[Key] } | undefined;
  for (let at = 0; at < positions; at++) {
    const attribute = fieldAttributes[at] as number;
    const foreground = foregrounds[at] as number;
    const background = backgrounds[at] as number;
    const highlighting = highlightings[at] as number;
    // most positions of most screens are empty
    if (isUsual && ((codes[at] as number) | attribute | foreground | background | highlighting) === 0) {
      run = undefined;
      continue;
    }
    if (attribute !== 0) {
      field = at;
      fieldSet = characterSets[at] as number;
      hidden = isNonDisplayable(attribute);
      run = undefined;
      fields.push({
        address: at,
        length: space.fieldLength(at),
        attribute: attribute & ~FIELD_ATTRIBUTE_MARK,
        foreground,
        background,
        highlighting,
        outlining: planes.outlinings[at] as number,
        validation: planes.validations[at] as number,
        doubleByteEntry: state.doubleByte ? doubleByteEntryOf(planes, at) : 0,
      });
      continue;
    }
    if (hidden) {
      if (isRightHalf(planes, at)) units[at] = RIGHT_HALF_UNIT;
    } else if (isUsual && characterSets[at] === 0 && fieldSet === 0) units[at] = usual[codes[at] as number] as number;
    else builder.put(at, characterAt(state, at, fieldSet));
    if (foreground === 0 && background === 0 && highlighting === 0) {
      run = undefined;
    } else if (
      run !== undefined &&
      run.foreground === foreground &&
      run.background === background &&
      run.highlighting === highlighting
    ) {
      run.length++;
    } else {
      run = { address: at, length: 1, foreground, background, highlighting };
      runs.push(run);
    }
  }
  const nulls = nullsBeforeText(state, units, fields);
  return Object.freeze({
    revision: state.revision,
    erased: state.hostChanges.erasedAt,
    rows: space.rows,
    columns: space.columns,
    cursor: space.cursor,
    formatted: space.formatted,
    locked: operator.keyboardLocked,
    operatorError: operator.operatorError,
    insertMode: operator.insertMode,
    alarms: state.alarms,
    text: builder.finish(),
    ...(nulls.length > 0 && { nulls }),
    fields,
    runs,
  });
}

function nullsBeforeText({ space }: ScreenState, units: Uint16Array, fields: readonly ImageField[]): number[] {
  const { codes } = space.planes;
  const nulls: number[] = [];
  for (const { address, length, attribute } of fields) {
    if (isProtected(attribute) || isNonDisplayable(attribute)) continue;
    let at = (address + length) % space.positions;
    let isBeforeText = false;
    for (let left = length; left > 0; left--) {
      // an empty pair in a double-byte field is a wide blank and its right half
      const isPair = units[space.next(at)] === RIGHT_HALF_UNIT;
      isBeforeText ||= units[at] !== BLANK_UNIT && units[at] !== RIGHT_HALF_UNIT;
      if (isBeforeText && codes[at] === 0 && units[at] === BLANK_UNIT && !isPair) nulls.push(at);
      at = space.previous(at);
    }
  }
  return nulls;
}

function doubleByteEntryOf({ characterSets: sets, inputControls }: Planes, field: number): number {
  if (sets[field] === characterSetCodes.doubleByte) return 2;
  return inputControls[field] === 0 ? 0 : 1;
}

function isRightHalf({ doubleByte }: Planes, at: number): boolean {
  return doubleByte[at] === doubleByteStates.right;
}

const UNASSIGNED = 0xfffd;
/** Displayed for codes outside the code page. */
const signs: Readonly<Record<number, string>> = {
  [formatControls.duplicate]: '*',
  [formatControls.fieldMark]: ';',
  [formatControls.substitute]: '■',
  [formatControls.eightOnes]: '●',
};

/** Returns '' for the right half of a double-byte character. The caller must hide non-displayable fields. */
export function characterAt(state: ScreenState, at: BufferAddress, fieldSet: number): string {
  const { planes } = state.space;
  const lineCharacter = state.lineCharacters?.[at] ?? 0;
  if (lineCharacter !== 0) return String.fromCodePoint(lineCharacter);
  const code = planes.codes[at] as number;
  const half = planes.doubleByte[at];
  if (half === doubleByteStates.right) return '';
  if (half === doubleByteStates.left) {
    const pair = (code << 8) | (planes.codes[state.space.next(at)] as number);
    return state.codePage.doubleByte?.decodePair(pair) || WIDE_BLANK;
  }
  const set = (planes.characterSets[at] as number) || fieldSet;
  const fromApl = set === GRAPHIC_ESCAPED || set === characterSets.apl;
  return singleByteCharacter(fromApl ? aplUnitOfByte : state.codePage.unitOfByte, code);
}

function singleByteCharacter(unitOfByte: Uint16Array, code: number): string {
  if (code < 0x40 || code === formatControls.eightOnes) return signs[code] ?? ' ';
  const unit = unitOfByte[code] as number;
  return unit === UNASSIGNED || unit < 0x20 || (unit >= 0x7f && unit < 0xa0) ? ' ' : String.fromCharCode(unit);
}

const usualUnits = new WeakMap<CodePage, Uint16Array>();

/** Fast path of `characterAt`, indexed by code: for 3270 data without a character set, on a single-byte code page. */
function usualUnitsOf(codePage: CodePage): Uint16Array {
  let units = usualUnits.get(codePage);
  if (units === undefined) {
    units = Uint16Array.from({ length: 256 }, (_, code) =>
      singleByteCharacter(codePage.unitOfByte, code).charCodeAt(0),
    );
    usualUnits.set(codePage, units);
  }
  return units;
}

const WIDE_BLANK = '\u3000';
