import { type FileHandle, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { ServiceError } from '../lib/errors.js';
import { makePrivateFolder } from '../lib/files/private-path.js';
import { replaceFile } from '../lib/files/replace-file.js';
import {
  IDEMPOTENCY_MILLISECONDS,
  type IdempotencyBounds,
  type IdempotencyStore,
  idempotencyBounds,
  type KeptAnswer,
  type KeyedBeginning,
  type KeyedRequest,
} from './idempotency-store.js';

export const IDEMPOTENCY_NAME = 'idempotency.jsonl';
/** Bytes of obsolete lines that cause the file to be rewritten. */
const MOST_DEAD_BYTES = 16 * 1024 * 1024;
/** Bytes that are read or written before the event loop gets a turn. */
const BYTES_AT_A_STRETCH = 256 * 1024;
const LINE_END = 0x0a;

interface Entry extends KeyedRequest {
  readonly at: number;
  state: 'running' | 'interrupted' | KeptAnswer;
  bytes: number;
}

/** A line of the file: a started request, its answer, or (without answer) the removal of the request. */
type Line = ({ readonly begun: KeyedRequest & { readonly at: number } } | { readonly id: string }) & {
  readonly answer?: KeptAnswer;
};

/** File of one process. An incomplete last line of a killed process is discarded: no caller got a confirmation. */
export class FileIdempotencyStore implements IdempotencyStore {
  readonly #file: string;
  readonly #bounds: IdempotencyBounds;
  readonly #entries = new Map<string, Entry>();
  readonly #ofCallers = new Map<string, number>();
  #handle: FileHandle | undefined;
  #liveBytes = 0;
  #fileBytes = 0;
  #opening: Promise<void> | undefined;
  #last: Promise<unknown> = Promise.resolve();

  constructor(file: string, bounds: IdempotencyBounds = idempotencyBounds) {
    this.#file = file;
    this.#bounds = bounds;
  }

  #open(now: number): Promise<void> {
    this.#opening ??= this.#inTurn(() => this.#load(now));
    return this.#opening.catch((error: unknown) => {
      this.#opening = undefined;
      throw error;
    });
  }

  async #load(now: number): Promise<void> {
    this.#entries.clear();
    this.#ofCallers.clear();
    this.#liveBytes = 0;
    await makePrivateFolder(dirname(this.#file));
    for await (const { line, bytes } of linesOf(this.#file)) this.#take(line, bytes);
    for (const entry of this.#entries.values()) if (entry.state === 'running') entry.state = 'interrupted';
    this.#expire(now);
    await this.#rewrite();
  }

  async close(): Promise<void> {
    await this.#last;
    await this.#handle?.close();
    this.#handle = undefined;
  }

  async begin(request: KeyedRequest, now = Date.now()): Promise<KeyedBeginning> {
    await this.#open(now);
    this.#expire(now);
    const known = this.#entries.get(request.id);
    if (known !== undefined) return beginningOf(known, request);
    const { most, mostOfCaller, bytes } = this.#bounds;
    const ofCaller = this.#ofCallers.get(request.caller) ?? 0;
    if (this.#entries.size >= most || ofCaller >= mostOfCaller || this.#liveBytes >= bytes) return { kind: 'full' };
    const { id, caller, content } = request;
    const line: Line = { begun: { id, caller, content, at: now } };
    // stored before the write, so that a concurrent request with the same key finds it
    this.#take(line, 0);
    try {
      await this.#append(line, id);
    } catch (error) {
      this.#drop(id);
      throw error;
    }
    return { kind: 'begun' };
  }

  async answer(id: string, answer: KeptAnswer): Promise<void> {
    const entry = this.#entries.get(id);
    if (entry === undefined) return;
    try {
      await this.#append({ id, answer }, id);
      entry.state = answer;
    } catch (error) {
      entry.state = 'interrupted';
      throw error;
    }
  }

  async forget(id: string): Promise<void> {
    if (!this.#entries.has(id)) return;
    try {
      await this.#append({ id }, undefined);
    } finally {
      // if the write fails, the next process that reads the file takes the request for interrupted
      this.#drop(id);
    }
  }

  #take(line: Line, bytes: number): void {
    if ('begun' in line) {
      const { id, caller, content, at } = line.begun;
      this.#drop(id);
      this.#entries.set(id, { id, caller, content, at, state: line.answer ?? 'running', bytes });
      this.#ofCallers.set(caller, (this.#ofCallers.get(caller) ?? 0) + 1);
      this.#liveBytes += bytes;
      return;
    }
    const entry = this.#entries.get(line.id);
    if (entry === undefined) return;
    if (line.answer === undefined) {
      this.#drop(line.id);
      return;
    }
    entry.state = line.answer;
    entry.bytes += bytes;
    this.#liveBytes += bytes;
  }

  #drop(id: string): void {
    const entry = this.#entries.get(id);
    if (entry === undefined) return;
    this.#entries.delete(id);
    this.#liveBytes -= entry.bytes;
    const left = (this.#ofCallers.get(entry.caller) ?? 1) - 1;
    if (left === 0) this.#ofCallers.delete(entry.caller);
    else this.#ofCallers.set(entry.caller, left);
  }

  #expire(now: number): void {
    for (const { id, at, state } of this.#entries.values()) {
      if (now - at < IDEMPOTENCY_MILLISECONDS) break;
      // calls never take that long, so the answer of a running request is not lost
      if (state !== 'running') this.#drop(id);
    }
  }

  /** @param of id of the entry that the line belongs to */
  #append(line: Line, of: string | undefined): Promise<void> {
    return this.#inTurn(async () => {
      if (this.#handle === undefined) throw new Error('the file is not open');
      if (this.#fileBytes - this.#liveBytes > MOST_DEAD_BYTES) await this.#rewrite();
      const text = Buffer.from(`${JSON.stringify(line)}\n`);
      try {
        await this.#handle.appendFile(text);
        await this.#handle.datasync();
      } catch (error) {
        // a partial line would corrupt the lines after it
        await this.#handle.truncate(this.#fileBytes).catch(() => {});
        throw error;
      }
      this.#fileBytes += text.length;
      const entry = of === undefined ? undefined : this.#entries.get(of);
      if (entry === undefined) return;
      entry.bytes += text.length;
      this.#liveBytes += text.length;
    });
  }

  #inTurn(work: () => Promise<void>): Promise<void> {
    const done = this.#last.then(work).catch((error: unknown) => {
      throw new ServiceError('SVC_ERR_STORE_UNAVAILABLE', { headers: { 'Retry-After': '5' }, cause: error });
    });
    this.#last = done.catch(() => {});
    return done;
  }

  async #rewrite(): Promise<void> {
    let bytes = 0;
    let atAStretch = 0;
    const lines: Buffer[] = [];
    for (const entry of [...this.#entries.values()]) {
      const { id, caller, content, at, state } = entry;
      const answer = typeof state === 'string' ? {} : { answer: state };
      const text = Buffer.from(`${JSON.stringify({ begun: { id, caller, content, at }, ...answer })}\n`);
      entry.bytes = text.length;
      bytes += text.length;
      lines.push(text);
      atAStretch += text.length;
      if (atAStretch < BYTES_AT_A_STRETCH) continue;
      atAStretch = 0;
      await nextTurn();
    }
    await replaceFile(this.#file, Buffer.concat(lines));
    const handle = await open(this.#file, 'a', 0o600);
    await this.#handle?.close();
    this.#handle = handle;
    this.#fileBytes = bytes;
    // entries may have been removed during the write
    this.#liveBytes = [...this.#entries.values()].reduce((sum, entry) => sum + entry.bytes, 0);
  }
}

function beginningOf({ content, state }: Entry, request: KeyedRequest): KeyedBeginning {
  if (content !== request.content) return { kind: 'otherContent' };
  return typeof state === 'string' ? { kind: state } : { kind: 'answered', answer: state };
}

export async function requestsIn(
  file: string,
): Promise<readonly (KeyedRequest & { readonly at: number; readonly answer?: KeptAnswer })[]> {
  const requests = new Map<string, KeyedRequest & { readonly at: number; readonly answer?: KeptAnswer }>();
  for await (const { line } of linesOf(file)) {
    const { answer } = line;
    const known = 'begun' in line ? line.begun : requests.get(line.id);
    if (known === undefined) continue;
    if (answer === undefined && !('begun' in line)) requests.delete(known.id);
    else requests.set(known.id, answer === undefined ? known : { ...known, answer });
  }
  return [...requests.values()].sort((one, other) => one.at - other.at || (one.id < other.id ? -1 : 1));
}

/** Yields nothing if the file does not exist. @throws Error with file and line number if a line is invalid */
async function* linesOf(file: string): AsyncGenerator<{ readonly line: Line; readonly bytes: number }> {
  const handle = await open(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (handle === undefined) return;
  try {
    let begun: Buffer[] = [];
    let number = 0;
    for (;;) {
      const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(BYTES_AT_A_STRETCH), 0, BYTES_AT_A_STRETCH);
      if (bytesRead === 0) return;
      let start = 0;
      for (let end = buffer.indexOf(LINE_END); end >= 0 && end < bytesRead; end = buffer.indexOf(LINE_END, start)) {
        begun.push(buffer.subarray(start, end));
        const text = Buffer.concat(begun);
        const line = lineOf(text.toString());
        number += 1;
        if (line === undefined) throw new Error(`${file}:${number}: expected a stored answer`);
        yield { line, bytes: text.length + 1 };
        begun = [];
        start = end + 1;
      }
      begun.push(buffer.subarray(start, bytesRead));
    }
  } finally {
    await handle.close();
  }
}

function lineOf(text: string): Line | undefined {
  try {
    const value = JSON.parse(text) as Record<string, unknown>;
    const { begun, id, answer } = value;
    const known = Object(begun ?? { id, caller: '', content: '', at: 0 }) as Record<string, unknown>;
    const texts = [known.id, known.caller, known.content];
    const isWhole = texts.every((part) => typeof part === 'string') && Number.isSafeInteger(known.at);
    return isWhole && (answer === undefined || isAnswer(answer)) ? (value as unknown as Line) : undefined;
  } catch {
    return undefined;
  }
}

function isAnswer(value: unknown): value is KeptAnswer {
  const { status, contentType, body, isBase64 = false, headers = [] } = Object(value) as Record<string, unknown>;
  const areTexts =
    Array.isArray(headers) && headers.length % 2 === 0 && headers.every((part) => typeof part === 'string');
  if (!areTexts || typeof isBase64 !== 'boolean') return false;
  return Number.isSafeInteger(status) && typeof contentType === 'string' && typeof body === 'string';
}
