import { printable } from '../text/characters.js';

const levels = { trace: 10, debug: 20, info: 30, warn: 40, error: 50, fatal: 60 } as const;

export type LineLevel = keyof typeof levels;

export const lineLevels = Object.keys(levels) as readonly LineLevel[];

/** A line of the log as a person reads it. Nothing in it breaks the line or turns the direction of text, but for line breaks of a stack. */
interface LoggedLine {
  readonly level: LineLevel;
  /** ISO 8601, in UTC. */
  readonly time: string;
  readonly message: string;
  /** Inbound line; empty: it is about none. */
  readonly line: string;
  /** Identifier of a session, by which operators name it; empty: it is about none. */
  readonly session: string;
  /** All other members: `status=200 template=DEMO.HTML`. The stack of an error stands below, its lines indented. */
  readonly details: string;
}

/** @param text a line as it is logged: JSON; what is none is shown as it is */
function readLoggedLine(text: string): LoggedLine {
  const { level, time, msg, ...members } = membersOf(text);
  return {
    level: lineLevels.findLast((name) => levels[name] <= Number(level)) ?? 'trace',
    time: textOf(time),
    message: printable(textOf(msg)),
    line: textOf(members.line),
    session: textOf(members.session),
    details: detailsOf(members),
  };
}

/** Whether a line is of that level, or above. */
export function isAtLeast({ level }: LoggedLine, least: LineLevel): boolean {
  return levels[level] >= levels[least];
}

/** What a long line is cut to: its longest members. */
const MOST_MEMBER_CHARACTERS = 1_000;
const CUT = '…';

/** The same line in at most as many characters, still JSON: long members are cut, and of many the last are left out. */
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
  // no control code takes more than six characters in JSON
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

function textOf(value: unknown): string {
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

/** An error without its stack, which is added to the others. */
function withoutStack(value: unknown, stacks: string[]): unknown {
  if (typeof value !== 'object' || value === null || !('stack' in value) || typeof value.stack !== 'string') {
    return value;
  }
  const { stack, ...error } = value;
  stacks.push(...stack.split('\n').map((line) => `  ${printable(line)}`));
  return error;
}

/** What can be told from what stands around it: anything else is quoted. */
const PLAIN = /^[^\s"=\\]+$/;

function valueText(value: unknown): string {
  if (typeof value !== 'string') return printable(JSON.stringify(value));
  const text = printable(value);
  return PLAIN.test(text) && text === value ? text : `"${text.replaceAll('"', '\\"')}"`;
}

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
