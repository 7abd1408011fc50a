import { printableText } from './printable-text.js';

const NARROWEST_COLUMN = 8;

/**
 * Columns as wide as what is in them, and two blanks between.
 * @param width of the terminal: the widest columns are cut until it fits; undefined: nothing is cut
 */
export function tableOf(rows: readonly (readonly string[])[], width?: number): string {
  const widths: number[] = [];
  for (const row of rows)
    row.forEach((cell, at) => {
      widths[at] = Math.max(widths[at] ?? 0, cell.length);
    });
  const total = () => widths.reduce((sum, each) => sum + each, 2 * (widths.length - 1));
  while (width !== undefined && total() > width && Math.max(...widths) > NARROWEST_COLUMN) {
    widths[widths.indexOf(Math.max(...widths))] = Math.max(...widths) - 1;
  }
  return rows
    .map((row) => row.map((cell, at) => shortened(cell, widths[at] ?? 0).padEnd(widths[at] ?? 0)))
    .map((cells) => `${cells.join('  ').trimEnd()}\n`)
    .join('');
}

export function inOneLine(text: string): string {
  return printableText(text).replaceAll('\n', '\\n').replaceAll('\t', '\\t');
}

export function shortened(text: string, longest: number): string {
  const characters = [...text];
  return characters.length <= longest ? text : `${characters.slice(0, longest - 1).join('')}…`;
}
