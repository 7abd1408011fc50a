import type { ShownField } from '../terminal-port.js';

/** A clickable place on one row of the screen. */
export type HotspotLabel = { readonly position: number; readonly length: number } & (
  | {
      readonly kind: 'key';
      /** PF03, PA1, ENTER. */
      readonly key: string;
      readonly words: string;
    }
  | {
      readonly kind: 'choice';
      /** Number or letter of a menu choice. */
      readonly text: string;
      /** First position of the field to type into. */
      readonly field: number;
    }
  | { readonly kind: 'link'; readonly url: string }
);

interface LabelledScreen {
  readonly rows: number;
  readonly columns: number;
  readonly cells: readonly string[];
  readonly fields: readonly Pick<ShownField, 'address' | 'length' | 'isProtected' | 'isNonDisplayable'>[];
}

/** Placeholder for an attribute, which reads as a blank and separates labels. */
const ATTRIBUTE = '\0';
/** Placeholder for user input and for characters that are not one code unit. */
const OTHER = '\ufffd';
/** F3=Menu, PF 3=Menu, PF3, F3 Menu, PA1, ENTER=Go on. */
const namedKey =
  /(?<![\p{L}\p{N}_@#$])(?:(P?)F(?: (?=\d{1,2}[ \0]?=))?(\d{1,2})|PA ?([1-3])|(ENTER|CLEAR|ATTN|SYSREQ)(?=[ \0]?=))(?![\p{L}\p{N}_])([ \0]?=[ \0]?|:[ \0]?|-(?=\p{L})| (?=\p{L}{3}))?/giu;
/** 3=Menu */
const numberedKey = /(?<![\p{L}\p{N}_.,+=/-])(\d{1,2}) ?= ?(?=[\p{L}*])/gu;
const choice = /^[ \0]*((\d{1,2}|\p{Lu})[.)]?)[ \0]+\p{L}/u;
const link = /https?:\/\/[^\s\0\ufffd<>"]+/g;
const MOST_URL = 2_048;
const MOST_KEYS = 24;

type RowText = string;

/** Labels of a screen, row by row: keys with their functions, menu choices, links. Unprotected fields are ignored. */
export function hotspotLabels(screen: LabelledScreen): readonly HotspotLabel[] {
  const { rows, columns } = screen;
  const texts = rowTexts(screen);
  const labels: HotspotLabel[] = [];
  for (const [row, text] of texts.entries()) {
    const start = row * columns;
    const links = linksOf(text, start);
    const isKeyLine = row >= Math.floor((rows * 3) / 4) && !text.includes(OTHER);
    labels.push(...[...links, ...keysOf(screen, text, start, isKeyLine).filter(apart(links))].sort(byPosition));
  }
  return [...labels, ...choicesOf(screen, texts).filter(apart(labels))].sort(byPosition);
}

export function hotspotAt(labels: readonly HotspotLabel[], at: number): HotspotLabel | undefined {
  return labels.find(({ position, length }) => at >= position && at < position + length);
}

function byPosition(one: HotspotLabel, other: HotspotLabel): number {
  return one.position - other.position;
}

function apart(others: readonly HotspotLabel[]): (label: HotspotLabel) => boolean {
  return ({ position, length }) =>
    !others.some((other) => other.position < position + length && position < other.position + other.length);
}

function rowTexts({ rows, columns, cells, fields }: LabelledScreen): readonly RowText[] {
  const units = cells.map((cell) => (cell.length === 1 ? cell : OTHER));
  for (const { address, length, isProtected } of fields) {
    units[address] = ATTRIBUTE;
    if (isProtected) continue;
    for (let offset = 1; offset <= length; offset++) units[(address + offset) % units.length] = OTHER;
  }
  return Array.from({ length: rows }, (_, row) => units.slice(row * columns, (row + 1) * columns).join(''));
}

function linksOf(text: RowText, start: number): HotspotLabel[] {
  return [...text.matchAll(link)].flatMap(({ 0: found, index }) => {
    const url = found.replace(/[.,;:!?)\]}'*]+$/, '');
    const parsed = URL.canParse(url) ? new URL(url) : undefined;
    // a user name before the host name can imitate a host name
    if (parsed === undefined || url.length > MOST_URL || parsed.username !== '' || parsed.password !== '') return [];
    return [{ kind: 'link' as const, position: start + index, length: url.length, url: parsed.href }];
  });
}

interface FoundKey {
  readonly index: number;
  readonly key: string;
  readonly words: number | undefined;
  readonly end: number;
  /** Only a blank precedes the label: it may be unrelated text, as in a dump that contains F1. */
  readonly isDoubtful: boolean;
  /** Not spelled PF: counts only if it is certain. */
  readonly isShort: boolean;
}

function keysOf({ cells }: LabelledScreen, text: RowText, start: number, isKeyLine: boolean): HotspotLabel[] {
  const named = [...text.matchAll(namedKey)].flatMap(namedKeyOf);
  const follows = named.length > 0 && /^[ \0]*P?F/i.test(text);
  const numbered = isKeyLine || follows ? [...text.matchAll(numberedKey)].flatMap(numberedKeyOf) : [];
  const apartFromNamed = numbered.filter(({ index }) => !named.some((one) => index >= one.index && index < one.end));
  const found = [...named, ...apartFromNamed].sort((one, other) => one.index - other.index);
  const sure =
    found.length > 1
      ? found
      : found
          .filter(({ isDoubtful, isShort }) => !isDoubtful || !isShort)
          .map((one) => (one.isDoubtful ? { ...one, words: undefined } : one));
  return sure.map(({ index, key, words, end }, at) => {
    const last = words === undefined ? end : wordsEnd(text, words, sure[at + 1]?.index ?? text.length);
    const said = words === undefined ? '' : cells.slice(start + words, start + last).join('');
    return { kind: 'key', position: start + index, length: last - index, key, words: said };
  });
}

function namedKeyOf(match: RegExpExecArray): FoundKey[] {
  const { 0: found, 1: p, 2: number, 3: access, 4: name, 5: separator = '', index } = match;
  const key =
    number === undefined ? (access === undefined ? (name ?? '').toUpperCase() : `PA${access}`) : functionKey(number);
  if (key === undefined) return [];
  const isShort = p === '' && number !== undefined;
  if (isShort && separator === '') return [];
  const end = index + found.length;
  const words = separator === '' ? undefined : end;
  return [{ index, key, words, end: end - separator.length, isDoubtful: separator === ' ', isShort }];
}

function numberedKeyOf({ 0: found, 1: number = '', index }: RegExpExecArray): FoundKey[] {
  const key = functionKey(number);
  const words = index + found.length;
  return key === undefined ? [] : [{ index, key, words, end: words, isDoubtful: false, isShort: true }];
}

function functionKey(digits: string): string | undefined {
  const number = Number(digits);
  return number >= 1 && number <= MOST_KEYS ? `PF${String(number).padStart(2, '0')}` : undefined;
}

/** End of a label: two blanks, an attribute, or the next label, without separators. */
function wordsEnd(text: RowText, from: number, to: number): number {
  const reach = /^(?: ?[^ \0\ufffd]+)*/.exec(text.slice(from, to))?.[0] ?? '';
  return from + reach.replace(/[ ,;|/]+$/, '').length;
}

/** Numbered rows below each other, and lettered rows between them, if the screen has one field for the choice. */
function choicesOf({ columns, cells, fields }: LabelledScreen, texts: readonly RowText[]): HotspotLabel[] {
  const open = fields.filter(({ isProtected, isNonDisplayable, length }) => {
    return !isProtected && !isNonDisplayable && length > 0;
  });
  const field = open.length === 1 ? open[0] : open.find(({ address }) => isCommandField(cells, columns, address));
  if (field === undefined) return [];
  const found = texts.flatMap((text, row) => {
    const { 1: shown = '', 2: typed = '', 0: whole = '' } = choice.exec(text) ?? [];
    if (typed === '' || text.includes(OTHER) || typed.length > field.length) return [];
    const column = whole.indexOf(shown);
    return [{ row, column, end: column + shown.length, typed, shown }];
  });
  const numbered = found.filter(({ typed }) => /^\d/.test(typed));
  return found.flatMap(({ row, column, end, typed, shown }) => {
    // one-digit and two-digit numbers are aligned left or right
    const alike = numbered.filter((one) => one.column === column || one.end === end);
    if (alike.length < 2) return [];
    const position = row * columns + column;
    return [{ kind: 'choice', position, length: shown.length, text: typed, field: (field.address + 1) % cells.length }];
  });
}

/** Option ===> */
function isCommandField(cells: readonly string[], columns: number, address: number): boolean {
  const start = Math.floor(address / columns) * columns;
  return cells.slice(start, address).join('').trimEnd().endsWith('==>');
}
