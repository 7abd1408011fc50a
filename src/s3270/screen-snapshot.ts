import { isUnderscoredLetter } from '../tn3270/codepage/apl-character-set.js';
import { characterSets as characterSetValues } from '../tn3270/datastream/attributes.js';
import { FIELD_ATTRIBUTE_MARK } from '../tn3270/datastream/field-attribute.js';
import { doubleByteStates, GRAPHIC_ESCAPED } from '../tn3270/screen/planes.js';
import type { Screen } from '../tn3270/screen/screen.js';
import { characterAt } from '../tn3270/screen/screen-image.js';

/** Snapshot of a screen for scripts. Addresses are positions, counted from 0. */
export interface ScreenSnapshot {
  readonly status: string;
  readonly rows: number;
  readonly columns: number;
  readonly cursor: number;
  readonly formatted: boolean;
  /** Displayed characters; '' for the right half of a double-byte character. */
  readonly characters: readonly string[];
  /** Buffer contents, including non-displayable data; U+0000 for nulls and field attributes. */
  readonly contents: readonly string[];
  readonly codes: Uint8Array;
  readonly fieldAttributes: Uint8Array;
  readonly extended: readonly ExtendedPlane[];
  readonly graphicEscaped: (address: number) => boolean;
}

interface ExtendedPlane {
  readonly type: string;
  readonly values: Uint8Array;
}

const { apl } = characterSetValues;
/** Combining low line, for underscored APL letters. */
const LOW_LINE = '\u0332';

export function takePicture(screen: Screen, status: string): ScreenSnapshot {
  const view = new ScreenView(screen, status);
  const { rows, columns, cursor, formatted, characters, contents, fieldAttributes } = view;
  const characterSets = view.characterSets.slice();
  return {
    status,
    rows,
    columns,
    cursor,
    formatted,
    characters,
    contents,
    fieldAttributes,
    codes: view.codes.slice(),
    extended: view.extended.map(({ type, values }) => ({ type, values: values.slice() })),
    graphicEscaped: (address) => characterSets[address] === GRAPHIC_ESCAPED,
  };
}

/** View of a screen, valid until the next change. It computes only the members that are read. */
export class ScreenView implements ScreenSnapshot {
  readonly status: string;
  readonly rows: number;
  readonly columns: number;
  readonly cursor: number;
  readonly formatted: boolean;
  readonly codes: Uint8Array;
  readonly characterSets: Uint8Array;
  readonly #screen: Screen;
  #contents: readonly string[] | undefined;
  readonly #underscored = new Set<number>();
  #fieldAttributes: Uint8Array | undefined;
  #extended: readonly ExtendedPlane[] | undefined;

  constructor(screen: Screen, status: string) {
    const { planes, rows, columns, cursor, formatted } = screen.state.space;
    this.#screen = screen;
    this.status = status;
    this.rows = rows;
    this.columns = columns;
    this.cursor = cursor;
    this.formatted = formatted;
    this.codes = this.#plane(planes.codes);
    this.characterSets = this.#plane(planes.characterSets);
  }

  get characters(): readonly string[] {
    const { cells } = this.#screen.image;
    const mayHaveLines = this.characterSets.includes(GRAPHIC_ESCAPED) || this.characterSets.includes(apl);
    if (!mayHaveLines) return cells;
    this.#contents ??= this.#readContents();
    return cells.map((cell, at) => (this.#underscored.has(at) && cell !== ' ' ? `${cell}${LOW_LINE}` : cell));
  }

  get contents(): readonly string[] {
    this.#contents ??= this.#readContents();
    return this.#contents;
  }

  get fieldAttributes(): Uint8Array {
    this.#fieldAttributes ??= this.#plane(this.#screen.state.space.planes.fieldAttributes).map((value) =>
      value === 0 ? 0 : value | FIELD_ATTRIBUTE_MARK,
    );
    return this.#fieldAttributes;
  }

  get extended(): readonly ExtendedPlane[] {
    const { planes } = this.#screen.state.space;
    this.#extended ??= [
      { type: '42', values: this.#plane(planes.foregrounds) },
      { type: '45', values: this.#plane(planes.backgrounds) },
      { type: '41', values: this.#plane(planes.highlightings) },
      { type: '43', values: this.characterSets.map((value) => (value === GRAPHIC_ESCAPED ? 0 : value)) },
      { type: 'fe', values: this.#plane(planes.inputControls) },
    ];
    return this.#extended;
  }

  readonly graphicEscaped = (address: number): boolean => this.characterSets[address] === GRAPHIC_ESCAPED;

  #plane(values: Uint8Array): Uint8Array {
    return values.subarray(0, this.#screen.state.space.positions);
  }

  #readContents(): readonly string[] {
    const { codes, characterSets } = this;
    const { state } = this.#screen;
    const { planes, positions } = state.space;
    let fieldSet = characterSets[state.space.fieldOf(positions - 1) ?? 0] as number;
    return Array.from({ length: positions }, (_, at) => {
      if (planes.fieldAttributes[at] !== 0) fieldSet = characterSets[at] as number;
      if (codes[at] === 0) return '\0';
      if (planes.doubleByte[at] === doubleByteStates.right) return '';
      const set = characterSets[at] || fieldSet;
      const character = characterAt(state, at, fieldSet);
      if ((set !== GRAPHIC_ESCAPED && set !== apl) || !isUnderscoredLetter(codes[at] as number)) return character;
      this.#underscored.add(at);
      return `${character}${LOW_LINE}`;
    });
  }
}

/** Position of the attribute of the field that contains an address, possibly the address itself. */
export function fieldAt({ fieldAttributes, formatted }: ScreenSnapshot, address: number): number | undefined {
  if (!formatted) return undefined;
  const { length } = fieldAttributes;
  for (let back = 0; back < length; back++) {
    const at = (address - back + length) % length;
    if (fieldAttributes[at] !== 0) return at;
  }
  return undefined;
}

export function positionsOfField({ fieldAttributes }: ScreenSnapshot, field: number): number[] {
  const { length } = fieldAttributes;
  const positions: number[] = [];
  for (let at = (field + 1) % length; fieldAttributes[at] === 0; at = (at + 1) % length) positions.push(at);
  return positions;
}
