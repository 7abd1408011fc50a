import { findTerminalModel } from '../tn3270/screen/screen-size.js';

export const NO_OVERSIZE = '0x0';
/** Addresses of 14 bits reach no further. */
const MOST_POSITIONS = 0x4000;

/**
 * What is wrong with a size written `columns x rows` (`132x50`), in the words of s3270 4.1 (tried).
 * @param model that the size is at least as large as
 * @returns `syntax` where it is no size at all; undefined where nothing is wrong, or no size is asked for
 */
export function oversizeFault(text: string, model: string): 'syntax' | readonly string[] | undefined {
  if (text === '' || text === NO_OVERSIZE) return undefined;
  const [, columnsText, rowsText] = /^(\d{1,5})x(\d{1,5})$/.exec(text) ?? [];
  if (columnsText === undefined) return 'syntax';
  const [columns, rows] = [Number(columnsText), Number(rowsText)];
  if (columns === 0 || rows === 0) return [`Invalid oversize ${text}:`, 'Negative or zero'];
  const whole = findTerminalModel(model);
  const least = whole.kind === 'fault' ? { rows: 0, columns: 0 } : whole.value.alternateSize;
  const tooSmall = (what: string, count: number, modelsCount: number) => [
    `Invalid oversize ${what} (${count}):`,
    `Less than model ${model.replace(/-E$/i, '').slice(-1)} ${what} (${modelsCount})`,
  ];
  if (columns * rows < MOST_POSITIONS) {
    if (columns < least.columns) return tooSmall('cols', columns, least.columns);
    if (rows < least.rows) return tooSmall('rows', rows, least.rows);
    if (findTerminalModel(model, text).kind === 'read') return undefined;
  }
  return [`Invalid oversize ${text}:`, 'Exceeds protocol limit'];
}
