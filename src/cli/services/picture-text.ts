import type { ScreenImage } from '../../tn3270/screen/screen-image.js';
import { printableText } from '../printable-text.js';

/** Rows of a screen in a frame, for a person. */
export function pictureText({ cells, rows, columns }: ScreenImage): string {
  const edge = `+${'-'.repeat(columns)}+`;
  const lines = Array.from({ length: rows }, (_, row) => {
    const text = printableText(cells.slice(row * columns, (row + 1) * columns).join(''));
    return `|${text.replaceAll(/[\n\t]/g, ' ')}|`;
  });
  return [edge, ...lines, edge].join('\n');
}
