import { aplUnitOfByte } from '../codepage/apl-character-set.js';
import type { CodePage } from '../codepage/code-page.js';
import {
  columnsOf,
  type PrintedLine,
  type PrintedPage,
  type PrintedRun,
  type PrintStyle,
  printStyles,
} from './printed-page.js';

/** Columns of the widest paper of a 3287. */
export const MOST_PRINT_POSITIONS = 132;

interface PaperLimits {
  readonly pages: number;
  readonly lines: number;
  readonly positions: number;
  readonly transparentBytes: number;
}

const paperLimits: PaperLimits = { pages: 2_000, lines: 100_000, positions: 2_000_000, transparentBytes: 1 << 23 };

const NOTHING = new Uint8Array(0);

/** Paper of a printer. Printing twice at the same place overstrikes. Lines and columns count from 0. */
export class Paper {
  readonly #limits: PaperLimits;
  readonly #pages: PrintedPage[] = [];
  #page: PrintedLine[] = [];
  #line = 0;
  #characters: string[] = [];
  #styles: PrintStyle[] = [];
  #lines = 0;
  #positions = 0;
  #isFull = false;
  #transparent = NOTHING;
  #transparentBytes = 0;

  constructor(limits = paperLimits) {
    this.#limits = limits;
  }

  get isFull(): boolean {
    return this.#isFull;
  }

  get isBlank(): boolean {
    return (
      this.#pages.length === 0 &&
      this.#page.length === 0 &&
      this.#characters.length === 0 &&
      this.#transparentBytes === 0
    );
  }

  get line(): number {
    return this.#line;
  }

  /** A blank changes nothing, a repeated character becomes bold, and an underscore underlines. */
  print(column: number, character: string, style: PrintStyle): void {
    if (this.#isFull) return;
    const there = this.#characters[column];
    if (there === undefined || there === '' || there === ' ') this.#set(column, character, style);
    else if (character === ' ') return;
    else if (character === '_') this.#set(column, there, this.#styleAt(column) | printStyles.underscore);
    else if (there === '_') this.#set(column, character, style | printStyles.underscore);
    else if (there === character) this.#set(column, character, style | this.#styleAt(column) | printStyles.bold);
    else this.#set(column, character, style);
  }

  goTo(line: number): void {
    if (line <= this.#line) return;
    this.#finishLine();
    this.#line = line;
  }

  newPage(): void {
    this.#finishLine();
    if (this.#pages.length + 1 >= this.#limits.pages) this.#isFull = true;
    // keep the page: the host has received a positive response for it
    if (this.#isFull) return;
    this.#pages.push(this.#page);
    this.#page = [];
    this.#line = 0;
  }

  /** Collects commands for a real printer (TRN), which do not appear on the paper. */
  pass(bytes: Uint8Array): void {
    const end = this.#transparentBytes + bytes.length;
    if (end > this.#limits.transparentBytes) this.#isFull = true;
    if (this.#isFull) return;
    if (end > this.#transparent.length) {
      const larger = new Uint8Array(Math.max(end, 2 * this.#transparent.length));
      larger.set(this.#transparent);
      this.#transparent = larger;
    }
    this.#transparent.set(bytes, this.#transparentBytes);
    this.#transparentBytes = end;
  }

  takeTransparent(): Uint8Array {
    const bytes = this.#transparent.subarray(0, this.#transparentBytes);
    this.#transparent = NOTHING;
    this.#transparentBytes = 0;
    return bytes;
  }

  /** Returns all pages, the last one without trailing blank lines, and starts with clean paper. */
  tearOff(): readonly PrintedPage[] {
    this.#finishLine();
    const pages = this.#pages.splice(0);
    if (this.#page.length > 0) pages.push(this.#page);
    this.#page = [];
    this.#line = 0;
    this.#lines = 0;
    this.#positions = 0;
    this.#isFull = false;
    return pages;
  }

  #styleAt(column: number): PrintStyle {
    return this.#styles[column] ?? printStyles.plain;
  }

  #set(column: number, character: string, style: PrintStyle): void {
    for (let at = this.#characters.length; at < column; at++) {
      this.#characters[at] = '';
      this.#styles[at] = printStyles.plain;
    }
    this.#characters[column] = character;
    this.#styles[column] = style;
  }

  #finishLine(): void {
    const length = this.#characters.length;
    if (length === 0) return;
    const blankLines = this.#line - this.#page.length;
    this.#lines += blankLines + 1;
    this.#positions += length;
    if (this.#lines > this.#limits.lines || this.#positions > this.#limits.positions) this.#isFull = true;
    else {
      for (let blank = 0; blank < blankLines; blank++) this.#page.push([]);
      this.#page.push(runsOf(this.#characters, this.#styles));
    }
    this.#characters = [];
    this.#styles = [];
  }
}

function runsOf(characters: readonly string[], styles: readonly PrintStyle[]): PrintedLine {
  const runs: PrintedRun[] = [];
  for (let at = 0; at < characters.length; ) {
    const column = at;
    const style = styles[at] ?? printStyles.plain;
    let text = '';
    while (at < characters.length && characters[at] !== '' && styles[at] === style) {
      const character = characters[at] as string;
      text += character;
      at += columnsOf(character);
    }
    if (text === '') at++;
    else runs.push({ column, text, style });
  }
  return runs;
}

/** Reason why a record was not printed. The names are those of negative responses (RFC 2355, section 10.4.1). */
export interface PrintFault {
  readonly sense: 'commandReject' | 'operationCheck' | 'interventionRequired';
  readonly reason: string;
  readonly offset: number;
}

export const PAPER_FULL = 'the document has reached the maximum size';

const UNASSIGNED = 0xfffd;
const FIRST_GRAPHIC = 0x40;

export function printedCharacter(codePage: CodePage, code: number): string {
  return graphicOf(code < FIRST_GRAPHIC ? UNASSIGNED : (codePage.unitOfByte[code] ?? UNASSIGNED));
}

export function printedAplCharacter(code: number): string {
  return graphicOf(aplUnitOfByte[code] ?? UNASSIGNED);
}

export function printedPair(codePage: CodePage, first: number, second: number): string {
  return codePage.doubleByte?.decodePair((first << 8) | second) || '\u3000';
}

/** Control characters are printed as blanks, whatever the code page contains. */
function graphicOf(unit: number): string {
  const isGraphic =
    unit !== UNASSIGNED && unit >= 0x20 && (unit < 0x7f || unit > 0xa0) && (unit < 0xd800 || unit > 0xdfff);
  return isGraphic ? String.fromCharCode(unit) : ' ';
}
