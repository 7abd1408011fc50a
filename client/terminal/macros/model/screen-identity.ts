import { MOST_SCREEN_TEXTS, type ScreenText, type ScreenTexts } from '../../../../src/macros/macro-step.js';

/** The displayed characters; hidden fields are blank. */
export interface RecordedScreen {
  readonly columns: number;
  readonly cells: readonly string[];
  readonly fields: readonly PictureField[];
}

interface PictureField {
  /** Address of its first character. */
  readonly start: number;
  readonly length: number;
  readonly isProtected: boolean;
}

interface Piece extends ScreenText {
  readonly role: 'label' | 'legend' | 'value' | 'other';
}

const MOST_TITLES = 3;
const MOST_LABELS = 4;
const MOST_LEGENDS = 3;
const TITLE_ROWS = 3;
const LONGEST_TEXT = 60;
/** Kinds of positions; 0 is protected text. */
const [INPUT, ATTRIBUTE] = [1, 2];
/** Leader between a label and its value: `. . :`, `===>`, `:`. A full stop is none. */
const leader = /(?:\s*\.){2,}\s*:?|(?:^|\s+)\.(?=\s|$)|\s*:(?=\s|$)|\s*[=-]+>|\s*=(?=\s|$)/u;
const legend = /^(?:P?F\d{1,2}|PA[123]|ENTER|CLEAR)\s*[=:-]\s*\S/iu;
const day =
  /\b(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?\b|\b(?:jan(?:uary)?|feb(?:ruary)?|march|april|june|july|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?|[ap]m)\b/iu;

/**
 * Texts that identify a screen, from protected text only: title, labels, key legends. It leaves out words with digits
 * (dates, times, LU names), values after a leader, and typed words that the host repeats.
 * @param typed words to leave out, in any case
 * @returns undefined if no text identifies the screen
 */
export function screenIdentity(picture: RecordedScreen, typed: ReadonlySet<string>): ScreenTexts | undefined {
  if (picture.fields.length === 0) return undefined;
  const pieces = piecesOf(picture).filter(({ text, role }) => role !== 'value' && isConstant(text, role, typed));
  const labels = pieces.filter(({ role }) => role === 'label').slice(0, MOST_LABELS);
  const legends = pieces.filter(({ role }) => role === 'legend').slice(0, MOST_LEGENDS);
  const others = pieces.filter(({ role }) => role === 'other');
  const titleRow = others[0]?.row ?? 0;
  const titles = titleRow > TITLE_ROWS && labels.length > 0 ? [] : others.filter(({ row }) => row === titleRow);
  const found = [...titles.slice(0, MOST_TITLES), ...labels, ...legends].slice(0, MOST_SCREEN_TEXTS);
  return found.length === 0 ? undefined : found.map(({ text, row, column }) => ({ text, row, column }));
}

export function pictureText({ columns, cells }: RecordedScreen): string {
  const rows = Array.from({ length: Math.ceil(cells.length / Math.max(columns, 1)) }, (_, row) =>
    cells
      .slice(row * columns, (row + 1) * columns)
      .join('')
      .trimEnd(),
  );
  return rows.join('\n').trimEnd();
}

function isConstant(text: string, role: Piece['role'], typed: ReadonlySet<string>): boolean {
  if (!/\p{L}{2}/u.test(text)) return false;
  if (role !== 'legend' && /\p{N}/u.test(text)) return false;
  if (day.test(text)) return false;
  return !text.split(/[^\p{L}\p{N}]+/u).some((word) => typed.has(word.toLowerCase()));
}

function piecesOf({ columns, cells, fields }: RecordedScreen): Piece[] {
  const kinds = new Uint8Array(cells.length);
  for (const { start, length, isProtected } of fields) {
    kinds[(start - 1 + cells.length) % cells.length] = ATTRIBUTE;
    if (isProtected) continue;
    for (let at = start; at < start + length; at++) kinds[at % cells.length] = INPUT;
  }
  const pieces: Piece[] = [];
  for (let begin = 0; begin < cells.length; begin += columns) {
    pieces.push(...piecesOfRow(cells.slice(begin, begin + columns), kinds.subarray(begin, begin + columns), begin));
  }
  return pieces;

  function piecesOfRow(row: readonly string[], kinds: Uint8Array, begin: number): Piece[] {
    const found: Piece[] = [];
    let isLed = false;
    for (const { at, end, text } of wordsOf(row, kinds)) {
      // an input between the two ends the effect of the leader
      if (kinds.subarray(found.at(-1)?.column ?? 0, at).includes(INPUT)) isLed = false;
      const leads = leader.exec(text);
      const words = (leads === null ? text : text.slice(0, leads.index)).trimEnd();
      const isBeforeInput = kinds.subarray(end, end + 3).includes(INPUT);
      const place = { row: begin / columns + 1, column: at + 1 };
      if (legend.test(text)) found.push({ ...place, text: text.slice(0, LONGEST_TEXT), role: 'legend' });
      else if (words !== '') {
        const role = isLed ? 'value' : leads !== null || isBeforeInput ? 'label' : 'other';
        found.push({ ...place, text: words.slice(0, LONGEST_TEXT), role });
      } else if (found.length > 0) {
        // only a leader: the text before it is a label
        const last = found.pop() as Piece;
        found.push(last.role === 'other' ? { ...last, role: 'label' } : last);
      }
      isLed = leads !== null && text.slice(leads.index + leads[0].length).trim() === '';
    }
    return found;
  }
}

/** Protected text without two adjacent blanks. Columns are counted from 0. */
function* wordsOf(
  row: readonly string[],
  kinds: Uint8Array,
): Generator<{ readonly at: number; readonly end: number; readonly text: string }> {
  let at = -1;
  let text = '';
  for (let column = 0; column <= row.length; column++) {
    const cell = column < row.length && kinds[column] === 0 ? (row[column] as string) : undefined;
    const isBlank = cell === undefined || cell === ' ';
    const isEnd = cell === undefined || (isBlank && (row[column + 1] ?? ' ') === ' ');
    if (at >= 0 && (isEnd || (isBlank && kinds[column + 1] !== 0))) {
      yield { at, end: column, text };
      at = -1;
      text = '';
    } else if (at >= 0 || !isBlank) {
      if (at < 0) at = column;
      text += cell;
    }
  }
}
