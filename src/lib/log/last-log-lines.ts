import { type LoggedLine, readLoggedLine, shortenedLine } from './logged-line.js';

const MOST_LINES = 2_000;
const MOST_CHARACTERS = 1024 * 1024;
/** Of one line; a longer one is cut. */
const LONGEST_LINE = 4_096;

/** A line, and its number since the server started. */
export interface NumberedLine extends LoggedLine {
  readonly number: number;
  /** In lower case, what is searched. */
  readonly searched: string;
}

/** The last lines of the log, in memory, for whoever looks at them. A line is read only then. */
export class LastLogLines {
  /** Tells these lines from those of another start. */
  readonly began = Date.now();
  /** The line with a number is at that number modulo the length. */
  readonly #texts: string[] = new Array(MOST_LINES).fill('');
  readonly #read: (NumberedLine | undefined)[] = new Array(MOST_LINES);
  #first = 1;
  #next = 1;
  #characters = 0;

  /** The number of the newest line; 0: there is none. */
  get last(): number {
    return this.#next - 1;
  }

  /** @param line as it is logged: JSON, with the line break */
  add(line: string): void {
    const text = line.length > LONGEST_LINE ? shortenedLine(line, LONGEST_LINE) : line;
    this.#characters += text.length;
    while (this.#characters > MOST_CHARACTERS || this.#next - this.#first >= MOST_LINES) this.#dropFirst();
    const at = this.#next % MOST_LINES;
    this.#texts[at] = text;
    this.#read[at] = undefined;
    this.#next += 1;
  }

  /** Lines from the newest to the oldest that is kept, read as they are asked for. */
  *newestFirst({ before = this.#next, after = 0 } = {}): Iterable<NumberedLine> {
    // whoever takes their time finds that some have gone
    const isKept = (number: number) => number >= this.#first && number > after;
    for (let number = Math.min(before, this.#next) - 1; isKept(number); number--) yield this.#line(number);
  }

  /** Whether a line after that one is not kept any more. */
  hasLostAfter(number: number): boolean {
    return number + 1 < this.#first;
  }

  #line(number: number): NumberedLine {
    const at = number % MOST_LINES;
    const known = this.#read[at];
    if (known !== undefined) return known;
    const line = readLoggedLine(this.#texts[at] ?? '');
    const { time, level, message, details } = line;
    const read = { ...line, number, searched: `${time} ${level} ${message} ${details}`.toLowerCase() };
    this.#read[at] = read;
    return read;
  }

  #dropFirst(): void {
    const at = this.#first % MOST_LINES;
    this.#characters -= this.#texts[at]?.length ?? 0;
    this.#texts[at] = '';
    this.#read[at] = undefined;
    this.#first += 1;
  }
}
