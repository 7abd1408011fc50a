const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/** Turns an offset of a source into line and column, both from 1; line breaks are CR LF, CR and LF. */
export class SourceLines {
  readonly #source: string;
  /** Looked for when a place is first asked for: most sources have no fault. */
  #starts: readonly number[] | undefined;

  constructor(source: string) {
    this.#source = source;
  }

  place(offset: number): { line: number; column: number } {
    this.#starts ??= lineStarts(this.#source);
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

function lineStarts(source: string): number[] {
  const starts = [0];
  for (let at = 0; at < source.length; at++) {
    const unit = source.charCodeAt(at);
    const isBreak = unit === LINE_FEED || (unit === CARRIAGE_RETURN && source.charCodeAt(at + 1) !== LINE_FEED);
    if (isBreak) starts.push(at + 1);
  }
  return starts;
}
