import { NULL_SIGN } from '../../lib/text/typed-characters.js';
import {
  type FieldTuple,
  type LockCode,
  RIGHT_HALF_SIGN,
  type RunTuple,
  type ScreenMessage,
  type TextAt,
  type WholeScreenMessage,
} from './server-message.js';

export interface ReceivedField {
  /** Address of the field attribute. */
  readonly address: number;
  readonly length: number;
  readonly attribute: number;
  readonly colour: number;
  readonly highlighting: number;
  readonly background: number;
  readonly validation: number;
  /** 0: single-byte characters only, 1: also double-byte characters, 2: only double-byte characters. */
  readonly doubleByteEntry: number;
}

/** Adjacent characters with their own attributes. */
interface ReceivedRun {
  readonly address: number;
  readonly length: number;
  readonly colour: number;
  readonly highlighting: number;
  readonly background: number;
}

export interface ReceivedScreen {
  readonly revision: number;
  /** Revision at which the host last erased or replaced the screen. */
  readonly erased: number;
  readonly rows: number;
  readonly columns: number;
  readonly cursor: number;
  readonly lock: LockCode;
  readonly alarms: number;
  readonly notice: string;
  /** A character per position; '' for the right half of a double-byte character. */
  readonly cells: readonly string[];
  /** Blanks of `cells` that are nulls before text, in input fields. */
  readonly nulls: ReadonlySet<number>;
  readonly fields: readonly ReceivedField[];
  readonly runs: readonly ReceivedRun[];
}

/** @returns undefined if the message is a change of a revision other than that of `before` */
export function receivedScreen(before: ReceivedScreen | undefined, message: ScreenMessage): ReceivedScreen | undefined {
  const base = message.k === 's' ? blankScreen(message) : before;
  if (base === undefined || (message.k === 'd' && message.b !== base.revision)) return undefined;
  const {
    r: revision,
    u: cursor,
    l: lock,
    g: alarms = base.alarms,
    o: notice = base.notice,
    e: erased = base.erased,
    t,
    f,
    x,
  } = message;
  return {
    ...base,
    revision,
    cursor,
    lock,
    alarms,
    notice,
    erased,
    ...(t !== undefined && withPieces([...base.cells], new Set(base.nulls), t)),
    fields: f === undefined ? base.fields : fieldsOf(f, base.cells.length),
    runs: x === undefined ? base.runs : x.map(runOf),
  };
}

function blankScreen({ r: revision, n: rows, c: columns, u: cursor, l: lock }: WholeScreenMessage): ReceivedScreen {
  const cells = new Array<string>(rows * columns).fill(' ');
  return {
    revision,
    erased: 0,
    rows,
    columns,
    cursor,
    lock,
    alarms: 0,
    notice: '',
    cells,
    nulls: new Set(),
    fields: [],
    runs: [],
  };
}

function withPieces(
  cells: string[],
  nulls: Set<number>,
  pieces: readonly TextAt[],
): Pick<ReceivedScreen, 'cells' | 'nulls'> {
  for (const [address, text] of pieces) {
    for (let offset = 0; offset < text.length && address + offset < cells.length; offset++) {
      const at = address + offset;
      const cell = text[offset] as string;
      if (cell === NULL_SIGN) nulls.add(at);
      else nulls.delete(at);
      cells[at] = cell === RIGHT_HALF_SIGN ? '' : cell === NULL_SIGN ? ' ' : cell;
    }
  }
  return { cells, nulls };
}

function fieldsOf(tuples: readonly FieldTuple[], positions: number): ReceivedField[] {
  return tuples.map(([address, ...values], index) => {
    const following = (tuples[index + 1] ?? tuples[0])?.[0] as number;
    const length = tuples.length === 1 ? positions - 1 : (following - address - 1 + positions) % positions;
    const [attribute = 0, colour = 0, highlighting = 0, background = 0, validation = 0, doubleByteEntry = 0] = values;
    return { address, length, attribute, colour, highlighting, background, validation, doubleByteEntry };
  });
}

function runOf([address, length, colour = 0, highlighting = 0, background = 0]: RunTuple): ReceivedRun {
  return { address, length, colour, highlighting, background };
}
