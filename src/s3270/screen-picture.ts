import { isUnderscoredLetter } from '../codepage/apl-character-set.js';
import { characterSets as characterSetValues } from '../datastream/attributes.js';
import { FIELD_ATTRIBUTE_MARK } from '../datastream/field-attribute.js';
import { doubleByteStates, GRAPHIC_ESCAPED } from '../screen/planes.js';
import type { Screen } from '../screen/screen.js';
import { characterAt } from '../screen/screen-contents.js';

/** A screen as scripts read it, kept as it was. Addresses count positions from 0. */
export interface ScreenPicture {
  readonly status: string;
  readonly rows: number;
  readonly columns: number;
  readonly cursor: number;
  readonly formatted: boolean;
  /** What is displayed; '' for the right half of a double-byte character. */
  readonly characters: readonly string[];
  /** What stands in the buffer, displayed or not; U+0000 for nulls and at field attributes. */
  readonly contents: readonly string[];
  readonly codes: Uint8Array;
  /** 0 where no field begins. */
  readonly fieldAttributes: Uint8Array;
  readonly extended: readonly ExtendedPlane[];
  readonly graphicEscaped: (address: number) => boolean;
}

/** One extended attribute of all positions, by its type in the data stream. */
interface ExtendedPlane {
  readonly type: string;
  readonly values: Uint8Array;
}

const { apl } = characterSetValues;
/** Combining: the line below the letter in front of it. */
const LOW_LINE = '\u0332';

export function takePicture(screen: Screen, status: string): ScreenPicture {
  const { state } = screen;
  const { space } = state;
  const { planes, positions, rows, columns, cursor, formatted } = space;
  const plane = (values: Uint8Array) => values.slice(0, positions);
  const characterSets = plane(planes.characterSets);
  const codes = plane(planes.codes);
  let fieldSet = characterSets[space.fieldOf(positions - 1) ?? 0] as number;
  const underscored = new Set<number>();
  const contents = Array.from({ length: positions }, (_, at) => {
    if (planes.fieldAttributes[at] !== 0) fieldSet = characterSets[at] as number;
    if (codes[at] === 0) return '\0';
    if (planes.doubleByte[at] === doubleByteStates.right) return '';
    const set = characterSets[at] || fieldSet;
    const character = characterAt(state, at, fieldSet);
    if ((set !== GRAPHIC_ESCAPED && set !== apl) || !isUnderscoredLetter(codes[at] as number)) return character;
    underscored.add(at);
    return `${character}${LOW_LINE}`;
  });
  const { cells } = screen.image;
  const withLine = (cell: string, at: number) => (underscored.has(at) && cell !== ' ' ? `${cell}${LOW_LINE}` : cell);
  return {
    status,
    rows,
    columns,
    cursor,
    formatted,
    characters: underscored.size === 0 ? cells : cells.map(withLine),
    contents,
    codes,
    fieldAttributes: plane(planes.fieldAttributes).map((value) => (value === 0 ? 0 : value | FIELD_ATTRIBUTE_MARK)),
    extended: [
      { type: '42', values: plane(planes.foregrounds) },
      { type: '45', values: plane(planes.backgrounds) },
      { type: '41', values: plane(planes.highlightings) },
      { type: '43', values: characterSets.map((value) => (value === GRAPHIC_ESCAPED ? 0 : value)) },
      { type: 'fe', values: plane(planes.inputControls) },
    ],
    graphicEscaped: (address) => characterSets[address] === GRAPHIC_ESCAPED,
  };
}

/** The position of the field attribute that rules a position, itself included; undefined where there is none. */
export function fieldAt({ fieldAttributes, formatted }: ScreenPicture, address: number): number | undefined {
  if (!formatted) return undefined;
  const { length } = fieldAttributes;
  for (let back = 0; back < length; back++) {
    const at = (address - back + length) % length;
    if (fieldAttributes[at] !== 0) return at;
  }
  return undefined;
}

/** Positions of a field, from behind its attribute on. */
export function positionsOfField({ fieldAttributes }: ScreenPicture, field: number): number[] {
  const { length } = fieldAttributes;
  const positions: number[] = [];
  for (let at = (field + 1) % length; fieldAttributes[at] === 0; at = (at + 1) % length) positions.push(at);
  return positions;
}
