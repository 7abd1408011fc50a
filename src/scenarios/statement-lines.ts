import type { SourcePlace } from './syntax.js';

/**
 * A statement, joined from the physical lines of a scenario source.
 *
 * The format is that of the macro assembler: a label in column 1, then the instruction, then the operands. A statement
 * continues on the next line if its operands end with a comma, or if column 72 contains a mark. After a mark, the next
 * line continues in column 16. Lines that begin with `*` or `.*` are comments.
 */
export interface StatementLine {
  readonly text: string;
  placeOf(index: number): SourcePlace;
}

type Report = (place: SourcePlace, message: string) => undefined;

const MARK_COLUMN = 72;
const CONTINUATION_COLUMN = 16;
const SEQUENCE_NUMBER = /^[ 0-9]{0,8}$/;

interface Piece {
  readonly start: number;
  readonly line: number;
  readonly column: number;
}

class JoinedLines implements StatementLine {
  text = '';
  readonly #pieces: Piece[] = [];

  append(text: string, line: number, column: number): void {
    this.#pieces.push({ start: this.text.length, line, column });
    this.text += text;
  }

  placeOf(index: number): SourcePlace {
    let low = 0;
    let high = this.#pieces.length - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((this.#pieces[middle] as Piece).start <= index) low = middle;
      else high = middle - 1;
    }
    const found = this.#pieces[low];
    return found ? { line: found.line, column: found.column + index - found.start } : { line: 1, column: 1 };
  }
}

export function* joinStatementLines(source: string, report: Report): Generator<StatementLine> {
  const lines = source.replace(/^\ufeff/, '').split(/\r\n|\r|\n/);
  let at = 0;
  while (at < lines.length) {
    const first = lines[at] ?? '';
    if (isComment(first)) {
      at++;
      continue;
    }
    const statement = new JoinedLines();
    const scan = new OperandScan();
    let line = first.trimEnd();
    let column = 1;
    for (;;) {
      const marked = isMarked(line, lines[at + 1]);
      const text = line.slice(column - 1, marked ? MARK_COLUMN - 1 : undefined);
      const { commaAtEnd, remarkAfterComma } = scan.read(text);
      const operandText = commaAtEnd === undefined ? text : text.slice(0, commaAtEnd + 1);
      statement.append(operandText, at + 1, column);
      // text after the comma is a remark only if the next line is indented like a continuation
      const continues =
        marked || (commaAtEnd !== undefined && (remarkAfterComma === undefined || isContinuation(lines[at + 1])));
      if (!continues && remarkAfterComma !== undefined) {
        report(
          { line: at + 1, column: column + remarkAfterComma },
          'a blank after a comma ends the operands, so this would be a remark: remove the blank, or continue in the next line',
        );
      }
      if (!continues) break;
      at = nextSourceLine(lines, at, marked);
      const next = lines[at];
      if (next === undefined) {
        report({ line: lines.length, column: 1 }, 'the statement continues in the next line, but the source ends here');
        break;
      }
      const indent = next.search(/\S/);
      if (indent === 0) {
        report(
          { line: at + 1, column: 1 },
          'this line continues the statement of the previous line, so it must begin with a blank',
        );
        at--;
        break;
      }
      line = next.trimEnd();
      column = marked ? CONTINUATION_COLUMN : indent + 1;
    }
    yield statement;
    at++;
  }
}

function isComment(line: string): boolean {
  return line.startsWith('*') || line.startsWith('.*') || line.trim() === '';
}

/** Skips comment lines between the lines of a statement. The continuation of a marked line must follow directly. */
function nextSourceLine(lines: readonly string[], at: number, marked: boolean): number {
  let next = at + 1;
  while (!marked && next < lines.length && isComment(lines[next] ?? '')) next++;
  return next;
}

/**
 * True if column 72 contains a continuation mark. Because lines may be longer than 72 columns, ordinary text may be
 * there: it is a mark only if at most a sequence number follows and the next line is blank up to column 16.
 */
function isMarked(line: string, next: string | undefined): boolean {
  const mark = line[MARK_COLUMN - 1];
  if (mark === undefined || mark === ' ' || mark === ',') return false;
  if (!SEQUENCE_NUMBER.test(line.slice(MARK_COLUMN))) return false;
  return isContinuation(next);
}

function isContinuation(line: string | undefined): boolean {
  return line !== undefined && line.slice(0, CONTINUATION_COLUMN - 1).trim() === '' && line.trim() !== '';
}

class OperandScan {
  #words = 0;
  #inWord = false;
  #started = false;
  #inString = false;
  #depth = 0;
  #ended = false;

  /**
   * @returns `commaAtEnd`: index of the comma after which the statement continues on the next line; `remarkAfterComma`:
   * index of text after that comma on the same line
   */
  read(text: string): { commaAtEnd?: number; remarkAfterComma?: number } {
    for (let index = 0; index < text.length; index++) {
      const character = text.charAt(index);
      if (!this.#started) {
        this.#readHead(character, index);
        continue;
      }
      if (this.#ended) break;
      if (character === "'") this.#inString = !this.#inString;
      else if (this.#inString) continue;
      else if (character === '(') this.#depth++;
      else if (character === ')') this.#depth--;
      else if (character === ' ' || character === '\t') {
        if (this.#depth > 0) continue;
        if (text[index - 1] !== ',') this.#ended = true;
        else return { commaAtEnd: index - 1, remarkAfterComma: index + text.slice(index).search(/\S/) };
      }
    }
    if (this.#started && !this.#ended && !this.#inString && /,\s*$/.test(text)) {
      return { commaAtEnd: text.lastIndexOf(',') };
    }
    return {};
  }

  /** The operands start with the third word, or the second if there is no label. */
  #readHead(character: string, index: number): void {
    const blank = character === ' ' || character === '\t';
    if (index === 0 && blank) this.#words = 1;
    if (!blank && !this.#inWord) {
      this.#inWord = true;
      this.#words++;
      if (this.#words === 3) {
        this.#started = true;
        if (character === '(') this.#depth++;
        if (character === "'") this.#inString = true;
      }
    } else if (blank) {
      this.#inWord = false;
    }
  }
}
