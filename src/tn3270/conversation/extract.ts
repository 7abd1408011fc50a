import type { Area, RowAndColumn, ScreenCondition } from '../screen/screen-condition.js';
import type { ScreenImage } from '../screen/screen-image.js';
import { positionOf, rowIndex, rowsOfArea, textAt } from './displayed-text.js';
import { holds, type ScreenDefinition } from './screen-definition.js';
import { type Expectation, endOfRefusal, expectScreens, type StepContext, type UndoneStep } from './step.js';
import { type ExtractedValue, readValue, ValueFault, type ValueType } from './values.js';

/** `length` positions from a place, across row ends, or an area with one line of text for each row. */
export type Extract = ValueType & ({ readonly at: RowAndColumn; readonly length: number } | { readonly area: Area });

/** A value that could not be read, without the displayed text. */
export interface ExtractFault {
  readonly name: string;
  readonly expected: string;
  /** Row of the screen, from 1, if the value is in a table. */
  readonly row?: number;
}

export type Extracted =
  | { readonly kind: 'done'; readonly values: Readonly<Record<string, ExtractedValue>> }
  | { readonly kind: 'extractFault'; readonly faults: readonly ExtractFault[] };

export function extract(image: ScreenImage, extracts: Readonly<Record<string, Extract>>): Extracted {
  const values: Record<string, ExtractedValue> = {};
  const faults: ExtractFault[] = [];
  for (const [name, definition] of Object.entries(extracts)) {
    const value = readExtract(image, definition);
    if (value instanceof ValueFault) faults.push({ name, expected: value.expected });
    else Object.defineProperty(values, name, { value, enumerable: true });
  }
  return faults.length > 0 ? { kind: 'extractFault', faults } : { kind: 'done', values };
}

function readExtract(image: ScreenImage, definition: Extract): ExtractedValue | ValueFault {
  const text = extractedText(image, definition);
  if (text === undefined) return new ValueFault('a place on the screen');
  if (
    definition.as === undefined ||
    definition.as === 'string' ||
    definition.as === 'boolean' ||
    'area' in definition
  ) {
    return readValue(text, definition);
  }
  return isWhole(image, definition.at, definition.length) ? readValue(text, definition) : new ValueFault(CUT);
}

const CUT = 'the whole value within the place: it continues outside';

/** False if a number or a date continues outside the place. */
function isWhole(image: ScreenImage, at: RowAndColumn, length: number): boolean {
  const { cells, columns } = image;
  const first = positionOf(image, at) as number;
  const behind = first + length;
  const goesOn = (inside: number, outside: number) =>
    partOfNumber.test(cells[inside] ?? '') && partOfNumber.test(cells[outside] ?? '');
  const isCutBefore = first % columns !== 0 && goesOn(first, first - 1);
  return !isCutBefore && (behind % columns === 0 || !goesOn(behind - 1, behind));
}

const partOfNumber = /[\p{L}\p{N}.,+-]/u;

function extractedText(image: ScreenImage, definition: Extract): string | undefined {
  if ('area' in definition) {
    return rowsOfArea(image, definition.area)
      ?.map((row) => row.trimEnd())
      .join('\n');
  }
  const position = positionOf(image, definition.at);
  const isThere = position !== undefined && position + definition.length <= image.cells.length;
  return isThere ? textAt(image, position, definition.length) : undefined;
}

/** Rows of several pages. If the last page repeats rows of the previous page, they are returned twice. */
export interface Table extends TableRows {
  readonly next?: string | undefined;
  /** Limit of rows, at most `MOST_ROWS`. */
  readonly most?: number | undefined;
}

export interface TableReading extends Expectation {
  /** Screens on which the key may be pressed. The time limit applies to each page. */
  readonly at: readonly ScreenDefinition[];
  readonly table: Table;
}

export type TableEnd =
  /** `isComplete`: false if the limit of rows or pages was reached first. */
  | {
      readonly kind: 'done';
      readonly rows: readonly TableRow[];
      readonly isComplete: boolean;
      readonly image: ScreenImage;
    }
  | { readonly kind: 'extractFault'; readonly faults: readonly ExtractFault[]; readonly image: ScreenImage }
  | UndoneStep;

const MOST_ROWS = 10_000;
const USUAL_MOST_ROWS = 500;
/** Limit of pages, because pages may have no rows. */
const MOST_PAGES = 1_000;

/** Reads a table page by page. @throws the reason of an aborted signal */
export async function readTable(context: StepContext, { at, table, ...expectation }: TableReading): Promise<TableEnd> {
  const { next, until, most = USUAL_MOST_ROWS } = table;
  const limit = Math.min(most, MOST_ROWS);
  const rows: TableRow[] = [];
  let before: ScreenImage | undefined;
  for (let pages = 0; ; ) {
    const arrived = await expectScreens(context, at, expectation);
    if (arrived.kind !== 'done') return arrived;
    const { image } = arrived;
    // the page must not change between reading it and pressing the key
    if (image.revision !== context.image.revision) continue;
    const unturned = before === undefined ? undefined : compared(before, image, table);
    if (unturned === 'same' && until === undefined) return { kind: 'done', rows, isComplete: true, image };
    if (unturned !== undefined) return notTurned(image, arrived.screen, next);
    const page = readTablePage(image, table);
    if (page.kind === 'extractFault') return { ...page, image };
    rows.push(...page.rows);
    const isEnd = page.isLast || next === undefined;
    if (rows.length > limit || isEnd || ++pages >= MOST_PAGES) {
      const isComplete = isEnd && rows.length <= limit && (until === undefined || page.isLast);
      return { kind: 'done', rows: rows.slice(0, limit), isComplete, image };
    }
    const refusal = await context.act({ press: next });
    if (refusal !== undefined) return endOfRefusal(refusal, image, at);
    before = image;
  }
}

/** Undefined if the rows differ. `sameRows` if other parts of the screen differ: the page may have changed or not. */
function compared(before: ScreenImage, now: ScreenImage, { rows }: Table): 'same' | 'sameRows' | undefined {
  const [first, last] = [rowIndex(now, rows[0]) ?? 0, rowIndex(now, rows[1]) ?? 0];
  const rowsOf = (image: ScreenImage) => textAt(image, first * image.columns, (last - first + 1) * image.columns);
  if (rowsOf(before) !== rowsOf(now)) return undefined;
  return before.cells.join('') === now.cells.join('') ? 'same' : 'sameRows';
}

function notTurned(image: ScreenImage, screen = '', next = ''): TableEnd {
  const differs = [`${next} has changed no row, and the table has not ended as "until" says`];
  return { kind: 'guardFailed', image, expected: [screen], differs: [{ screen, differs }] };
}

type TableColumn = ValueType & { readonly column: number; readonly length: number };

interface TableRows {
  readonly rows: readonly [first: number, last: number];
  readonly columns: Readonly<Record<string, TableColumn>>;
  /**
   * End of the table. A text without a place ends it before the row that displays it. Any other condition ends it after
   * the page on which it holds.
   */
  readonly until?: ScreenCondition | undefined;
}

export type TableRow = Readonly<Record<string, ExtractedValue>>;

type TablePage =
  | { readonly kind: 'done'; readonly rows: readonly TableRow[]; readonly isLast: boolean }
  | { readonly kind: 'extractFault'; readonly faults: readonly ExtractFault[] };

/** Reads the rows of one page, without rows that are blank in all columns. */
export function readTablePage(image: ScreenImage, { rows, columns, until }: TableRows): TablePage {
  const [first, last] = [rowIndex(image, rows[0]), rowIndex(image, rows[1])];
  if (first === undefined || last === undefined || last < first) {
    return { kind: 'extractFault', faults: [{ name: 'rows', expected: 'rows on the screen' }] };
  }
  const tooWide = Object.entries(columns).find(
    ([, { column, length }]) => column < 1 || column + length - 1 > image.columns,
  );
  if (tooWide !== undefined)
    return { kind: 'extractFault', faults: [{ name: tooWide[0], expected: 'a place on the screen' }] };
  const found: TableRow[] = [];
  const faults: ExtractFault[] = [];
  for (let index = first; index <= last; index++) {
    if (until !== undefined && endsAt(image, index, until)) return pageOf(found, faults, true);
    const extracts = Object.entries(columns).map(
      ([name, { column, ...rest }]) => [name, { ...rest, at: [index + 1, column] }] as const,
    );
    if (extracts.every(([, definition]) => extractedText(image, definition)?.trim() === '')) continue;
    const read = extract(image, Object.fromEntries(extracts));
    if (read.kind === 'done') found.push(read.values);
    else faults.push(...read.faults.map((fault) => ({ ...fault, row: index + 1 })));
  }
  return pageOf(found, faults, until !== undefined && holds(until, image));
}

function pageOf(rows: readonly TableRow[], faults: readonly ExtractFault[], isLast: boolean): TablePage {
  return faults.length > 0 ? { kind: 'extractFault', faults } : { kind: 'done', rows, isLast };
}

function endsAt(image: ScreenImage, index: number, until: ScreenCondition): boolean {
  const isAnywhere =
    'text' in until && until.row === undefined && until.column === undefined && until.area === undefined;
  return isAnywhere && textAt(image, index * image.columns, image.columns).includes(until.text);
}
