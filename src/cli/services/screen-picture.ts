import { FIELD_ATTRIBUTE_MARK, isNonDisplayable } from '../../tn3270/datastream/field-attribute.js';
import type { ScreenImage } from '../../tn3270/screen/screen-image.js';

/** What a file tells of a screen, before the rest of a picture is made of it. */
interface ToldScreen {
  readonly rows: number;
  readonly columns: number;
  /** A character a position, '' for the right half of a double-byte one. */
  readonly cells: readonly string[];
  readonly cursor: number;
  /** In the order of their addresses; attributes as the data stream has them. */
  readonly fields: readonly { readonly address: number; readonly attribute: number }[];
}

const noColours = { foreground: 0, background: 0, highlighting: 0, outlining: 0, validation: 0, doubleByteEntry: 0 };

/** A picture of a screen that was written down. What is not displayed is not in it, as it is in no picture. */
export function pictureOf({ rows, columns, cells, cursor, fields }: ToldScreen): ScreenImage {
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
