import { createHash } from 'node:crypto';
import { write, writeSync } from 'node:fs';
import pino from 'pino';
import { printable, withoutTerminalCodes } from '../text/characters.js';
import { ClientLines } from './client-lines.js';
import { LastLogLines } from './last-log-lines.js';

/** Where it cannot be written, lines past this are dropped. */
const MOST_UNWRITTEN_BYTES = 16 * 1024 * 1024;
const AGAIN_MILLISECONDS = 100;
/** For what is written at the end of the process, to whoever does not read just now. */
const LONGEST_FLUSH_MILLISECONDS = 1_000;

/**
 * Writes the log to standard output. pino's destination would end the process where its disk is full, and never come back from writing
 * the rest; here it is kept until there is room.
 */
class LogOutput {
  #waiting: Buffer[] = [];
  #bytes = 0;
  #isWriting = false;
  #isGone = false;
  #pause: NodeJS.Timeout | undefined;

  write(block: string): void {
    const bytes = Buffer.from(block);
    if (this.#isGone || this.#bytes + bytes.length > MOST_UNWRITTEN_BYTES) return;
    this.#waiting.push(bytes);
    this.#bytes += bytes.length;
    this.#writeNext();
  }

  /** What can be written now; what a thread is writing is its own. */
  flushSync(): void {
    const end = performance.now() + LONGEST_FLUSH_MILLISECONDS;
    const first = this.#isWriting ? 1 : 0;
    for (let block = this.#waiting[first]; block !== undefined; block = this.#waiting[first]) {
      try {
        this.#take(first, block, writeSync(1, block));
      } catch (error) {
        if (!isBusy(error) || performance.now() > end) return;
        standStill(AGAIN_MILLISECONDS);
      }
    }
  }

  #writeNext(): void {
    const [block] = this.#waiting;
    if (block === undefined || this.#isWriting || this.#pause !== undefined) return;
    this.#isWriting = true;
    write(1, block, (error, written) => {
      this.#isWriting = false;
      if (error === null) this.#take(0, block, written);
      else if (error.code === 'EPIPE') this.#gone();
      // busy, or the disk is full
      else this.#pause = setTimeout(() => this.#goOn(), AGAIN_MILLISECONDS).unref();
      this.#writeNext();
    });
  }

  #goOn(): void {
    this.#pause = undefined;
    this.#writeNext();
  }

  #take(at: number, block: Buffer, written: number): void {
    this.#bytes -= written;
    this.#waiting.splice(at, 1, ...(written < block.length ? [block.subarray(written)] : []));
  }

  /** Nobody will read it any more. */
  #gone(): void {
    this.#isGone = true;
    this.#waiting = [];
    this.#bytes = 0;
  }
}

function isBusy(error: unknown): boolean {
  return ['EAGAIN', 'EBUSY'].includes(`${(error as NodeJS.ErrnoException).code}`);
}

const neverWoken = new Int32Array(new SharedArrayBuffer(4));

/** Of this thread; others go on. */
function standStill(milliseconds: number): void {
  Atomics.wait(neverWoken, 0, 0, milliseconds);
}

/** How long the stack of an error stands for those of the same kind. */
const STACK_MILLISECONDS = 60_000;
/** Kinds of errors that are remembered; a further one replaces the oldest. */
const MOST_ERROR_KINDS = 1_000;
/** Errors and their causes that make a kind. */
const MOST_CAUSES = 10;

interface LoggedStack {
  readonly at: number;
  /** ISO 8601: the time of its line, as good as the millisecond. */
  readonly time: string;
}

/**
 * Writes errors into the log. Of errors of one kind (names, codes and frames of an error and its causes) the first one in a minute has its
 * stack. The others have all other members, and `stackAt`: when the stack was logged. During an outage every request
 * would otherwise write 2 KB.
 */
export class RepeatedStacks {
  readonly #now: () => number;
  /** By kind, the one logged first in front. */
  readonly #logged = new Map<string, LoggedStack>();

  /** @param now milliseconds of a clock that nobody sets */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** The members of the log for an error; other values stay as they are. */
  written(error: unknown): unknown {
    if (!(error instanceof Error)) return pino.stdSerializers.err(error as Error);
    const serialized = pino.stdSerializers.err(error);
    const kind = kindOf(error);
    const logged = this.#logged.get(kind);
    const now = this.#now();
    if (logged !== undefined && now - logged.at < STACK_MILLISECONDS) {
      return { ...withoutStacks(serialized), stackAt: logged.time };
    }
    this.#logged.delete(kind);
    this.#logged.set(kind, { at: now, time: new Date().toISOString() });
    for (const oldest of this.#logged.keys()) {
      if (this.#logged.size <= MOST_ERROR_KINDS) break;
      this.#logged.delete(oldest);
    }
    return serialized;
  }
}

/** Messages are left out: they name addresses, ids and times. */
function kindOf(error: Error): string {
  const hash = createHash('sha256');
  let cause: unknown = error;
  for (let depth = 0; depth < MOST_CAUSES && cause instanceof Error; depth++) {
    const { name, stack = '', code } = cause as Error & { readonly code?: unknown };
    const frames = stack.split('\n').filter((line) => line.startsWith('    at '));
    hash.update(`${name} ${String(code)}\n${frames.join('\n')}\n`);
    cause = cause.cause;
  }
  return hash.digest('base64');
}

/** The members of an error, and of errors in it, but their stacks. */
function withoutStacks(error: object): object {
  const members: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(error)) {
    if (name === 'stack') continue;
    members[name] = Array.isArray(value) ? value.map(withoutStack) : withoutStack(value);
  }
  return members;
}

function withoutStack(value: unknown): unknown {
  return typeof value === 'object' && value !== null && 'stack' in value ? withoutStacks(value) : value;
}

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
