import { createHash } from 'node:crypto';
import { write, writeSync } from 'node:fs';
import pino from 'pino';
import { printable, withoutTerminalCodes } from '../text/characters.js';
import { ClientLines } from './client-lines.js';
import { LastLogLines } from './last-log-lines.js';

/** If standard output blocks, lines over this limit are dropped. */
const MOST_UNWRITTEN_BYTES = 16 * 1024 * 1024;
const AGAIN_MILLISECONDS = 100;
/** Limit for the final flush if the reader is blocked. */
const LONGEST_FLUSH_MILLISECONDS = 1_000;

/**
 * Writes the log to standard output. The destination of pino would end the process if the disk is full, or block
 * forever. This one keeps the data and retries.
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

  /** Skips the block that an asynchronous write is processing. */
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
      // The pipe or the disk is full.
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

function standStill(milliseconds: number): void {
  Atomics.wait(neverWoken, 0, 0, milliseconds);
}

const STACK_MILLISECONDS = 60_000;
const MOST_ERROR_KINDS = 1_000;
const MOST_CAUSES = 10;

interface LoggedStack {
  readonly at: number;
  /** ISO 8601. May differ by a millisecond from the time of the line. */
  readonly time: string;
}

/**
 * Serializes errors. Errors of one kind have the same names, codes and stack frames, including causes. Only the first
 * in a minute is logged with its stack. The others have `stackAt`, the time of that line. Otherwise every request would
 * log 2 KB during an outage.
 */
export class RepeatedStacks {
  readonly #now: () => number;
  readonly #logged = new Map<string, LoggedStack>();

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

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

/** Omits messages, which contain addresses, IDs and times. */
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
  readonly form: 'json' | 'readable';
  /** Added to every line. Undefined if no other process writes to the same output. */
  readonly worker?: string | undefined;
}

export interface OpenedLog {
  readonly log: Log;
  readonly lines: LastLogLines;
  readonly flush: () => void;
}

/** Maximum size of a block, and maximum wait of a line. */
const BLOCK_CHARACTERS = 16_000;
/** If several processes write to one pipe, smaller blocks stay in one piece (PIPE_BUF on Linux: 4,096 bytes). */
const SHARED_BLOCK_CHARACTERS = 4_000;
const LONGEST_WAIT_MILLISECONDS = 500;

/** Final flush: if the last write was this recent, it gets the grace time to finish. */
const RECENT_MILLISECONDS = 1_000;
const GRACE_MILLISECONDS = 20;

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
    // A write still in progress on another thread would be overtaken.
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

function isoTime(): string {
  const now = Date.now();
  if (now !== millisecond) {
    millisecond = now;
    member = `,"time":"${new Date(now).toISOString()}"`;
  }
  return member;
}

/**
 * Opens a log to standard output, with its last lines and a flush function. JSON lines are written in blocks of up to
 * 16,000 characters, after at most half a second, because a write per request costs more than the request.
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
    // Loaded on demand to keep other commands fast.
    const { default: pretty } = await import('pino-pretty');
    const readable = pretty.prettyFactory({
      colorize: process.stdout.isTTY,
      translateTime: 'SYS:HH:MM:ss.l',
      singleLine: true,
      // Otherwise the stack would be printed as lines that look like lines of the log.
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

export const silentLog: Log = pino({ level: 'silent' });
