import type { ImageField, ScreenImage } from '../../../src/tn3270/screen/screen-image.js';
import { ScreenText } from '../../../src/tn3270/screen/screen-text.js';

interface Picture {
  readonly rows?: number;
  readonly columns?: number;
  /** From the first row on; each position is a code point, and '\u{e000}' the right half of a character. */
  readonly text: readonly string[];
  readonly cursor?: number;
  readonly fields?: readonly { readonly address: number; readonly attribute: number }[];
}

const RIGHT_HALF = '\u{e000}';

/** A picture of a screen, without a host that drew it. What stands in non-displayable fields is left out, as it is in any. */
export function picture({ rows = 24, columns = 80, text, cursor = 0, fields = [] }: Picture): ScreenImage {
  const positions = rows * columns;
  const cells = Array.from({ length: rows }, (_, row) =>
    [...(text[row] ?? '').padEnd(columns)].slice(0, columns),
  ).flat();
  const imageFields = fields.map(({ address, attribute }, at): ImageField => {
    const next = fields[(at + 1) % fields.length]?.address ?? address;
    const length = (next - address - 1 + positions) % positions;
    return { ...plain, address, attribute, length };
  });
  for (const { address, attribute, length } of imageFields) {
    cells[address] = ' ';
    if ((attribute & 0x0c) !== 0x0c) continue;
    for (let at = 1; at <= length; at++) cells[(address + at) % positions] = ' ';
  }
  return {
    revision: 1,
    erased: 0,
    rows,
    columns,
    cursor,
    formatted: fields.length > 0,
    locked: false,
    operatorError: undefined,
    insertMode: false,
    alarms: 0,
    text: ScreenText.ofCells(cells.map((cell) => (cell === RIGHT_HALF ? '' : cell))),
    fields: imageFields,
    runs: [],
  };
}

const plain = { foreground: 0, background: 0, highlighting: 0, outlining: 0, validation: 0, doubleByteEntry: 0 };
