import { type FileHandle, mkdir, open } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { ServiceError } from '../errors.js';
import { type ChainPosition, farthestPosition, faultInChain, followChain, UnfinishedChanges } from './audit-chain.js';
import {
  type AuditEntry,
  type AuditLine,
  type AuditStage,
  type EntryJson,
  hashOf,
  jsonOf,
  lineOf,
  NO_HASH,
  readLine,
} from './audit-entry.js';
import { LARGEST_LINE_BYTES, LINE_END, linesFromEnd, linesFromStart, readBlock } from './audit-lines.js';
import type { AuditRecord, TrailState } from './audit-record.js';
import { withFileLock } from './file-lock.js';
import { syncFolder } from './sync-folder.js';

/** The file in the data folder. */
export const AUDIT_TRAIL_NAME = 'audit.jsonl';
export const MOST_LATEST_LINES = 1000;

/** Entries that may wait for those before them, and that are written at once. */
const MOST_WAITING = 2_000;
const MOST_TOGETHER = 200;

interface Waiting {
  readonly entries: readonly EntryJson[];
  readonly follows: boolean;
  readonly resolve: (number: number) => void;
  readonly reject: (error: unknown) => void;
}

const START: ChainPosition = { bytes: 0, sequence: 0, hash: NO_HASH };

export interface AuditTrailOptions {
  readonly file: string;
  readonly now?: () => number;
  /** Nothing was changed, because it could not be put on record. */
  readonly onRefused?: (error: unknown) => void;
  /** A change was made and its outcome could not be written; the next entry of this process brings it along. */
  readonly onOutcomeLate?: (error: unknown) => void;
}

/**
 * The record of what was changed and by whom: JSON lines that are only ever added to, each with the hash of the one
 * before. Several processes may append to the same file.
 */
export class AuditTrail implements AuditRecord {
  readonly #file: string;
  readonly #now: () => number;
  readonly #onRefused: (error: unknown) => void;
  readonly #onOutcomeLate: (error: unknown) => void;
  readonly #waiting: Waiting[] = [];
  #isWriting = false;
  /** Up to where the chain has been followed. */
  #followed: ChainPosition | undefined;
  /** Outcomes that could not be written yet: at most those of the changes that were under way. */
  #late: EntryJson[] = [];

  constructor({ file, now = Date.now, onRefused = () => {}, onOutcomeLate = () => {} }: AuditTrailOptions) {
    this.#file = file;
    this.#now = now;
    this.#onRefused = onRefused;
    this.#onOutcomeLate = onOutcomeLate;
  }

  /**
   * Resolves when the entry is on the disk. Entries of one process stand in the order of the calls.
   *
   * @throws Error where it cannot be written, or the file does not end with an entry
   */
  async append(entry: AuditEntry): Promise<void> {
    await this.#inTurn([jsonOf(entry)]);
  }

  /**
   * The same for what changes nothing.
   * @throws ServiceError SVC_ERR_AUDIT_UNAVAILABLE
   */
  async note(entry: AuditEntry): Promise<void> {
    await this.#orRefuse([jsonOf(entry)]);
  }

  /**
   * Makes a change: that it is about to be made is on the disk before, and what became of it afterwards.
   *
   * @param further what it brings along, each with an entry of its own once it is done
   * @throws ServiceError SVC_ERR_AUDIT_UNAVAILABLE where that cannot be: nothing was changed then. What `make` throws.
   */
  async record<T>(entry: AuditEntry, make: () => Promise<T>, further: readonly AuditEntry[] = []): Promise<T> {
    const json = jsonOf(entry);
    const done = [...further.map(jsonOf), json];
    const intent = await this.#orRefuse([{ ...json, stage: 'intended' }]);
    let result: T;
    try {
      result = await make();
    } catch (error) {
      const { after: _, ...rest } = entry;
      await this.#conclude([jsonOf({ ...rest, after: { failed: messageOf(error) } })], 'failed', intent);
      throw error;
    }
    await this.#conclude(done, 'done', intent);
    return result;
  }

  /**
   * Follows the chain, as far back as a process does that is to append.
   * @throws Error where the file is there and cannot be read
   */
  async state(): Promise<TrailState> {
    const unfinished = new UnfinishedChanges();
    let fault: string | undefined;
    const handle = await openIfThere(this.#file);
    if (handle === undefined) return { fault, unfinished: [] };
    try {
      const tail = await readTail(handle, this.#file);
      const start = (await farthestPosition(handle, tail.wholeBytes)) ?? START;
      await followChain(handle, start, tail.wholeBytes, (line) => unfinished.take(line));
    } catch (error) {
      fault = messageOf(error);
    } finally {
      await handle.close();
    }
    return { fault, unfinished: unfinished.lines };
  }

  /** The change is made, whatever becomes of this. */
  async #conclude(outcome: readonly EntryJson[], stage: AuditStage, intent: number): Promise<void> {
    const entries = outcome.map((json) => ({ ...json, stage, intent }));
    try {
      await this.#inTurn(entries);
    } catch (error) {
      this.#late.push(...entries);
      this.#onOutcomeLate(error);
    }
  }

  async #orRefuse(entries: readonly EntryJson[]): Promise<number> {
    try {
      return await this.#inTurn(entries, true);
    } catch (error) {
      this.#onRefused(error);
      throw new ServiceError('SVC_ERR_AUDIT_UNAVAILABLE', { detail: messageOf(error), cause: error });
    }
  }

  /**
   * @param follows whether nothing is appended to a chain that is broken farther up
   * @returns the number of the last of them
   */
  #inTurn(entries: readonly EntryJson[], follows = false): Promise<number> {
    if (this.#waiting.length >= MOST_WAITING) return Promise.reject(new Error('too many entries wait to be written'));
    const written = new Promise<number>((resolve, reject) => {
      this.#waiting.push({ entries, follows, resolve, reject });
    });
    if (!this.#isWriting) void this.#writeWaiting();
    return written;
  }

  /** What came while others were written is written together: it is on the disk after one wait for it. */
  async #writeWaiting(): Promise<void> {
    this.#isWriting = true;
    for (let [first] = this.#waiting; first !== undefined; [first] = this.#waiting) {
      const { follows } = first;
      const end = this.#waiting.findIndex((one, at) => one.follows !== follows || at === MOST_TOGETHER);
      const together = this.#waiting.splice(0, end < 0 ? this.#waiting.length : end);
      try {
        const entries = together.flatMap((one) => one.entries);
        let number = (await this.#append(entries, follows)) - entries.length;
        for (const one of together) {
          number += one.entries.length;
          one.resolve(number);
        }
      } catch (error) {
        for (const one of together) one.reject(error);
      }
    }
    this.#isWriting = false;
  }

  /** @returns the number of the last of them */
  async #append(entries: readonly EntryJson[], follows: boolean): Promise<number> {
    await mkdir(dirname(this.#file), { recursive: true, mode: 0o700 });
    return withFileLock(this.#file, async () => {
      const handle = await open(this.#file, 'a+', 0o600);
      try {
        const tail = await readTail(handle, this.#file);
        if (follows) await this.#follow(handle, tail);
        const late = this.#late.length;
        const last = await this.#appendTo(handle, tail, [...this.#late, ...entries]);
        this.#late.splice(0, late);
        return last;
      } finally {
        await handle.close();
      }
    });
  }

  async #appendTo(handle: FileHandle, tail: Tail, given: readonly EntryJson[]): Promise<number> {
    const entries = tail.tornBytes === undefined ? given : [repairOf(this.#file, tail.tornBytes), ...given];
    let { sequence, hash } = tail;
    let lines = '';
    for (const json of entries) {
      sequence += 1;
      const line = lineOf(json, sequence, new Date(this.#now()).toISOString(), hash);
      hash = hashOf(line);
      lines += `${line}\n`;
    }
    // a process that was suspended for so long that its lock was taken over must not write any more
    const { size } = await handle.stat();
    if (size !== tail.wholeBytes + (tail.tornBytes?.length ?? 0)) {
      throw new Error(`${this.#file}: changed by others while an entry was written`);
    }
    if (tail.tornBytes !== undefined) await handle.truncate(tail.wholeBytes);
    try {
      await handle.appendFile(lines);
      await handle.sync();
    } catch (error) {
      await handle.truncate(tail.wholeBytes).catch(() => {});
      throw error;
    }
    if (tail.wholeBytes === 0) await syncFolder(dirname(this.#file));
    if (this.#followed?.bytes === tail.wholeBytes) {
      this.#followed = { bytes: tail.wholeBytes + Buffer.byteLength(lines), sequence, hash };
    }
    return sequence;
  }

  /** @throws Error where a line was changed, removed, inserted or moved since this process looked last */
  async #follow(handle: FileHandle, { wholeBytes, hash }: Tail): Promise<void> {
    try {
      const from = this.#followed ?? (await farthestPosition(handle, wholeBytes)) ?? START;
      const followed = await followChain(handle, from, wholeBytes);
      if (followed.hash !== hash) throw new Error('its last line was replaced');
      this.#followed = followed;
    } catch (error) {
      throw new Error(`${this.#file}: nothing is appended: ${messageOf(error)}`, { cause: error });
    }
  }

  /**
   * At most `count` (1 to 1,000) lines, newest first: the last of the file, or the last before that sequence number. An
   * intent is among them only where it has no outcome.
   *
   * @throws Error where the file cannot be read or one of the lines is no entry
   */
  async latest(count: number, { before = Number.POSITIVE_INFINITY } = {}): Promise<readonly AuditLine[]> {
    if (!Number.isInteger(count) || count < 1 || count > MOST_LATEST_LINES) {
      throw new RangeError(`expected a count from 1 to ${MOST_LATEST_LINES}, found ${count}`);
    }
    const handle = await openIfThere(this.#file);
    if (handle === undefined) return [];
    const found: AuditLine[] = [];
    const finished = new Set<number>();
    try {
      for await (const bytes of linesFromEnd(handle)) {
        const read = readLine(bytes);
        if (read.kind === 'fault') throw new Error(`${this.#file}: a line is broken: ${read.fault}`);
        const line = read.value;
        if (line.intent !== undefined) finished.add(line.intent);
        const isFinished = finished.delete(line.sequence);
        if (line.sequence < before && !isFinished) found.push(line);
        if (found.length === count) break;
      }
      return found;
    } finally {
      await handle.close();
    }
  }
}

/** What a verification found. */
type VerificationOutcome =
  | UnbrokenTrail
  /** The first line that is not what was written. */
  | { readonly kind: 'broken'; readonly fault: { readonly line: number; readonly reason: string } };

interface UnbrokenTrail {
  readonly kind: 'unbroken';
  readonly entries: number;
  /** SHA-256 of the last line, 64 zeros where there is none. To be kept elsewhere, with the number of entries. */
  readonly lastHash: string;
  readonly lastTime: string | undefined;
  /** Changes without an outcome, the oldest first; not there where there is none. */
  readonly unfinished?: readonly AuditLine[];
}

/** An entry that was there when the trail was verified earlier. */
export interface ExpectedEntry {
  readonly sequence: number;
  readonly hash: string;
}

/**
 * Reads a trail from its beginning and finds the first line that was changed, removed, inserted or moved. A file that
 * does not exist is a trail of no entries.
 *
 * What it cannot find by itself: that lines at the end were cut off, that the last line was changed into another entry,
 * that everything was written anew. Whoever keeps the number of entries and the last hash elsewhere hands them over as
 * `expected` later, and all of that is found up to that entry.
 *
 * @throws Error where the file cannot be read
 */
export async function verifyAuditTrail(
  file: string,
  { expected }: { readonly expected?: ExpectedEntry } = {},
): Promise<VerificationOutcome> {
  let [entries, lastHash, lastTime] = [0, NO_HASH, undefined as string | undefined];
  const unfinished = new UnfinishedChanges();
  const handle = await openIfThere(file);
  try {
    for await (const bytes of handle === undefined ? [] : linesFromStart(handle)) {
      const number = entries + 1;
      if (bytes.kind === 'fault') return broken(number, bytes.fault);
      const line = readLine(bytes.value);
      if (line.kind === 'fault') return broken(number, line.fault);
      const reason = faultInChain(line.value, number, lastHash);
      if (reason !== undefined) return broken(number, reason);
      [entries, lastHash, lastTime] = [number, hashOf(bytes.value), line.value.time];
      unfinished.take(line.value);
      if (number === expected?.sequence && lastHash !== expected.hash) {
        const reason = `it is not the entry ${expected.hash}: it, or what is before it, was written anew`;
        return broken(number, reason);
      }
    }
  } finally {
    await handle?.close();
  }
  if (expected !== undefined && entries < expected.sequence) {
    const reason = `there is no entry ${expected.sequence}: the trail ends after ${entries}, the rest was cut off`;
    return broken(expected.sequence, reason);
  }
  const { lines } = unfinished;
  return { kind: 'unbroken', entries, lastHash, lastTime, ...(lines.length === 0 ? {} : { unfinished: lines }) };
}

function broken(line: number, reason: string): VerificationOutcome {
  return { kind: 'broken', fault: { line, reason } };
}

interface Tail {
  /** Of the last whole line; 0 and zeros where there is none. */
  readonly sequence: number;
  readonly hash: string;
  /** Up to the end of the last whole line. */
  readonly wholeBytes: number;
  /** A line without its end: who wrote it was killed, and nobody was told that it is there. */
  readonly tornBytes: Buffer | undefined;
}

async function readTail(handle: FileHandle, file: string): Promise<Tail> {
  const { size } = await handle.stat();
  const length = Math.min(size, 2 * (LARGEST_LINE_BYTES + 1));
  const tail = await readBlock(handle, size - length, length);
  const end = tail.lastIndexOf(LINE_END);
  const torn = tail.subarray(end + 1);
  if (torn.length > LARGEST_LINE_BYTES) throw notATrail(file, `it is longer than ${LARGEST_LINE_BYTES} bytes`);
  const tornBytes = torn.length > 0 ? torn : undefined;
  if (end < 0) return { sequence: 0, hash: NO_HASH, wholeBytes: 0, tornBytes };
  const last = end === 0 ? tail.subarray(0, 0) : tail.subarray(tail.lastIndexOf(LINE_END, end - 1) + 1, end);
  const line = readLine(last);
  if (line.kind === 'fault') throw notATrail(file, line.fault);
  return { sequence: line.value.sequence, hash: hashOf(last), wholeBytes: size - torn.length, tornBytes };
}

function notATrail(file: string, reason: string): Error {
  return new Error(`${file}: nothing is appended: its last line is no entry: ${reason}`);
}

async function openIfThere(file: string): Promise<FileHandle | undefined> {
  try {
    return await open(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
function repairOf(file: string, torn: Buffer): EntryJson {
  return jsonOf({
    who: 'sallyport',
    from: 'sallyport',
    what: 'trail.repaired',
    subject: basename(file),
    before: torn.toString(),
    after: { droppedBytes: torn.length },
  });
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
