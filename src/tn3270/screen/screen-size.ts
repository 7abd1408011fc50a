import { type ReadOutcome, readAs, readFault } from '../../lib/read-outcome.js';
import { MOST_16_BIT_POSITIONS } from '../datastream/buffer-address.js';

export interface ScreenSize {
  readonly rows: number;
  readonly columns: number;
}

/** The size after Erase/Write, whatever the model. */
export const DEFAULT_SIZE: ScreenSize = { rows: 24, columns: 80 };

const sizeOfModel: Readonly<Record<string, ScreenSize>> = {
  2: DEFAULT_SIZE,
  3: { rows: 32, columns: 80 },
  4: { rows: 43, columns: 80 },
  5: { rows: 27, columns: 132 },
};

/** An address of 16 bits must reach every position; rows and columns are a byte each where a BIND or a host tells them. */
const MOST_ROWS = 255;
const MOST_COLUMNS = 255;

export interface TerminalModel {
  /** The size after Erase/Write Alternate. */
  readonly alternateSize: ScreenSize;
  /** A 3279 has seven colours, a 3278 none. */
  readonly color: boolean;
  /** Whether the device offers the extended data stream (`-E`). */
  readonly extended: boolean;
  /** What the device calls itself in TN3270E's DEVICE-TYPE, e.g. `IBM-3278-2-E`; RFC 2355 knows only the 3278. */
  readonly deviceType: string;
  /** What it calls itself as a TELNET terminal type, e.g. `IBM-3279-2-E`. */
  readonly terminalType: string;
  /** A terminal without colours replies to a query for them that it shows them all alike. */
  readonly tellsAbsentColours?: boolean;
  /** After a query of the host the keyboard is locked until the host writes. */
  readonly locksWhenQueried?: boolean;
  /** The keyboard is locked until a host, or the application that a host binds, has written for the first time. */
  readonly awaitsFirstWrite?: boolean;
  /** A line terminal shows a question mark for what is no UTF-8; otherwise a byte of Latin 1. */
  readonly marksInvalidText?: boolean;
  /** What the services of a host answer stands behind what was typed for them; otherwise it begins in the next row. */
  readonly servicesAnswerInPlace?: boolean;
  /** What the reply to a query for RPQ names holds behind its device; undefined: the name of the product. */
  readonly rpqNames?: () => readonly number[];
}

const modelName = /^(?:IBM-)?(?:327([89])-)?([2-5])(-E)?$/i;
const sizeName = /^(\d{1,3})[xX](\d{1,3})$/;

/**
 * @param name `3279-4-E`, `3278-2`, `IBM-3278-5-E`, or a digit alone, which means a 3279 with `-E`
 * @param oversize `columns x rows` as `132x40`, at least as large as the model: makes an `IBM-DYNAMIC`
 * @returns what is wrong where the name or the size cannot be
 */
export function findTerminalModel(name: string, oversize?: string): ReadOutcome<TerminalModel> {
  const [, kind, digit = '', extended] = modelName.exec(name) ?? [];
  const modelSize = sizeOfModel[digit];
  if (modelSize === undefined) return readFault(`no terminal model: ${name} (3278-2 … 3279-5-E are)`);
  const color = kind !== '8';
  const isExtended = kind === undefined || extended !== undefined;
  const suffix = isExtended ? '-E' : '';
  if (oversize === undefined || oversize === '') {
    return readAs({
      alternateSize: modelSize,
      color,
      extended: isExtended,
      deviceType: `IBM-3278-${digit}${suffix}`,
      terminalType: `IBM-327${color ? 9 : 8}-${digit}${suffix}`,
    });
  }
  const size = parseOversize(oversize, modelSize);
  if (size.kind === 'fault') return size;
  return readAs({
    alternateSize: size.value,
    color,
    extended: isExtended,
    deviceType: 'IBM-DYNAMIC',
    terminalType: 'IBM-DYNAMIC',
  });
}

function parseOversize(text: string, least: ScreenSize): ReadOutcome<ScreenSize> {
  const [, columns, rows] = sizeName.exec(text) ?? [];
  const size = { rows: Number(rows), columns: Number(columns) };
  if (columns === undefined || !isPossible(size)) {
    return readFault(`no screen size: ${text} (columns x rows, up to ${MOST_COLUMNS}x${MOST_ROWS})`);
  }
  if (size.rows < least.rows || size.columns < least.columns) {
    return readFault(`${text} is smaller than the model's ${least.columns}x${least.rows}`);
  }
  return readAs(size);
}

function isPossible({ rows, columns }: ScreenSize): boolean {
  return (
    rows >= 1 && columns >= 1 && rows <= MOST_ROWS && columns <= MOST_COLUMNS && rows * columns < MOST_16_BIT_POSITIONS
  );
}
