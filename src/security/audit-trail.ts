import { createHash } from 'node:crypto';
import { type FileHandle, mkdir, open } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { isSecretName } from '../secret-names.js';
import { LARGEST_LINE_BYTES, LINE_END, linesFromEnd, linesFromStart, readBlock } from './audit-lines.js';
import { withFileLock } from './file-lock.js';
import { syncFolder } from './sync-folder.js';

/** The file in the data folder. */
export const AUDIT_TRAIL_NAME = 'audit.jsonl';
/** Of `who`, `from`, `what` and `subject`: the rest is cut off. */
export const LONGEST_TEXT_CHARACTERS = 1000;
export const MOST_LATEST_LINES = 1000;

/** `previous` of the first line. */
const NO_HASH = '0'.repeat(64);

export interface AuditEntry {
  /** The name of a user, or `command line: root`. */
  readonly who: string;
  /** An address, or `command line`. */
  readonly from: string;
  /** A fixed word: `user.added`. */
  readonly what: string;
  readonly subject: string;
  /** Whatever JSON can say. Values under names of secrets are written as `(secret)`. */
  readonly before?: unknown;
  readonly after?: unknown;
}

/** A line of the file as it stands there. */
export interface AuditLine extends AuditEntry {
  /** 1, 2, 3 …: the number of the line. */
  readonly sequence: number;
  /** ISO 8601, UTC. */
  readonly time: string;
  /** SHA-256 of the bytes of the line before, without its end; of the first line: zeros. */
  readonly previous: string;
}

export interface AuditTrailOptions {
  readonly file: string;
  readonly now?: () => number;
}

/**
 * The record of what was changed and by whom: JSON lines that are only ever added to, each with the hash of the one
 * before. Several processes may append to the same file.
 */
export class AuditTrail {
  readonly #file: string;
  readonly #now: () => number;
  #lastAppend: Promise<void> = Promise.resolve();

  constructor({ file, now = Date.now }: AuditTrailOptions) {
    this.#file = file;
    this.#now = now;
  }

  /**
   * Resolves when the entry is on the disk. Entries of one process stand in the order of the calls.
   *
   * @throws Error where it cannot be written, or the file does not end with an entry
   */
  async append(entry: AuditEntry): Promise<void> {
    const texts = jsonOf(entry);
    const appended = this.#lastAppend.then(() => this.#append(texts));
    this.#lastAppend = appended.catch(() => {});
    return appended;
  }

  async #append(entry: EntryJson): Promise<void> {
    await mkdir(dirname(this.#file), { recursive: true, mode: 0o700 });
    await withFileLock(this.#file, async () => {
      const handle = await open(this.#file, 'a+', 0o600);
      try {
        await this.#appendTo(handle, entry);
      } finally {
        await handle.close();
      }
    });
  }

  async #appendTo(handle: FileHandle, entry: EntryJson): Promise<void> {
    const tail = await readTail(handle, this.#file);
    const entries = tail.tornBytes === undefined ? [entry] : [repairOf(this.#file, tail.tornBytes), entry];
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
  }

  /**
   * At most `count` (1 to 1,000) lines, newest first: the last of the file, or the last before that sequence number.
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
    try {
      for await (const bytes of linesFromEnd(handle)) {
        const line = readLine(bytes);
        if (typeof line === 'string') throw new Error(`${this.#file}: a line is broken: ${line}`);
        if (line.sequence < before) found.push(line);
        if (found.length === count) break;
      }
      return found;
    } finally {
      await handle.close();
    }
  }
}

export interface UnbrokenTrail {
  readonly entries: number;
  /** SHA-256 of the last line, 64 zeros where there is none. To be kept elsewhere, with the number of entries. */
  readonly lastHash: string;
  readonly lastTime: string | undefined;
}

export interface BrokenTrail {
  readonly fault: { readonly line: number; readonly reason: string };
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
): Promise<UnbrokenTrail | BrokenTrail> {
  let [entries, lastHash, lastTime] = [0, NO_HASH, undefined as string | undefined];
  const handle = await openIfThere(file);
  try {
    for await (const bytes of handle === undefined ? [] : linesFromStart(handle)) {
      const number = entries + 1;
      const line = typeof bytes === 'string' ? bytes : readLine(bytes);
      const reason = typeof line === 'string' ? line : faultInChain(line, number, lastHash);
      if (reason !== undefined) return { fault: { line: number, reason } };
      [entries, lastHash, lastTime] = [number, hashOf(bytes), (line as AuditLine).time];
      if (number === expected?.sequence && lastHash !== expected.hash) {
        const reason = `it is not the entry ${expected.hash}: it, or what is before it, was written anew`;
        return { fault: { line: number, reason } };
      }
    }
  } finally {
    await handle?.close();
  }
  if (expected !== undefined && entries < expected.sequence) {
    const reason = `there is no entry ${expected.sequence}: the trail ends after ${entries}, the rest was cut off`;
    return { fault: { line: expected.sequence, reason } };
  }
  return { entries, lastHash, lastTime };
}

function faultInChain({ sequence, previous }: AuditLine, number: number, lastHash: string): string | undefined {
  if (sequence !== number) {
    return `expected sequence ${number}, found ${sequence}: lines were removed, inserted or moved`;
  }
  if (previous === lastHash) return undefined;
  return number === 1
    ? 'its hash of the line before is not that of a first line'
    : `its hash of the line before does not match: line ${number - 1} or this one was changed or replaced`;
}

type EntryJson = Readonly<Record<'who' | 'from' | 'what' | 'subject', string>> & { before?: string; after?: string };

/** The values of an entry as JSON, as they are now: objects may be changed before their turn to be written comes. */
function jsonOf({ who, from, what, subject, before, after }: AuditEntry): EntryJson {
  const beforeJson = jsonText(before);
  const afterJson = jsonText(after);
  return {
    who: jsonText(shortened(who)),
    from: jsonText(shortened(from)),
    what: jsonText(shortened(what)),
    subject: jsonText(shortened(subject)),
    ...(beforeJson === undefined ? {} : { before: beforeJson }),
    ...(afterJson === undefined ? {} : { after: afterJson }),
  };
}

function shortened(text: string): string {
  return text.length <= LONGEST_TEXT_CHARACTERS ? text : `${text.slice(0, LONGEST_TEXT_CHARACTERS - 1)}…`;
}

function jsonText(value: string): string;
function jsonText(value: unknown): string | undefined;
function jsonText(value: unknown): string | undefined {
  const text: string | undefined = JSON.stringify(value, withoutSecret);
  return text === undefined ? undefined : withoutTerminalCodes(text);
}

/** That there is a password, or that there is none, is no secret. */
function withoutSecret(name: string, value: unknown): unknown {
  if (value === undefined || value === null || typeof value === 'boolean') return value;
  return isSecretName(name) ? '(secret)' : value;
}

/** The same JSON, with nothing in it that a terminal obeys or that some take for the end of a line. */
function withoutTerminalCodes(json: string): string {
  return json.replace(
    /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu,
    (code) => `\\u${code.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

function lineOf(entry: EntryJson, sequence: number, time: string, previous: string): string {
  const { who, from, what, subject } = entry;
  let { before = '', after = '' } = entry;
  for (;;) {
    const line =
      `{"sequence":${sequence},"time":"${time}","who":${who},"from":${from},"what":${what},"subject":${subject}` +
      `${before && `,"before":${before}`}${after && `,"after":${after}`},"previous":"${previous}"}`;
    if (Buffer.byteLength(line) <= LARGEST_LINE_BYTES) return line;
    if (before.length >= after.length) before = omitted(before);
    else after = omitted(after);
  }
}

function omitted(json: string): string {
  return `{"omitted":${Buffer.byteLength(json)}}`;
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

/** What the line says, or what is wrong with it. */
function readLine(bytes: Buffer): AuditLine | string {
  if (bytes.length > LARGEST_LINE_BYTES) return `it is longer than ${LARGEST_LINE_BYTES} bytes`;
  try {
    const value: unknown = JSON.parse(bytes.toString());
    if (!isAuditLine(value)) return 'it is no entry of an audit trail';
    // finds spaces, names that stand twice, and bytes that are no UTF-8
    const written = Buffer.from(withoutTerminalCodes(JSON.stringify(value)));
    return written.equals(bytes) ? value : 'it is not written as entries are: it was changed';
  } catch {
    return 'it is no JSON';
  }
}

function isAuditLine(value: unknown): value is AuditLine {
  const { sequence, time, who, from, what, subject, previous } = Object(value) as Record<string, unknown>;
  return (
    Number.isSafeInteger(sequence) &&
    [time, who, from, what, subject, previous].every((text) => typeof text === 'string') &&
    /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(`${time}`) &&
    /^[0-9a-f]{64}$/.test(`${previous}`)
  );
}

function hashOf(line: string | Buffer): string {
  return createHash('sha256').update(line).digest('hex');
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
  if (typeof line === 'string') throw notATrail(file, line);
  return { sequence: line.sequence, hash: hashOf(last), wholeBytes: size - torn.length, tornBytes };
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
