/** What is shown, row by row. */
interface CopiedScreen {
  readonly columns: number;
  /** As shown: '' for right halves, and blanks for what is not displayed. */
  readonly cells: readonly string[];
}

/** The text between two positions, both included: with whole rows between them, or the box that they are corners of. */
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
    // what begins with a right half keeps its column
    const cut = cells[begin] === '' ? ' ' : '';
    lines.push((cut + cells.slice(begin, end + 1).join('')).trimEnd());
  }
  return lines.join('\n');
}
