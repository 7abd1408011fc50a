import { type FileHandle, open } from 'node:fs/promises';
import { faultInChain, UnfinishedChanges } from './audit-chain.js';
import { type AuditLine, hashOf, NO_HASH, readLine } from './audit-entry.js';
import { archivesOf, isArchive, openIfThere } from './audit-files.js';
import { headPath, readHead, type TrailHead } from './audit-head.js';
import { linesFromStart } from './audit-lines.js';

export type VerificationOutcome =
  | UnbrokenTrail
  /** First faulty line. `file` is set if it is not in the named file. */
  | {
      readonly kind: 'broken';
      readonly fault: { readonly line: number; readonly reason: string; readonly file?: string };
    };

interface UnbrokenTrail {
  readonly kind: 'unbroken';
  readonly entries: number;
  /** SHA-256 of the last line, or 64 zeros if there is none. Keep it elsewhere, together with the number of entries. */
  readonly lastHash: string;
  readonly lastTime: string | undefined;
  /**
   * Sequence number of the first entry, if earlier entries were removed and the removal was recorded, or if they are in
   * other files. Otherwise 1.
   */
  readonly first?: number;
  /** Changes without an outcome, oldest first. Undefined if there are none. */
  readonly unfinished?: readonly AuditLine[];
}

export type ExpectedEntry = TrailHead;

/** `what` of the entry that records the removal of a file. Its `before` has `last` and `lastHash`. */
export const REMOVED = 'trail.removed';

/**
 * Reads all files of a trail and finds the first line that was changed, removed, inserted or moved. A missing file is
 * an empty trail. An archived file is verified separately.
 *
 * The head file next to the trail reveals truncation and a changed last line. An attacker who can write both files can
 * hide changes. To detect that, keep the number and hash of an entry elsewhere and pass them as `expected`: all changes
 * up to that entry are then found.
 *
 * @throws Error if a file cannot be read
 */
export async function verifyAuditTrail(
  file: string,
  { expected }: { readonly expected?: ExpectedEntry } = {},
): Promise<VerificationOutcome> {
  const isAlone = isArchive(file);
  // Read the head before the trail, because the trail may grow between the two reads.
  const head = isAlone ? undefined : await readHead(file);
  const walk = new Walk(file, isAlone, [...(expected === undefined ? [] : [expected])], head);
  for (let next = await nextFile(file, isAlone, undefined); next !== undefined; ) {
    const { handle, path } = next;
    const before = walk.entries;
    try {
      const fault = await walk.read(handle, path);
      if (fault !== undefined) return fault;
    } finally {
      await handle.close();
    }
    if (path === file) break;
    next = await nextFile(file, isAlone, walk.entries);
    if (next === undefined && before === walk.entries) break;
  }
  return walk.end(expected);
}

interface OpenedFile {
  readonly handle: FileHandle;
  readonly path: string;
}

/** @param last sequence number before the file. Undefined: the first file. */
async function nextFile(file: string, isAlone: boolean, last: number | undefined): Promise<OpenedFile | undefined> {
  const archive = async () => {
    if (isAlone) return undefined;
    const archives = await archivesOf(file);
    return last === undefined ? archives[0] : archives.find(({ first }) => first > last);
  };
  const found = await archive();
  if (found !== undefined) return { handle: await open(found.path), path: found.path };
  const handle = await openIfThere(file);
  // The file may have been archived, and a new one started, between the two checks.
  const archived = await archive();
  if (archived === undefined) return handle === undefined ? undefined : { handle, path: file };
  await handle?.close();
  return { handle: await open(archived.path), path: archived.path };
}

class Walk {
  entries = 0;
  #lastHash = NO_HASH;
  #lastTime: string | undefined;
  #lastFile: string | undefined;
  #beginning: { readonly file: string; readonly sequence: number; readonly previous: string } | undefined;
  #isRemovalKnown = false;
  readonly #unfinished = new UnfinishedChanges();
  readonly #file: string;
  readonly #isAlone: boolean;
  readonly #expected: readonly ExpectedEntry[];
  readonly #head: TrailHead | undefined;

  constructor(file: string, isAlone: boolean, expected: readonly ExpectedEntry[], head: TrailHead | undefined) {
    this.#file = file;
    this.#isAlone = isAlone;
    this.#expected = expected;
    this.#head = head;
  }

  async read(handle: FileHandle, file: string): Promise<VerificationOutcome | undefined> {
    let number = 0;
    this.#lastFile = file;
    for await (const bytes of linesFromStart(handle)) {
      number++;
      const reason = bytes.kind === 'fault' ? bytes.fault : this.#take(bytes.value, file);
      if (reason !== undefined) return this.#broken(file, number, reason);
    }
    return undefined;
  }

  end(expected: ExpectedEntry | undefined): VerificationOutcome {
    const { entries } = this;
    const file = this.#file;
    const last = this.#lastFile ?? file;
    if (this.#beginning !== undefined && !this.#isAlone && !this.#isRemovalKnown) {
      const { sequence, file: first } = this.#beginning;
      return this.#broken(first, 1, faultInChain({ sequence } as AuditLine, 1, NO_HASH) ?? '');
    }
    if (expected !== undefined && entries < expected.sequence) {
      const reason = `there is no entry ${expected.sequence}: the trail ends after ${entries}, the rest was cut off`;
      return this.#broken(last, expected.sequence, reason);
    }
    if (this.#head !== undefined && entries < this.#head.sequence) {
      const reason = `there is no entry ${this.#head.sequence}, which was the last by ${headPath(file)}: the trail ends after ${entries}, the rest was cut off`;
      return this.#broken(last, this.#head.sequence, reason);
    }
    const { lines } = this.#unfinished;
    return {
      kind: 'unbroken',
      entries,
      lastHash: this.#lastHash,
      lastTime: this.#lastTime,
      ...(this.#beginning === undefined ? {} : { first: this.#beginning.sequence }),
      ...(lines.length === 0 ? {} : { unfinished: lines }),
    };
  }

  #take(bytes: Buffer, file: string): string | undefined {
    const read = readLine(bytes);
    if (read.kind === 'fault') return read.fault;
    const line = read.value;
    if (this.entries === 0 && line.sequence > 1) {
      const { sequence, previous } = line;
      this.#beginning = { file, sequence, previous };
      [this.entries, this.#lastHash] = [sequence - 1, previous];
    }
    const reason = faultInChain(line, this.entries + 1, this.#lastHash);
    if (reason !== undefined) return reason;
    [this.entries, this.#lastHash, this.#lastTime] = [line.sequence, hashOf(bytes), line.time];
    this.#unfinished.take(line);
    this.#isRemovalKnown ||= this.#saysRemoved(line);
    for (const { sequence, hash } of this.#expected) {
      if (line.sequence !== sequence || this.#lastHash === hash) continue;
      return `it is not the entry ${hash}: it, or an earlier entry, was rewritten`;
    }
    if (line.sequence === this.#head?.sequence && this.#lastHash !== this.#head.hash) {
      return `it is not the entry ${this.#head.hash}, which was the last: it, or an earlier entry, was rewritten`;
    }
    return undefined;
  }

  #saysRemoved({ what, before }: AuditLine): boolean {
    if (what !== REMOVED || this.#beginning === undefined) return false;
    const { last, lastHash } = Object(before) as Record<string, unknown>;
    return last === this.#beginning.sequence - 1 && lastHash === this.#beginning.previous;
  }

  #broken(file: string, line: number, reason: string): VerificationOutcome {
    return { kind: 'broken', fault: { line, reason, ...(file === this.#file ? {} : { file }) } };
  }
}
