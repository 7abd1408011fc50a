import {
  isAtLeast,
  type LastLogLines,
  type LineLevel,
  lineLevels,
  type NumberedLine,
} from '../../lib/log/last-log-lines.js';
import { FairTurns } from '../../lib/turns/fair-turns.js';
import type { ConsoleTopic, TopicFeed, TopicRequest } from './console-streams.js';

const MOST_TOLD = 200;

/** Live lines of the log. The topic `log:NUMBER:FILTER` sends lines after a number that match a filter. */
export class LogTopic implements ConsoleTopic {
  readonly role = 'operator';
  readonly #lines: LastLogLines;
  readonly #turns: FairTurns;

  constructor(lines: LastLogLines, turns = FairTurns.ofHosts) {
    this.#lines = lines;
    this.#turns = turns;
  }

  open({ parameter, wake }: TopicRequest): TopicFeed {
    const lines = this.#lines;
    const turns = this.#turns;
    const [number = '', wanted = ''] = parameter.split(':');
    const filter = LogFilter.of(wanted);
    // after a restart, a page may have a number that is too high
    let after = /^\d{1,15}$/.test(number) && Number(number) <= lines.last ? Number(number) : 0;
    let search: LogSearch | undefined;
    return {
      next: () => {
        if (search === undefined) {
          if (lines.last === after) return undefined;
          search = new LogSearch(lines, filter, after, wake);
          turns.run(search, search.goOn);
        }
        if (!search.isDone) {
          search.isAwaited = true;
          return undefined;
        }
        const { found, isCut, upTo } = search;
        search = undefined;
        after = upTo;
        if (found.length === 0) return undefined;
        return JSON.stringify({ began: lines.began, isCut, rows: found.map(rowOf) });
      },
      close: () => {
        if (search !== undefined) turns.leave(search, search.goOn);
      },
    };
  }
}

/** Searches the lines after a number in turns, because there may be thousands. */
class LogSearch {
  readonly found: NumberedLine[] = [];
  readonly upTo: number;
  isAwaited = false;
  isDone = false;
  #isCut = false;
  readonly #lines: LastLogLines;
  readonly #filter: LogFilter;
  readonly #after: number;
  readonly #left: Iterator<NumberedLine>;
  readonly #done: () => void;

  constructor(lines: LastLogLines, filter: LogFilter, after: number, done: () => void) {
    this.upTo = lines.last;
    this.#lines = lines;
    this.#filter = filter;
    this.#after = after;
    this.#left = lines.newestFirst({ after })[Symbol.iterator]();
    this.#done = done;
  }

  /** True if lines are missing: too many, or dropped before they were searched. */
  get isCut(): boolean {
    return this.#isCut || this.#lines.hasLostAfter(this.#after);
  }

  readonly goOn = (mayGoOn: () => boolean): boolean => {
    do {
      const { done, value: line } = this.#left.next();
      if (done === true || this.#isFull(line)) {
        this.isDone = true;
        if (this.isAwaited) this.#done();
        return true;
      }
    } while (mayGoOn());
    return false;
  };

  #isFull(line: NumberedLine): boolean {
    if (!this.#filter.matches(line)) return false;
    this.#isCut = this.found.length === MOST_TOLD;
    if (!this.#isCut) this.found.push(line);
    return this.#isCut;
  }
}

function rowOf({ number, time, level, message, details }: NumberedLine): object {
  return { number, time, level, message, details };
}

const LONGEST_ASKED = 64;

const logQuestions = ['level', 'line', 'session', 'text'] as const;
type LogQuestion = (typeof logQuestions)[number];

export class LogFilter {
  readonly asked: Readonly<Record<LogQuestion, string>>;
  readonly #level: LineLevel | undefined;
  readonly #words: readonly string[];

  /** An unknown level matches every line. */
  constructor(query: (name: LogQuestion) => string) {
    const text = (name: LogQuestion) => query(name).replace(/\s+/g, ' ').trim().slice(0, LONGEST_ASKED);
    this.#level = lineLevels.find((level) => level === query('level'));
    this.asked = { level: this.#level ?? '', line: text('line'), session: text('session'), text: text('text') };
    this.#words = this.asked.text.toLowerCase().split(/\s+/).filter(Boolean);
  }

  static of(parameter: string): LogFilter {
    const values = Buffer.from(parameter, 'base64url').toString().split('\n');
    return new LogFilter((name) => values[logQuestions.indexOf(name)] ?? '');
  }

  get parameter(): string {
    return Buffer.from(logQuestions.map((name) => this.asked[name]).join('\n')).toString('base64url');
  }

  matches(line: NumberedLine): boolean {
    const { line: name, session } = this.asked;
    return (
      (this.#level === undefined || isAtLeast(line, this.#level)) &&
      (name === '' || line.line.toLowerCase() === name.toLowerCase()) &&
      (session === '' || line.session === session) &&
      this.#words.every((word) => line.searched.includes(word))
    );
  }
}
