import type { ScreenImage } from '../screen/screen-image.js';
import { rowIndex, textAt } from './displayed-text.js';
import { type ExtractFault, readTablePage, type TableRow, type TableRows } from './extract.js';
import type { ScreenDefinition } from './screen-definition.js';
import { type Expectation, endOfRefusal, expectScreens, type StepGround, type UndoneStep } from './step.js';

/** Rows over several pages. A host whose last page shows rows of the page before again gives them twice. */
export interface Table extends TableRows {
  /** The key that turns the page; undefined: there is one page. */
  readonly next?: string | undefined;
  /** Rows at most; MOST_ROWS at most. */
  readonly most?: number | undefined;
}

export interface TableReading extends Expectation {
  /** The screens that a page of it may be: the key is pressed on no other. The time is counted for each page. */
  readonly at: readonly ScreenDefinition[];
  readonly table: Table;
}

export type TableEnd =
  /** `isComplete`: the table ended before there were too many rows. */
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
/** Pages may be without rows. */
const MOST_PAGES = 1_000;

/** Reads a table, page by page, until it ends. @throws what the signal was aborted with */
export async function readTable(ground: StepGround, { at, table, ...expectation }: TableReading): Promise<TableEnd> {
  const { next, until, most = USUAL_MOST_ROWS } = table;
  const limit = Math.min(most, MOST_ROWS);
  const rows: TableRow[] = [];
  let before: ScreenImage | undefined;
  for (let pages = 0; ; ) {
    const arrived = await expectScreens(ground, at, expectation);
    if (arrived.kind !== 'done') return arrived;
    const { image } = arrived;
    // what is read, and what the page is turned on, is one picture
    if (image.revision !== ground.image.revision) continue;
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
    const refusal = await ground.act({ press: next });
    if (refusal !== undefined) return endOfRefusal(refusal, image, at);
    before = image;
  }
}

/** Undefined where the rows are others; where they are not, whether anything else is: then nobody can tell whether the page was turned. */
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
