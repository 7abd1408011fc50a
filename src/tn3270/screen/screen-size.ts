import { type ReadOutcome, readAs, readFault } from '../../lib/read-outcome.js';
import { MOST_16_BIT_POSITIONS } from '../datastream/buffer-address.js';

export interface ScreenSize {
  readonly rows: number;
  readonly columns: number;
}

/** Size after Erase/Write on all models. */
export const DEFAULT_SIZE: ScreenSize = { rows: 24, columns: 80 };

const sizeOfModel: Readonly<Record<string, ScreenSize>> = {
  2: DEFAULT_SIZE,
  3: { rows: 32, columns: 80 },
  4: { rows: 43, columns: 80 },
  5: { rows: 27, columns: 132 },
};

/** 16-bit addresses must reach every position; a BIND and host messages have one byte each for rows and columns. */
const MOST_ROWS = 255;
const MOST_COLUMNS = 255;

export interface TerminalModel {
  readonly alternateSize: ScreenSize;
  /** True for a 3279 (seven colours), false for a 3278. */
  readonly color: boolean;
  /** True if the device supports the extended data stream (`-E`). */
  readonly extended: boolean;
  /** For DEVICE-TYPE in TN3270E, e.g. `IBM-3278-2-E`; RFC 2355 defines only 3278 names. */
  readonly deviceType: string;
  /** For the TELNET terminal type, e.g. `IBM-3279-2-E`. */
  readonly terminalType: string;
  /** True if a terminal without colours sends a Color reply that maps all colours to the default. */
  readonly tellsAbsentColours?: boolean;
  /** True to lock the keyboard from a query of the host until its next write. */
  readonly locksWhenQueried?: boolean;
  /** True to lock the keyboard until the first write of the host or of a newly bound application. */
  readonly awaitsFirstWrite?: boolean;
  /** True if a line terminal displays invalid UTF-8 as question marks, false for Latin 1. */
  readonly marksInvalidText?: boolean;
  /** True if answers of the host's services follow the typed text, false if they start in the next row. */
  readonly servicesAnswerInPlace?: boolean;
  /** Content of the RPQ Names reply after the device; the product name if undefined. */
  readonly rpqNames?: () => readonly number[];
}

const modelName = /^(?:IBM-)?(?:327([89])-)?([2-5])(-E)?$/i;
const sizeName = /^(\d{1,3})[xX](\d{1,3})$/;

/**
 * @param name `3279-4-E`, `3278-2`, `IBM-3278-5-E`, or only a digit, which means a 3279 with `-E`
 * @param oversize `columns x rows`, e.g. `132x40`, at least as large as the model; makes the device an `IBM-DYNAMIC`
 */
export function findTerminalModel(name: string, oversize?: string): ReadOutcome<TerminalModel> {
  const [, kind, digit = '', extended] = modelName.exec(name) ?? [];
  const modelSize = sizeOfModel[digit];
  if (modelSize === undefined) return readFault(`not a terminal model: ${name} (3278-2 … 3279-5-E are)`);
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
    return readFault(`not a screen size: ${text} (columns x rows, up to ${MOST_COLUMNS}x${MOST_ROWS})`);
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
