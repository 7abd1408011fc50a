import pino from 'pino';
import { printable, withoutTerminalCodes } from '../text/printable.js';
import { ClientLines } from './client-lines.js';
import { LastLogLines } from './last-log-lines.js';
import { LogOutput, standStill } from './log-output.js';
import { RepeatedStacks } from './repeated-stacks.js';

export type Log = pino.Logger;
export type LogLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'silent';

export interface LogOptions {
  readonly level: LogLevel;
  /** `json`: one JSON object a line; `readable`: for a person at a terminal. */
  readonly form: 'json' | 'readable';
  /** Named in every line; not given: it is the only process that writes there. */
  readonly worker?: string | undefined;
}

export interface OpenedLog {
  readonly log: Log;
  readonly lines: LastLogLines;
  /** Writes what the log still holds. */
  readonly flush: () => void;
}

/** Characters of log lines that are written as one block, and how long a line waits for others. */
const BLOCK_CHARACTERS = 16_000;
/** Of processes that write to one pipe: what is written at once then stays together (PIPE_BUF of Linux: 4,096 bytes). */
const SHARED_BLOCK_CHARACTERS = 4_000;
const LONGEST_WAIT_MILLISECONDS = 500;

/** Before the end of the process: how long a thread is given that may be writing. */
const RECENT_MILLISECONDS = 1_000;
const GRACE_MILLISECONDS = 20;

/** Gathers lines into blocks. */
class LineBlocks {
  readonly #destination: LogOutput;
  readonly #most: number;
  #lines: string[] = [];
  #length = 0;
  #lastWrite = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;

  constructor(destination: LogOutput, most: number) {
    this.#destination = destination;
    this.#most = most;
  }

  write(line: string): void {
    if (this.#length + line.length > this.#most) this.#writeBlock();
    this.#lines.push(withoutTerminalCodes(line));
    this.#length += line.length;
    if (this.#length >= this.#most) this.#writeBlock();
    else this.#timer ??= setTimeout(() => this.#writeBlock(), LONGEST_WAIT_MILLISECONDS).unref();
  }

  flushSync(): void {
    // what a thread was given to write and has not yet written would be overtaken by what is written here
    if (performance.now() - this.#lastWrite < RECENT_MILLISECONDS) standStill(GRACE_MILLISECONDS);
    this.#writeBlock();
    this.#destination.flushSync();
  }

  #writeBlock(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#lines.length === 0) return;
    const block = this.#lines.join('');
    this.#lines = [];
    this.#length = 0;
    this.#lastWrite = performance.now();
    this.#destination.write(block);
  }
}

let millisecond = 0;
let member = '';

/** The member `time` of a line; made once a millisecond. */
function isoTime(): string {
  const now = Date.now();
  if (now !== millisecond) {
    millisecond = now;
    member = `,"time":"${new Date(now).toISOString()}"`;
  }
  return member;
}

/**
 * A log that writes to standard output, its last lines, and the function that writes what it still holds.
 * JSON lines are gathered and written in blocks, of 16,000 characters and after half a second at the latest: a write per
 * request costs more than the request.
 */
export async function openLog({ level, form, worker }: LogOptions): Promise<OpenedLog> {
  const lines = new LastLogLines();
  const clients = new ClientLines();
  const stacks = new RepeatedStacks();
  const options: pino.LoggerOptions = {
    level,
    base: worker === undefined ? null : { worker },
    timestamp: isoTime,
    serializers: { err: (error) => stacks.written(error) },
    hooks: {
      logMethod(given, method, number) {
        const fields = clients.admitted(given[0], number);
        if (fields === undefined) return;
        given[0] = fields as (typeof given)[0];
        method.apply(this, given);
      },
    },
  };
  const opened = (log: Log, flush: () => void): OpenedLog => {
    clients.tellTo((fields) =>
      log.warn(fields, 'lines of the log were withheld or shortened: this client causes too many'),
    );
    const tellAndFlush = () => {
      clients.tell();
      flush();
    };
    return { log, lines, flush: tellAndFlush };
  };
  if (form === 'readable') {
    // commands that log nothing start without it
    const { default: pretty } = await import('pino-pretty');
    const readable = pretty.prettyFactory({
      colorize: process.stdout.isTTY,
      translateTime: 'SYS:HH:MM:ss.l',
      singleLine: true,
      // an error is a value as others are: its stack would be lines that nobody can tell from the log's own
      errorLikeObjectKeys: [],
      messageFormat: (line, messageKey) => printable(`${line[messageKey] ?? ''}`),
    });
    const write = (line: string) => {
      lines.add(line);
      process.stdout.write(withoutTerminalCodes(readable(line)));
    };
    return opened(pino(options, { write }), () => {});
  }
  const most = worker === undefined ? BLOCK_CHARACTERS : SHARED_BLOCK_CHARACTERS;
  const destination = new LineBlocks(new LogOutput(), most);
  const flush = () => destination.flushSync();
  const both = {
    write: (line: string) => {
      lines.add(line);
      destination.write(line);
    },
    flushSync: () => destination.flushSync(),
  };
  return opened(pino(options, both), flush);
}

/** A log that keeps nothing: for callers that want none. */
export const silentLog: Log = pino({ level: 'silent' });
