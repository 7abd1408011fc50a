import { isAtLeast, type LineLevel, lineLevels, type NumberedLine } from '../../lib/log/last-log-lines.js';

const LONGEST_ASKED = 64;

const logQuestions = ['level', 'line', 'session', 'text'] as const;
type LogQuestion = (typeof logQuestions)[number];

/** Which lines of the log somebody asks for. */
export class LogFilter {
  /** Empty: whatever it is. */
  readonly asked: Readonly<Record<LogQuestion, string>>;
  readonly #level: LineLevel | undefined;
  readonly #words: readonly string[];

  /** What is no level is not asked for. */
  constructor(query: (name: LogQuestion) => string) {
    const text = (name: LogQuestion) => query(name).replace(/\s+/g, ' ').trim().slice(0, LONGEST_ASKED);
    this.#level = lineLevels.find((level) => level === query('level'));
    this.asked = { level: this.#level ?? '', line: text('line'), session: text('session'), text: text('text') };
    this.#words = this.asked.text.toLowerCase().split(/\s+/).filter(Boolean);
  }

  /** @param parameter as `parameter` makes it */
  static of(parameter: string): LogFilter {
    const values = Buffer.from(parameter, 'base64url').toString().split('\n');
    return new LogFilter((name) => values[logQuestions.indexOf(name)] ?? '');
  }

  /** For the topic of a stream. */
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
