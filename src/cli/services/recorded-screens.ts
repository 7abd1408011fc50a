import { type ReadOutcome, readAs, readFault } from '../../lib/read-outcome.js';
import { receivedScreen } from '../../terminal/protocol/received-screen.js';
import type { WholeScreenMessage } from '../../terminal/protocol/server-message.js';
import {
  displays,
  FIELD_ATTRIBUTE_MARK,
  fieldAttributeBits,
  isNonDisplayable,
} from '../../tn3270/datastream/field-attribute.js';
import type { ScreenImage } from '../../tn3270/screen/screen-image.js';

interface ToldScreen {
  readonly rows: number;
  readonly columns: number;
  /** One character per position; '' for the right half of a double-byte character. */
  readonly cells: readonly string[];
  readonly cursor: number;
  /** Sorted by address; attributes as in the data stream. */
  readonly fields: readonly { readonly address: number; readonly attribute: number }[];
}

const noColours = { foreground: 0, background: 0, highlighting: 0, outlining: 0, validation: 0, doubleByteEntry: 0 };

/** Converts file data to an image. As in all images, nondisplay text is removed. */
function pictureOf({ rows, columns, cells, cursor, fields }: ToldScreen): ScreenImage {
  const positions = cells.length;
  const shown = [...cells];
  const imageFields = fields.map(({ address, attribute }, at) => {
    const next = fields[(at + 1) % fields.length]?.address ?? address;
    const length = (next - address - 1 + positions) % positions;
    return { ...noColours, address, attribute: attribute & ~FIELD_ATTRIBUTE_MARK, length };
  });
  for (const { address, attribute, length } of imageFields) {
    shown[address] = ' ';
    if (!isNonDisplayable(attribute)) continue;
    for (let offset = 1; offset <= length; offset++) shown[(address + offset) % positions] = ' ';
  }
  return {
    revision: 0,
    erased: 0,
    rows,
    columns,
    cursor,
    formatted: fields.length > 0,
    locked: false,
    operatorError: undefined,
    insertMode: false,
    alarms: 0,
    cells: shown,
    fields: imageFields,
    runs: [],
  };
}

export interface RecordedScreen {
  readonly image: ScreenImage;
  readonly line: number;
  /** True if only text is known, but no fields and no cursor. */
  readonly isText: boolean;
}

const MOST_PICTURES = 1_000;
const LARGEST_SIDE = 255;
/** 65,025 positions, which 16-bit addresses can reach. */
const MOST_POSITIONS = LARGEST_SIDE * LARGEST_SIDE;
/** Right half of a double-byte character in answers of `drive`. */
const RIGHT_HALF = '\ue000';
/** Sizes of terminals; a text gets the first size that is large enough. */
const usualSizes = [
  [24, 80],
  [32, 80],
  [43, 80],
  [27, 132],
] as const;

/**
 * Reads screens from a file. A file that starts with `{` contains JSON, one value or one per line: answers of
 * `sallyport drive`, screens of sessions, and messages of terminal pages. Other content of such lines is ignored. Any
 * other file is one screen as text, one line per row.
 * @returns at least one picture
 */
export function readScreenPictures(source: string): ReadOutcome<readonly RecordedScreen[]> {
  return source.trimStart().startsWith('{') ? jsonPictures(source) : textPicture(source);
}

function jsonPictures(source: string): ReadOutcome<readonly RecordedScreen[]> {
  const whole = parsed(source);
  const documents =
    whole === undefined
      ? source.split(/\r?\n/).map((text, at) => ({ text, line: at + 1 }))
      : [{ text: source, line: 1, value: whole.value }];
  const pictures: RecordedScreen[] = [];
  for (const document of documents) {
    if (document.text.trim() === '') continue;
    const value = 'value' in document ? document : parsed(document.text);
    if (value === undefined) return readFault(`line ${document.line}: expected JSON`);
    const screen = screenIn(value.value);
    if (screen === undefined) continue;
    const image = toldByDrive(screen) ?? toldBySession(screen) ?? toldToPage(screen);
    if (image === undefined) return readFault(`line ${document.line}: it is not a screen (docs/write/services.md)`);
    if (pictures.length === MOST_PICTURES) return readFault(`expected at most ${MOST_PICTURES} screens in one file`);
    pictures.push({ image, line: document.line, isText: false });
  }
  return pictures.length > 0 ? readAs(pictures) : readFault('it contains no screen');
}

function parsed(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

type Members = Readonly<Record<string, unknown>>;

/** The object itself or, in problems and sessions, its member `screen`. */
function screenIn(value: unknown): Members | undefined {
  if (!isMembers(value)) return undefined;
  if (isMembers(value.screen)) return value.screen;
  return Object.hasOwn(value, 'rows') || value.k === 's' ? value : undefined;
}

function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Answer of `sallyport drive` to `screen` (docs/write/drive.md). */
function toldByDrive({ rows, cols, cursor, text, fields }: Members): ScreenImage | undefined {
  if (!isSide(rows) || !isSide(cols) || !isTexts(text) || text.length > rows) return undefined;
  const positions = rows * cols;
  const [row, column] = Array.isArray(cursor) ? cursor : [];
  if (!isNumber(row, rows - 1) || !isNumber(column, cols - 1) || !Array.isArray(fields)) return undefined;
  const told: { address: number; attribute: number }[] = [];
  for (const field of fields) {
    const { at, fa } = isMembers(field) ? field : {};
    if (!isNumber(at, positions - 1) || typeof fa !== 'string' || !/^[0-9a-f]{2}$/i.test(fa)) return undefined;
    if (at <= (told.at(-1)?.address ?? -1)) return undefined;
    told.push({ address: at, attribute: Number.parseInt(fa, 16) });
  }
  const cells = cellsOf(text, rows, cols);
  if (cells === undefined) return undefined;
  return pictureOf({ rows, columns: cols, cells, cursor: row * cols + column, fields: told });
}

/** Screen of a session over HTTP (docs/write/services.md). In problems it has no fields. */
function toldBySession({ rows, columns, cursor, text, fields = [] }: Members): ScreenImage | undefined {
  if (!isSide(rows) || !isSide(columns) || !isTexts(text) || text.length > rows) return undefined;
  const positions = rows * columns;
  const { position = 0 } = isMembers(cursor) ? cursor : {};
  if (!isNumber(position, positions - 1) || !Array.isArray(fields) || fields.length > positions) return undefined;
  const told: { address: number; attribute: number }[] = [];
  for (const field of fields) {
    if (!isMembers(field) || !isNumber(field.row, rows) || !isNumber(field.column, columns)) return undefined;
    const start = (field.row - 1) * columns + field.column - 1;
    if (start < 0) return undefined;
    const attribute = attributeFlags.reduce((bits, [name, bit]) => (field[name] === true ? bits | bit : bits), 0);
    told.push({ address: (start - 1 + positions) % positions, attribute });
  }
  told.sort((one, other) => one.address - other.address);
  const cells = cellsOf(text, rows, columns);
  return cells === undefined ? undefined : pictureOf({ rows, columns, cells, cursor: position, fields: told });
}

const attributeFlags = [
  ['protected', fieldAttributeBits.protected],
  ['numeric', fieldAttributeBits.numeric],
  ['intensified', displays.intensified],
  ['nonDisplayable', displays.nonDisplayable],
] as const;

/** Complete screen of a terminal page (docs/write/screen-protocol.md). */
function toldToPage(message: Members): ScreenImage | undefined {
  const { k, n: rows, c: columns, u: cursor, t: pieces = [], f: fields = [] } = message;
  if (k !== 's' || !isSide(rows) || !isSide(columns)) return undefined;
  const last = rows * columns - 1;
  if (!isNumber(cursor, last) || !Array.isArray(pieces) || !Array.isArray(fields)) return undefined;
  if (pieces.length > MOST_POSITIONS || !pieces.every((piece) => isPiece(piece, last))) return undefined;
  const addresses = fields.map((field: unknown) => (Array.isArray(field) ? field[0] : undefined));
  if (!addresses.every((address, at) => isNumber(address, last) && (at === 0 || address > addresses[at - 1])))
    return undefined;
  if (!fields.every(([, attribute = 0]) => isNumber(attribute, 0xff))) return undefined;
  const screen: WholeScreenMessage = { k: 's', r: 0, n: rows, c: columns, u: cursor, l: 0, t: pieces, f: fields };
  const received = receivedScreen(undefined, screen);
  return received === undefined ? undefined : pictureOf(received);
}

function isPiece(piece: unknown, last: number): boolean {
  if (!Array.isArray(piece) || piece.length !== 2) return false;
  const [address, text] = piece;
  return isNumber(address, last) && (typeof text === 'string' || isTexts(text));
}

function isSide(value: unknown): value is number {
  return isNumber(value, LARGEST_SIDE) && value > 0;
}

function isNumber(value: unknown, largest: number): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= largest;
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((text) => typeof text === 'string');
}

function cellsOf(texts: readonly string[], rows: number, columns: number): string[] | undefined {
  const cells: string[] = [];
  for (let row = 0; row < rows; row++) {
    const characters = [...(texts[row] ?? '')];
    if (characters.length > columns) return undefined;
    for (let at = 0; at < columns; at++) cells.push(characters[at] === RIGHT_HALF ? '' : (characters[at] ?? ' '));
  }
  return cells;
}

function textPicture(source: string): ReadOutcome<readonly RecordedScreen[]> {
  const lines = source.replace(/^\ufeff/, '').split(/\r?\n/);
  while (lines.at(-1)?.trim() === '') lines.pop();
  const at = lines.findIndex((line) => /\p{Cc}/u.test(line));
  if (at >= 0) return readFault(`line ${at + 1}: expected text without tabs and other control characters`);
  if (lines.length === 0) return readFault('it contains no screen');
  const width = Math.max(...lines.slice(0, LARGEST_SIDE + 1).map((line) => [...line].length));
  if (lines.length > LARGEST_SIDE || width > LARGEST_SIDE) {
    return readFault(`expected at most ${LARGEST_SIDE} rows of ${LARGEST_SIDE} columns`);
  }
  const [rows, columns] = usualSizes.find((size) => size[0] >= lines.length && size[1] >= width) ?? [
    lines.length,
    width,
  ];
  const cells = cellsOf(lines, rows, columns) ?? [];
  return readAs([{ image: pictureOf({ rows, columns, cells, cursor: 0, fields: [] }), line: 1, isText: true }]);
}
