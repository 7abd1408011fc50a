import { withoutTrailingBlanks } from '../../lib/text/characters.js';
import { FIELD_ATTRIBUTE_MARK, isNonDisplayable } from '../../tn3270/datastream/field-attribute.js';
import { doubleByteStates, GRAPHIC_ESCAPED } from '../../tn3270/screen/planes.js';
import type { Screen } from '../../tn3270/screen/screen.js';
import { characterAt } from '../../tn3270/screen/screen-image.js';
import type { ScreenPartner } from '../../tn3270/screen/screen-terminal.js';

/** Stands for the right half of a double-width character, so that each position is one code point. */
const RIGHT_HALF = '\ue000';

interface FieldObject {
  readonly at: number;
  readonly fa: string;
  readonly [attribute: string]: string | number;
}

/** Screen for client programs, documented in docs/write/drive.md. */
interface ScreenObject {
  readonly rows: number;
  readonly cols: number;
  readonly cursor: readonly [row: number, column: number];
  readonly formatted: boolean;
  readonly locked: boolean;
  /** Only after a record with an error. */
  readonly programCheck?: number;
  readonly mode: string;
  readonly text: readonly string[];
  readonly ebcdic: readonly string[];
  readonly fields: readonly FieldObject[];
  readonly attrs: ReadonlyArray<Readonly<Record<string, string | number>>>;
}

const modeOfPartner: Readonly<Record<ScreenPartner, string>> = {
  none: 'unnegotiated',
  unbound: 'unnegotiated',
  application: '3270',
  services: '3270',
  line: 'nvt',
};

/** Includes nondisplay fields, because the client program typed them, or the host sent them to it. */
export function describeScreen(screen: Screen, connected: boolean): ScreenObject {
  const { state } = screen;
  const { space, operator } = state;
  const { planes } = space;
  const text: string[] = [];
  const ebcdic: string[] = [];
  const fields: FieldObject[] = [];
  const attrs: Array<Record<string, string | number>> = [];
  let run: { key: string; object: { at: number; n: number } } | undefined;
  let fieldSet = 0;
  const ruling = space.fieldOf(0);
  if (ruling !== undefined) fieldSet = planes.characterSets[ruling] as number;
  for (let row = 0; row < space.rows; row++) {
    let characters = '';
    let codes = '';
    for (let at = row * space.columns; at < (row + 1) * space.columns; at++) {
      const attribute = planes.fieldAttributes[at] as number;
      const extended = extendedAttributes(screen, at);
      if (attribute !== 0) {
        fieldSet = planes.characterSets[at] as number;
        fields.push({ at, fa: hex(attribute | FIELD_ATTRIBUTE_MARK), ...extended });
        characters += ' ';
        codes += '..';
        run = undefined;
        continue;
      }
      const isRight = planes.doubleByte[at] === doubleByteStates.right;
      characters += isRight ? RIGHT_HALF : firstCodePoint(characterAt(state, at, fieldSet));
      codes += hex(planes.codes[at] as number);
      const key = JSON.stringify(extended);
      if (key === '{}') {
        run = undefined;
      } else if (run !== undefined && run.key === key) {
        run.object.n++;
      } else {
        run = { key, object: { at, n: 1, ...extended } };
        attrs.push(run.object);
      }
    }
    text.push(withoutTrailingBlanks(characters));
    ebcdic.push(withoutTrailingNulls(codes));
  }
  return {
    rows: space.rows,
    cols: space.columns,
    cursor: [Math.floor(space.cursor / space.columns), space.cursor % space.columns],
    formatted: space.formatted,
    locked: operator.keyboardLocked,
    ...programCheckOf(screen),
    mode: connected ? modeOfPartner[screen.partner] : 'none',
    text,
    ebcdic,
    fields,
    attrs,
  };
}

/** X PROG: the host sent a record that cannot be processed. Input is rejected until Reset. */
export function programCheckOf({ state }: Screen): { readonly programCheck?: number } {
  const { programCheck } = state.operator;
  return programCheck === undefined ? {} : { programCheck };
}

/** Nondisplay text is omitted. */
export function describeFields(screen: Screen) {
  const { columns } = screen.state.space;
  return screen.image.fields.map(({ address, length, attribute, validation }) => {
    const first = (address + 1) % screen.image.text.length;
    const hidden = isNonDisplayable(attribute);
    return {
      row: Math.floor(first / columns),
      col: first % columns,
      length,
      protected: (attribute & 0x20) !== 0,
      numeric: (attribute & 0x10) !== 0,
      modified: (attribute & 0x01) !== 0,
      nonDisplayable: hidden,
      ...(validation === 0 ? {} : { validation: hex(validation) }),
      ...(hidden ? {} : { text: withoutTrailingBlanks(textFrom(screen, first, length)) }),
    };
  });
}

export function textFrom(screen: Screen, start: number, length: number): string {
  const { text } = screen.image;
  const from = start % text.length;
  // a field may continue at the start of the screen
  return text.slice(from, from + length) + text.slice(0, Math.max(0, from + length - text.length));
}

function extendedAttributes(screen: Screen, at: number): Record<string, string | number> {
  const { planes } = screen.state.space;
  const set = planes.characterSets[at] as number;
  const found: Record<string, string | number> = {};
  add(found, 'fg', planes.foregrounds[at]);
  add(found, 'bg', planes.backgrounds[at]);
  add(found, 'hl', planes.highlightings[at]);
  if (set === GRAPHIC_ESCAPED) found.ge = 1;
  else add(found, 'cs', set);
  add(found, 'ic', planes.inputControls[at]);
  return found;
}

function add(to: Record<string, string | number>, name: string, value: number | undefined): void {
  if (value !== undefined && value !== 0) to[name] = hex(value);
}

function firstCodePoint(text: string): string {
  return String.fromCodePoint(text.codePointAt(0) ?? 0x20);
}

function withoutTrailingNulls(codes: string): string {
  let end = codes.length;
  while (end > 0 && codes.slice(end - 2, end) === '00') end -= 2;
  return codes.slice(0, end);
}

function hex(value: number): string {
  return value.toString(16).padStart(2, '0');
}
