interface CopiedScreen {
  readonly columns: number;
  /** Displayed characters: `''` for right halves, blanks for hidden fields. */
  readonly cells: readonly string[];
}

/** Text between two positions, both included. @param box the rectangle between them instead of whole rows */
export function copiedText({ columns, cells }: CopiedScreen, from: number, to: number, box = false): string {
  const [first, last] = from <= to ? [from, to] : [to, from];
  const firstRow = Math.floor(first / columns);
  const lastRow = Math.floor(last / columns);
  const left = Math.min(first % columns, last % columns);
  const right = Math.max(first % columns, last % columns);
  const lines: string[] = [];
  for (let row = firstRow; row <= lastRow; row++) {
    const begin = box ? row * columns + left : Math.max(first, row * columns);
    const end = box ? row * columns + right : Math.min(last, row * columns + columns - 1);
    // a leading right half becomes a blank to keep the columns
    const cut = cells[begin] === '' ? ' ' : '';
    lines.push((cut + cells.slice(begin, end + 1).join('')).trimEnd());
  }
  return lines.join('\n');
}
