import type { ScreenImage } from '../../screen/screen-image.js';
import { printableText } from '../printable-text.js';

/** Rows of a screen in a frame, for a person. Secrets are asterisks wherever they stand, whatever their case. */
export function pictureText({ cells, rows, columns }: ScreenImage, secrets: Iterable<string>): string {
  const shown = [...cells];
  const folded = cells.map((cell) => (cell === '' ? '' : cell.toUpperCase().slice(0, cell.length)));
  for (const secret of secrets) hide(shown, folded, secret.trim().toUpperCase());
  const edge = `+${'-'.repeat(columns)}+`;
  const lines = [edge];
  for (let row = 0; row < rows; row++) {
    lines.push(
      `|${printableText(shown.slice(row * columns, (row + 1) * columns).join('')).replaceAll(/[\n\t]/g, ' ')}|`,
    );
  }
  return [...lines, edge].join('\n');
}

/** A text goes on from row to row, and over the right halves of characters. */
function hide(shown: string[], cells: readonly string[], secret: string): void {
  if (secret === '') return;
  const starts: number[] = [];
  let text = '';
  for (const [at, cell] of cells.entries()) {
    for (let unit = 0; unit < cell.length; unit++) starts.push(at);
    text += cell;
  }
  for (let at = text.indexOf(secret); at >= 0; at = text.indexOf(secret, at + 1)) {
    for (const position of starts.slice(at, at + secret.length)) shown[position] = '*';
  }
}
