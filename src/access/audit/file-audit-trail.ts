import { constants } from 'node:fs';
import { type FileHandle, open, rename, stat } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { withFileLock } from '../../lib/files/file-lock.js';
import { makePrivateFolder } from '../../lib/files/private-path.js';
import { syncFolder } from '../../lib/files/replace-file.js';
import { messageOf } from '../../lib/text/messages.js';
import { type ChainPosition, UnfinishedChanges } from './audit-chain.js';
import { type AuditEntry, type AuditLine, type EntryJson, hashOf, jsonOf, lineOf } from './audit-entry.js';
import { archivePath, baseOf, CONTINUED, openIfThere, readTail } from './audit-files.js';
import { ChainFollower, type CurrentFile, type ReadFile } from './audit-follower.js';
import { headPath, readHead, type TrailHead, writeHead } from './audit-head.js';
import { type AuditPage, type AuditQuery, findEntries, searchEntries } from './audit-reading.js';
import type { NoteOptions } from './audit-tally.js';
import type { AuditTrail, TrailState } from './audit-trail.js';
import { AuditWriting, type AuditWritingTellings } from './audit-writing.js';

export const AUDIT_TRAIL_NAME = 'audit.jsonl';
export const MOST_LATEST_LINES = 1000;

export interface AuditTrailOptions extends AuditWritingTellings {
  readonly file: string;
  readonly now?: () => number;
  /** Size at which a new file is started. Undefined: never. */
  readonly rotateBytes?: number;
  readonly onArchived?: (path: string, head: TrailHead) => void;
  /** Called if no new file could be started. The current file stays in use. */
  readonly onArchiveFailed?: (error: unknown) => void;
}

/**
 * Audit trail in append-only files of JSON lines. Each line has the hash of the previous one. Several processes may
 * append to the same file.
 */
export class FileAuditTrail implements AuditTrail {
  readonly #file: string;
  readonly #now: () => number;
  readonly #writing: AuditWriting;
  readonly #follower: ChainFollower;
  #base: { readonly of: string; readonly base: ChainPosition } | undefined;
  readonly #rotateBytes: number;
  readonly #onArchived: (path: string, head: TrailHead) => void;
  readonly #onArchiveFailed: (error: unknown) => void;

  constructor({ file, now = Date.now, rotateBytes = Number.POSITIVE_INFINITY, ...tellings }: AuditTrailOptions) {
    const { onArchived = () => {}, onArchiveFailed = () => {} } = tellings;
    this.#file = file;
    this.#follower = new ChainFollower(file);
    this.#now = now;
    this.#rotateBytes = rotateBytes;
    this.#writing = new AuditWriting((entries, follows) => this.#append(entries, follows), { ...tellings, now });
    this.#onArchived = onArchived;
    this.#onArchiveFailed = onArchiveFailed;
  }

  /**
   * Resolves when the entry is on disk. Entries of one process are written in the order of the calls.
   * @throws Error if the entry cannot be written, or if the file does not end with an entry
   */
  append(entry: AuditEntry): Promise<void> {
    return this.#writing.append(entry);
  }

  note(entry: AuditEntry, options?: NoteOptions): Promise<void> {
    return this.#writing.note(entry, options);
  }

  settle(): Promise<void> {
    return this.#writing.settle();
  }

  record<T>(entry: AuditEntry, make: () => Promise<T>, further: readonly AuditEntry[] = []): Promise<T> {
    return this.#writing.record(entry, make, further);
  }

  async state(): Promise<TrailState> {
    let [fault, unfinished] = await this.#lookAnew();
    // Read again: another process may have started a new file, or removed lines that it could not keep.
    if (fault !== undefined) [fault, unfinished] = await this.#lookAnew();
    return { fault, unfinished: unfinished.lines };
  }

  async fault(): Promise<string | undefined> {
    const look = () => this.#look((current, confirmed) => this.#follower.look(current, confirmed));
    const fault = (await appendFault(this.#file)) ?? this.#writing.failure ?? (await look());
    return fault === undefined
      ? undefined
      : ((await look()) ?? (await appendFault(this.#file)) ?? this.#writing.failure);
  }

  async #lookAnew(): Promise<readonly [string | undefined, UnfinishedChanges]> {
    const unfinished = new UnfinishedChanges();
    const fault = await this.#look((current, confirmed) =>
      this.#follower.lookAnew(current, confirmed, (line) => unfinished.take(line)),
    );
    return [fault, unfinished];
  }

  /** Takes no lock. */
  async #look(follow: (current: ReadFile, confirmed: number) => Promise<void>): Promise<string | undefined> {
    let handle: FileHandle | undefined;
    try {
      // Read the head before the trail, because the trail may grow between the two reads.
      const head = await readHead(this.#file);
      handle = await openIfThere(this.#file);
      const base = await baseOf(this.#file, handle);
      const tail = handle === undefined ? { ...base, wholeBytes: 0 } : await readTail(handle, this.#file, base);
      if (handle !== undefined) await follow({ handle, base, tail }, head?.sequence ?? 0);
      return faultOfHead(this.#file, tail, head);
    } catch (error) {
      return messageOf(error);
    } finally {
      await handle?.close();
    }
  }

  async head(): Promise<TrailHead | undefined> {
    const handle = await openIfThere(this.#file);
    try {
      const base = await baseOf(this.#file, handle);
      const { sequence, hash } = handle === undefined ? base : await readTail(handle, this.#file, base);
      return sequence === 0 ? undefined : { sequence, hash };
    } finally {
      await handle?.close();
    }
  }

  async #append(entries: readonly EntryJson[], follows: boolean): Promise<number> {
    await makePrivateFolder(dirname(this.#file));
    return withFileLock(this.#file, async () => {
      let current = await this.#openCurrent();
      try {
        if (follows) await this.#follower.follow(current);
        const fault = faultOfHead(this.#file, current.tail, await readHead(this.#file));
        if (follows && fault !== undefined) throw new Error(`${this.#file}: nothing is appended: ${fault}`);
        const { tail } = current;
        const isFull = tail.wholeBytes >= this.#rotateBytes && tail.tornBytes === undefined;
        if (follows && isFull && (await this.#archive(current))) {
          await current.handle.close();
          current = await this.#openCurrent();
          this.#follower.began(current.base);
        }
        const last = await this.#appendTo(current, entries);
        // A head older than the trail is detected and harmless.
        if (fault === undefined) await writeHead(this.#file, last).catch(() => {});
        return last.sequence;
      } finally {
        await current.handle.close();
      }
    });
  }

  async #openCurrent(): Promise<CurrentFile> {
    const handle = await open(this.#file, 'a+', 0o600);
    try {
      const { ino, birthtimeMs } = await handle.stat();
      const of = `${ino} ${birthtimeMs}`;
      if (this.#base?.of !== of) this.#base = { of, base: await baseOf(this.#file, handle) };
      const { base } = this.#base;
      return { handle, base, tail: await readTail(handle, this.#file, base) };
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  /**
   * Renames the current file to its archived name. If the process is killed after that, the next append by any process
   * starts a new file.
   * @returns false if the file could not be renamed and stays in use
   */
  async #archive({ handle, base, tail }: CurrentFile): Promise<boolean> {
    const path = archivePath(this.#file, base.sequence + 1);
    try {
      const [opened, named] = [await handle.stat(), await stat(this.#file)];
      if (opened.ino !== named.ino || opened.size !== tail.wholeBytes)
        throw new Error(`${this.#file}: changed by others`);
      // The rename is safe: only processes that hold the lock create files of this name.
      if ((await openIfThere(path).then((taken) => taken?.close().then(() => true))) === true)
        throw new Error(`${path}: is there`);
      await rename(this.#file, path);
      await syncFolder(dirname(this.#file));
    } catch (error) {
      this.#onArchiveFailed(error);
      return false;
    }
    this.#base = undefined;
    this.#onArchived(path, tail);
    return true;
  }

  async #appendTo({ handle, base, tail }: CurrentFile, given: readonly EntryJson[]): Promise<TrailHead> {
    const entries = [
      ...(tail.wholeBytes === 0 && base.sequence > 0 ? [continuationOf(this.#file, base)] : []),
      ...(tail.tornBytes === undefined ? [] : [repairOf(this.#file, tail.tornBytes)]),
      ...given,
    ];
    let { sequence, hash } = tail;
    let lines = '';
    for (const json of entries) {
      sequence += 1;
      const line = lineOf(json, sequence, new Date(this.#now()).toISOString(), hash);
      hash = hashOf(line);
      lines += `${line}\n`;
    }
    // A suspended process may have lost its lock to another process and must not write.
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
    this.#follower.appended(base, tail.wholeBytes, {
      bytes: tail.wholeBytes + Buffer.byteLength(lines),
      sequence,
      hash,
    });
    return { sequence, hash };
  }

  async latest(count: number, { before = Number.POSITIVE_INFINITY } = {}): Promise<readonly AuditLine[]> {
    if (!Number.isInteger(count) || count < 1 || count > MOST_LATEST_LINES) {
      throw new RangeError(`expected a count from 1 to ${MOST_LATEST_LINES}, found ${count}`);
    }
    const { entries } = await findEntries(this.#file, {}, { count, before, mostRead: Number.POSITIVE_INFINITY });
    return entries;
  }

  /**
   * Searches at most 20,000 entries per call.
   * @throws Error if the trail cannot be read
   */
  find(query: AuditQuery, count: number, { before = Number.POSITIVE_INFINITY } = {}): Promise<AuditPage> {
    return findEntries(this.#file, query, { count, before });
  }

  search(query: AuditQuery, { before = Number.POSITIVE_INFINITY } = {}): AsyncIterable<AuditLine> {
    return searchEntries(this.#file, query, before);
  }
}

/** Reason why an existing file cannot be appended to. Another check detects a full disk. */
async function appendFault(file: string): Promise<string | undefined> {
  try {
    await (await open(file, constants.O_WRONLY | constants.O_APPEND)).close();
    return undefined;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? undefined : messageOf(error);
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

function continuationOf(file: string, { sequence: last, hash: lastHash }: ChainPosition): EntryJson {
  return jsonOf({
    who: 'sallyport',
    from: 'sallyport',
    what: CONTINUED,
    subject: basename(file),
    before: { last, lastHash },
  });
}

function faultOfHead(file: string, tail: TrailHead, head: TrailHead | undefined): string | undefined {
  if (head === undefined || tail.sequence > head.sequence) return undefined;
  if (tail.sequence === head.sequence && tail.hash === head.hash) return undefined;
  return `entries are missing or were replaced: ${headPath(file)} has number ${head.sequence}, and the last is ${tail.sequence}`;
}
