import type { ShownField } from '../terminal-port.js';
import type { ScreenRegion } from './screen-area.js';

interface TabledScreen {
  readonly columns: number;
  /** Displayed characters: `''` for right halves, blanks for hidden fields. */
  readonly cells: readonly string[];
  readonly fields: readonly Pick<ShownField, 'address'>[];
}

/** Columns are separated where all non-empty rows have two or more blanks, or the start of a field. */
export function tableOf({ columns, cells, fields }: TabledScreen, area: ScreenRegion): string[][] {
  const width = area.lastColumn - area.column + 1;
  const attributes = new Set(fields.map(({ address }) => address));
  const starts = Array.from(
    { length: area.lastRow - area.row + 1 },
    (_, row) => (area.row + row) * columns + area.column,
  );
  const filled = starts.filter((start) => !isBlank(cells, start, width));
  const blank = Array.from({ length: width }, (_, at) => filled.every((start) => cells[start + at] === ' '));
  const fieldBegins = Array.from({ length: width }, (_, at) => filled.every((start) => attributes.has(start + at)));
  const parted = blank.map((one, at) => one && (blank[at - 1] || blank[at + 1] || fieldBegins[at] === true));
  const runs: [from: number, to: number][] = [];
  for (let at = 0; at < width; at++) {
    if (parted[at]) continue;
    const last = runs.at(-1);
    if (last !== undefined && last[1] === at) last[1] = at + 1;
    else runs.push([at, at + 1]);
  }
  return starts.map((start) =>
    runs.map(([from, to]) => plainText(cells.slice(start + from, start + to).join('')).trim()),
  );
}

function isBlank(cells: readonly string[], start: number, width: number): boolean {
  for (let at = start; at < start + width; at++) if (cells[at]?.trim() !== '') return false;
  return true;
}

/** Hosts may send any character. */
function plainText(text: string): string {
  return text.replace(/\p{Cc}/gu, ' ');
}

/** Text that a spreadsheet reads as a number; other text with the same start could be a formula. */
const AMOUNT = /^[+-]?[\d.,' ]*\d%?$/;
const FORMULA = /^[=+\-@]/;

/** Protects against formulas from the host in a spreadsheet. */
function asText(text: string): string {
  return FORMULA.test(text) && !AMOUNT.test(text) ? `'${text}` : text;
}

export function tabSeparated(table: readonly (readonly string[])[]): string {
  const cell = (text: string) => (text.startsWith('"') ? `"${text.replaceAll('"', '""')}"` : asText(text));
  return table.map((row) => row.map(cell).join('\t')).join('\n');
}

/** Spreadsheets would strip leading zeros of account numbers and round long numbers. */
const KEPT_AS_TYPED = /^(?:0\d+|\d{16,})$/;
const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

export function htmlTable(table: readonly (readonly string[])[]): string {
  const cell = (text: string) => {
    const style = KEPT_AS_TYPED.test(text) ? ` style="mso-number-format:'\\@'"` : '';
    return `<td${style}>${asText(text).replace(/[&<>"]/g, (sign) => escapes[sign] as string)}</td>`;
  };
  return `<table>${table.map((row) => `<tr>${row.map(cell).join('')}</tr>`).join('')}</table>`;
}
