import { type FileHandle, open } from 'node:fs/promises';
import { faultInChain, UnfinishedChanges } from './audit-chain.js';
import { type AuditLine, hashOf, NO_HASH, readLine } from './audit-entry.js';
import { archivesOf, isArchive, openIfThere } from './audit-files.js';
import { headPath, readHead, type TrailHead } from './audit-head.js';
import { linesFromStart } from './audit-lines.js';

/** What a verification found. */
export type VerificationOutcome =
  | UnbrokenTrail
  /** The first line that is not what was written: its number in its file, where that is not the one that was named. */
  | {
      readonly kind: 'broken';
      readonly fault: { readonly line: number; readonly reason: string; readonly file?: string };
    };

interface UnbrokenTrail {
  readonly kind: 'unbroken';
  /** Number of the last entry. */
  readonly entries: number;
  /** SHA-256 of the last line, 64 zeros where there is none. To be kept elsewhere, with the number of entries. */
  readonly lastHash: string;
  readonly lastTime: string | undefined;
  /** Number of the first entry, where those before it were removed on record, or are in other files; else it is 1. */
  readonly first?: number;
  /** Changes without an outcome, the oldest first; not there where there is none. */
  readonly unfinished?: readonly AuditLine[];
}

/** An entry that was there when the trail was verified earlier. */
export type ExpectedEntry = TrailHead;

/** `what` of the entry that says that a file was removed; `before` has `last` and `lastHash`. */
export const REMOVED = 'trail.removed';

/**
 * Reads a trail from its beginning, all of its files, and finds the first line that was changed, removed, inserted or moved. A
 * file that does not exist is a trail of no entries. An archived file is verified by itself.
 *
 * That lines at the end were cut off, or the last one was changed, is found by the file beside the trail that says which was the
 * last. Whoever can write both can still do so, or write everything anew: who keeps the number and the hash of an entry elsewhere
 * hands them over as `expected` later, and all of that is found up to that entry.
 *
 * @throws Error where a file cannot be read
 */
export async function verifyAuditTrail(
  file: string,
  { expected }: { readonly expected?: ExpectedEntry } = {},
): Promise<VerificationOutcome> {
  const isAlone = isArchive(file);
  // before the trail is read, which may grow meanwhile
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

/** The file with the entry after that number; undefined as a number: the first file. */
async function nextFile(file: string, isAlone: boolean, last: number | undefined): Promise<OpenedFile | undefined> {
  const archive = async () => {
    if (isAlone) return undefined;
    const archives = await archivesOf(file);
    return last === undefined ? archives[0] : archives.find(({ first }) => first > last);
  };
  const found = await archive();
  if (found !== undefined) return { handle: await open(found.path), path: found.path };
  const handle = await openIfThere(file);
  // it may have been archived, and another begun, between the two looks
  const archived = await archive();
  if (archived === undefined) return handle === undefined ? undefined : { handle, path: file };
  await handle?.close();
  return { handle: await open(archived.path), path: archived.path };
}

/** What is known while the lines of a trail are read in their order. */
class Walk {
  entries = 0;
  #lastHash = NO_HASH;
  #lastTime: string | undefined;
  #lastFile: string | undefined;
  /** Of the first line, where it is not number 1. */
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

  /** @returns why it cannot be the next line */
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
      return `it is not the entry ${hash}: it, or what is before it, was written anew`;
    }
    if (line.sequence === this.#head?.sequence && this.#lastHash !== this.#head.hash) {
      return `it is not the entry ${this.#head.hash}, which was the last: it, or what is before it, was written anew`;
    }
    return undefined;
  }

  /** Whether an entry says that what is missing at the beginning was removed. */
  #saysRemoved({ what, before }: AuditLine): boolean {
    if (what !== REMOVED || this.#beginning === undefined) return false;
    const { last, lastHash } = Object(before) as Record<string, unknown>;
    return last === this.#beginning.sequence - 1 && lastHash === this.#beginning.previous;
  }

  #broken(file: string, line: number, reason: string): VerificationOutcome {
    return { kind: 'broken', fault: { line, reason, ...(file === this.#file ? {} : { file }) } };
  }
}
