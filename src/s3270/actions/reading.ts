import { formatControls } from '../../tn3270/datastream/orders.js';
import { type ActionFamily, ANY_NUMBER, numberOf } from '../action.js';
import { ActionError } from '../action-error.js';
import { fieldAt, positionsOfField, type ScreenSnapshot } from '../screen-snapshot.js';
import type { ScriptedTerminal } from '../scripted-terminal.js';
import { waitFor } from './waiting.js';

type ReadForm = (picture: ScreenSnapshot) => (start: number, end: number) => string;

const asText: ReadForm = ({ characters }) => {
  const units: number[] = [];
  return (start, end) => {
    units.length = end - start;
    for (let at = start; at < end; at++) {
      const character = characters[at] as string;
      // the right half of a double-byte character is empty, and some characters have two code units
      if (character.length !== 1) return characters.slice(start, end).join('');
      units[at - start] = character.charCodeAt(0);
    }
    return String.fromCharCode(...units);
  };
};

const asCodes: ReadForm =
  ({ codes }) =>
  (start, end) =>
    Array.from(codes.subarray(start, end), hex).join(' ');

/**
 * Reads the whole screen, `length` positions from the cursor, `row, column, length`, or the rectangle `row, column,
 * rows, columns`. Returns one line for each row.
 * @param base first number of rows and columns
 * @throws ActionError
 */
function readArea(
  action: string,
  picture: ScreenSnapshot,
  parameters: readonly string[],
  { form, base }: { readonly form: ReadForm; readonly base: 0 | 1 },
): string[] {
  const { rows, columns, cursor } = picture;
  // other texts count as 0, as in s3270
  const numbers = parameters.map((parameter) => numberOf(parameter) ?? 0);
  const [first = 0, second = 0, third = 0, fourth = 0] = numbers;
  switch (numbers.length) {
    case 0:
      return readRange(picture, 0, rows * columns, form);
    case 1:
      if (first < 0 || cursor + first > rows * columns) throw new ActionError(`${action}: Invalid argument`);
      return readRange(picture, cursor, first, form);
    case 3:
    case 4:
      break;
    default:
      throw new ActionError(`${action} requires 0, 1, 3 or 4 arguments`);
  }
  const [row, column] = [first - base, second - base];
  // as in s3270, the column after the last is the first one of the next row, and the row after the last is empty
  const isPlace = row >= 0 && row <= rows && column >= 0 && column <= columns && third >= 0 && fourth >= 0;
  if (!isPlace) throw new ActionError(`${action}: Invalid argument`);
  const start = row * columns + column;
  if (numbers.length === 3) {
    if (start + third > rows * columns) throw new ActionError(`${action}: Invalid argument`);
    return readRange(picture, start, third, form);
  }
  if (row + third > rows || column + fourth > columns) throw new ActionError(`${action}: Invalid argument`);
  // zero rows or columns return an empty line, as in s3270
  if (third === 0 || fourth === 0) return [''];
  const read = form(picture);
  return Array.from({ length: third }, (_, line) => read(start + line * columns, start + line * columns + fourth));
}

function readRange(picture: ScreenSnapshot, start: number, length: number, form: ReadForm): string[] {
  const lines: string[] = [];
  const read = form(picture);
  const end = start + length;
  let from = start;
  do {
    const next = Math.min(end, from + picture.columns - (from % picture.columns));
    lines.push(read(from, next));
    from = next;
  } while (from < end);
  return lines;
}

function range(start: number, length: number): number[] {
  return Array.from({ length }, (_, offset) => start + offset);
}

function readField(action: string, picture: ScreenSnapshot, form: ReadForm): string[] {
  const field = fieldAt(picture, picture.cursor);
  if (field === undefined) throw new ActionError(`${action}(): Screen is not formatted`);
  const lines: number[][] = [[]];
  for (const [index, at] of positionsOfField(picture, field).entries()) {
    if (index > 0 && at % picture.columns === 0) lines.push([]);
    lines.at(-1)?.push(at);
  }
  const read = form(picture);
  return lines.map((line) => {
    const [first] = line;
    return first === undefined ? '' : read(first, first + line.length);
  });
}

const bufferForms = ['ascii', 'ebcdic', 'unicode', 'field'] as const;
type BufferForm = (typeof bufferForms)[number];

function readBuffer(picture: ScreenSnapshot, parameters: readonly string[]): string[] {
  let form: BufferForm = 'ascii';
  let isField = false;
  for (const parameter of parameters) {
    const named = bufferForms.find((name) => name.startsWith(parameter.toLowerCase()));
    if (named === undefined) throw new ActionError('ReadBuffer(): Parameter must be ascii, ebcdic, unicode or field');
    if (named === 'field') isField = true;
    else form = named;
  }
  const { rows, columns, cursor } = picture;
  const write = bufferWriter(picture, form);
  if (!isField) return Array.from({ length: rows }, (_, row) => write(range(row * columns, columns)));
  const field = fieldAt(picture, cursor);
  if (field === undefined) throw new ActionError('ReadBuffer(): no field');
  const place = `${Math.floor(field / columns) + 1} ${(field % columns) + 1}`;
  const cursorPlace = `${Math.floor(cursor / columns) + 1} ${(cursor % columns) + 1}`;
  return [
    `Start1: ${place}`,
    `StartOffset: ${field}`,
    `Cursor1: ${cursorPlace}`,
    `CursorOffset: ${cursor}`,
    `Contents: ${write([field, ...positionsOfField(picture, field)])}`,
  ];
}

function bufferWriter(picture: ScreenSnapshot, form: BufferForm): (addresses: readonly number[]) => string {
  const { fieldAttributes, extended } = picture;
  const current = extended.map(() => 0);
  const at = (address: number): string => {
    const attribute = fieldAttributes[address] as number;
    if (attribute !== 0) {
      const more = extended.map(({ type, values }) =>
        values[address] === 0 ? '' : `,${type}=${hex(values[address])}`,
      );
      return `SF(c0=${hex(attribute)}${more.join('')})`;
    }
    const changes = extended.flatMap(({ type, values }, index) => {
      const value = values[address] as number;
      if (value === current[index]) return [];
      current[index] = value;
      return [`${type}=${hex(type === '41' ? value | 0xf0 : value)}`];
    });
    const cell = cellOf(picture, address, form);
    return changes.length === 0 ? cell : `SA(${changes.join(',')}) ${cell}`;
  };
  return (addresses) => addresses.map(at).join(' ');
}

function cellOf(picture: ScreenSnapshot, address: number, form: BufferForm): string {
  const { codes, contents, graphicEscaped } = picture;
  if (form === 'ebcdic') return graphicEscaped(address) ? `GE(${hex(codes[address])})` : hex(codes[address]);
  const character = contents[address] as string;
  if (character === '') return '-';
  if (form === 'unicode') return codePointOf(picture, address).toString(16).padStart(4, '0');
  if (isShift(codes[address]) && !graphicEscaped(address)) return hex(codes[address]);
  return Buffer.from(character, 'utf8').toString('hex');
}

const BLANK = 0x40;

/** Returns 0 for codes without a character, which are displayed as blanks. Shift codes are returned unchanged. */
function codePointOf({ codes, contents, graphicEscaped }: ScreenSnapshot, address: number): number {
  const [code, next] = [codes[address], codes[address + 1]];
  const character = contents[address] as string;
  if (graphicEscaped(address)) return character.codePointAt(0) ?? 0;
  if (isShift(code)) return code;
  const isUnknown =
    (character === ' ' && code !== BLANK) || (character === '\u3000' && (code !== BLANK || next !== BLANK));
  return isUnknown ? 0 : (character.codePointAt(0) ?? 0);
}

function isShift(code: number | undefined): code is number {
  return code === formatControls.shiftOut || code === formatControls.shiftIn;
}

function hex(value: number | undefined): string {
  return (value ?? 0).toString(16).padStart(2, '0');
}

const reads: Readonly<Record<string, (picture: ScreenSnapshot, parameters: readonly string[]) => string[]>> = {
  Ascii: (picture, parameters) => readArea('Ascii', picture, parameters, { form: asText, base: 0 }),
  Ascii1: (picture, parameters) => readArea('Ascii1', picture, parameters, { form: asText, base: 1 }),
  Ebcdic: (picture, parameters) => readArea('Ebcdic', picture, parameters, { form: asCodes, base: 0 }),
  Ebcdic1: (picture, parameters) => readArea('Ebcdic1', picture, parameters, { form: asCodes, base: 1 }),
  ReadBuffer: readBuffer,
};

async function snap(terminal: ScriptedTerminal, parameters: readonly string[]): Promise<readonly string[] | undefined> {
  const [what = 'Save', ...rest] = parameters;
  const folded = what.toLowerCase();
  if (folded === 'save') {
    if (rest.length > 0) throw new ActionError('Snap(): Extra argument(s)');
    terminal.saved = terminal.read();
    return undefined;
  }
  if (folded === 'wait') {
    const [awaited, ...more] = /^\d/.test(rest[0] ?? '') ? rest.slice(1) : rest;
    if (more.length > 0) throw new ActionError('Too many arguments to Snap(Wait)');
    if (awaited === undefined) throw new ActionError('Too few arguments to Snap(Wait)');
    if (awaited.toLowerCase() !== 'output') throw new ActionError('Unknown parameter to Snap(Wait)');
    if (!terminal.isConnected) throw new ActionError('Snap(): Not connected');
    await waitFor('Wait', terminal, rest);
    terminal.saved = terminal.read();
    return undefined;
  }
  const read = Object.entries(reads).find(([name]) => name.toLowerCase() === folded)?.[1];
  const isOfScreen = ['status', 'rows', 'cols'].includes(folded);
  if (read === undefined && !isOfScreen) {
    throw new ActionError(
      'Snap(): Parameter must be save, status, rows, cols, Wait, Ascii, Ascii1, Ebcdic, Ebcdic1 or ReadBuffer',
    );
  }
  if (isOfScreen && rest.length > 0) throw new ActionError('Snap(): Extra argument(s)');
  const { saved } = terminal;
  if (saved === undefined) throw new ActionError('Snap(): No saved state');
  if (read !== undefined) return read(saved, rest);
  const facts: Readonly<Record<string, string>> = {
    status: saved.status,
    rows: String(saved.rows),
    cols: String(saved.columns),
  };
  return [facts[folded] ?? ''];
}

export const readingActions: ActionFamily = {
  ...Object.fromEntries(
    Object.entries(reads).map(([name, read]) => [
      name,
      {
        takes: [0, ANY_NUMBER] as const,
        act: (terminal: ScriptedTerminal, parameters: readonly string[]) => read(terminal.view(), parameters),
      },
    ]),
  ),
  AsciiField: { takes: [0, 0], act: (terminal) => readField('AsciiField', terminal.view(), asText) },
  EbcdicField: { takes: [0, 0], act: (terminal) => readField('EbcdicField', terminal.view(), asCodes) },
  Snap: { takes: [0, ANY_NUMBER], act: snap },
};
