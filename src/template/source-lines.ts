/** Turns an offset of a source into line and column, both from 1; line breaks are CR LF, CR and LF. */
export class SourceLines {
  readonly #starts: number[] = [0];

  constructor(source: string) {
    for (const lineBreak of source.matchAll(/\r\n|\r|\n/g)) this.#starts.push(lineBreak.index + lineBreak[0].length);
  }

  place(offset: number): { line: number; column: number } {
    let low = 0;
    let high = this.#starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: offset - (this.#starts[low] ?? 0) + 1 };
  }
}
