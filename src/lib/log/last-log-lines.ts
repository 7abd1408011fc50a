import { printable } from '../text/characters.js';

const levels = { trace: 10, debug: 20, info: 30, warn: 40, error: 50, fatal: 60 } as const;

export type LineLevel = keyof typeof levels;

export const lineLevels = Object.keys(levels) as readonly LineLevel[];

/** Log line for display. Contains no control or bidirectional characters, except line breaks in a stack. */
interface LoggedLine {
  readonly level: LineLevel;
  readonly time: string;
  readonly message: string;
  readonly line: string;
  readonly session: string;
  /** The other members: `status=200 template=DEMO.HTML`. The stack of an error follows on indented lines. */
  readonly details: string;
}

/** @param text JSON. Other text is shown unchanged. */
function readLoggedLine(text: string): LoggedLine {
  const { level, time, msg, ...members } = membersOf(text);
  return {
    level: lineLevels.findLast((name) => levels[name] <= Number(level)) ?? 'trace',
    time: logValueText(time),
    message: printable(logValueText(msg)),
    line: logValueText(members.line),
    session: logValueText(members.session),
    details: detailsOf(members),
  };
}

export function isAtLeast({ level }: LoggedLine, least: LineLevel): boolean {
  return levels[level] >= levels[least];
}

const MOST_MEMBER_CHARACTERS = 1_000;
const CUT = '…';

/** Shortens a line to `most` characters of valid JSON: truncates long members and drops the last ones. */
function shortenedLine(text: string, most: number): string {
  const { level, time, msg, ...members } = membersOf(text);
  const kept: Record<string, unknown> = { level, time, msg: cutMember(msg) };
  const left = `"${CUT}":"the rest of this line is cut off"`;
  let room = most - JSON.stringify(kept).length - left.length - 3;
  for (const [name, value] of Object.entries(members)) {
    const member = cutMember(value);
    const length = JSON.stringify({ [name]: member }).length;
    if (length > room) continue;
    room -= length;
    kept[name] = member;
  }
  return `${JSON.stringify(kept).slice(0, -1)},${left}}\n`;
}

function cutMember(value: unknown): unknown {
  const json = JSON.stringify(value);
  if (json === undefined || json.length <= MOST_MEMBER_CHARACTERS) return value;
  const text = typeof value === 'string' ? value : json;
  // A control character takes at most six characters in JSON.
  const plain = text.slice(0, MOST_MEMBER_CHARACTERS);
  return `${JSON.stringify(plain).length > MOST_MEMBER_CHARACTERS + 2 ? plain.slice(0, MOST_MEMBER_CHARACTERS / 6) : plain}${CUT}`;
}

function membersOf(text: string): Readonly<Record<string, unknown>> {
  try {
    return JSON.parse(text);
  } catch {
    return { msg: text };
  }
}

function logValueText(value: unknown): string {
  return value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value);
}

function detailsOf(members: Readonly<Record<string, unknown>>): string {
  const words: string[] = [];
  const stacks: string[] = [];
  for (const [name, value] of Object.entries(members)) {
    words.push(`${printable(name)}=${valueText(withoutStack(value, stacks))}`);
  }
  return [words.join(' '), ...stacks].join('\n');
}

function withoutStack(value: unknown, stacks: string[]): unknown {
  if (typeof value !== 'object' || value === null || !('stack' in value) || typeof value.stack !== 'string') {
    return value;
  }
  const { stack, ...error } = value;
  stacks.push(...stack.split('\n').map((line) => `  ${printable(line)}`));
  return error;
}

const PLAIN = /^[^\s"=\\]+$/;

function valueText(value: unknown): string {
  if (typeof value !== 'string') return printable(JSON.stringify(value));
  const text = printable(value);
  return PLAIN.test(text) && text === value ? text : `"${text.replaceAll('"', '\\"')}"`;
}

const MOST_LINES = 2_000;
const MOST_CHARACTERS = 1024 * 1024;
const LONGEST_LINE = 4_096;

/** The number counts from the start of the server. */
export interface NumberedLine extends LoggedLine {
  readonly number: number;
  readonly searched: string;
}

/** Last log lines, in memory. Lines are only parsed when they are read. */
export class LastLogLines {
  /** Distinguishes the numbering of this process from earlier ones. */
  readonly began = Date.now();
  /** Ring buffer: line `n` is at index `n` modulo the length. */
  readonly #texts: string[] = new Array(MOST_LINES).fill('');
  readonly #read: (NumberedLine | undefined)[] = new Array(MOST_LINES);
  #first = 1;
  #next = 1;
  #characters = 0;

  get last(): number {
    return this.#next - 1;
  }

  add(line: string): void {
    const text = line.length > LONGEST_LINE ? shortenedLine(line, LONGEST_LINE) : line;
    this.#characters += text.length;
    while (this.#characters > MOST_CHARACTERS || this.#next - this.#first >= MOST_LINES) this.#dropFirst();
    const at = this.#next % MOST_LINES;
    this.#texts[at] = text;
    this.#read[at] = undefined;
    this.#next += 1;
  }

  /** Newest first, parsed on demand. */
  *newestFirst({ before = this.#next, after = 0 } = {}): Iterable<NumberedLine> {
    // Lines may be overwritten during a slow iteration.
    const isKept = (number: number) => number >= this.#first && number > after;
    for (let number = Math.min(before, this.#next) - 1; isKept(number); number--) yield this.#line(number);
  }

  /** True if a line after `number` was overwritten. */
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
