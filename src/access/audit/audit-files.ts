import { type FileHandle, open, readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { ChainPosition } from './audit-chain.js';
import { type AuditLine, hashOf, NO_HASH, readLine } from './audit-entry.js';
import { LARGEST_LINE_BYTES, LINE_END, readBlock } from './audit-lines.js';

/** `what` of the first entry of each file after the first. */
export const CONTINUED = 'trail.continued';

const SEQUENCE_DIGITS = 12;
const EXTENSION = '.jsonl';

interface ArchivedFile {
  readonly path: string;
  readonly first: number;
}

/** Archived name, by the sequence number of the first entry: `audit-000000000001.jsonl`. */
export function archivePath(file: string, first: number): string {
  return join(dirname(file), `${stemOf(file)}-${String(first).padStart(SEQUENCE_DIGITS, '0')}${EXTENSION}`);
}

/** Oldest first. */
export async function archivesOf(file: string): Promise<readonly ArchivedFile[]> {
  const folder = dirname(file);
  const prefix = `${stemOf(file)}-`;
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  return names
    .filter((name) => name.startsWith(prefix) && ARCHIVE.test(name.slice(prefix.length)))
    .map((name) => ({ path: join(folder, name), first: Number(name.slice(prefix.length, -EXTENSION.length)) }))
    .sort((one, other) => one.first - other.first);
}

export function isArchive(file: string): boolean {
  return /-\d{12}\.jsonl$/.test(basename(file));
}

const ARCHIVE = /^\d{12}\.jsonl$/;

function stemOf(file: string): string {
  return basename(file, EXTENSION);
}

async function firstLine(handle: FileHandle): Promise<AuditLine | undefined> {
  const block = await readBlock(handle, 0, LARGEST_LINE_BYTES + 1);
  const end = block.indexOf(LINE_END);
  const line = end < 0 ? undefined : readLine(block.subarray(0, end));
  return line?.kind === 'read' ? line.value : undefined;
}

/**
 * Chain position before the first line of a file, as that line states it.
 * @throws Error if the first line has another sequence number
 */
export async function baseOfFirst(handle: FileHandle, first: number): Promise<ChainPosition> {
  const line = await firstLine(handle);
  if (line?.sequence !== first)
    throw new Error(`its first entry should be ${first}, and is ${line?.sequence ?? 'none'}`);
  return { bytes: 0, sequence: first - 1, hash: line.previous };
}

/** Chain position at which the current file starts: the last entry of the previous file. */
export async function baseOf(file: string, handle: FileHandle | undefined): Promise<ChainPosition> {
  const last = (await archivesOf(file)).at(-1);
  const archive = last === undefined ? undefined : await openIfThere(last.path);
  if (last === undefined || archive === undefined) {
    // The previous files were removed, or this is the first file.
    const line = handle === undefined ? undefined : await firstLine(handle);
    if (line?.what !== CONTINUED) return START;
    return { bytes: 0, sequence: line.sequence - 1, hash: line.previous };
  }
  try {
    const { sequence, hash } = await readTail(archive, last.path);
    return { bytes: 0, sequence, hash };
  } finally {
    await archive.close();
  }
}

const START: ChainPosition = { bytes: 0, sequence: 0, hash: NO_HASH };

export interface Tail {
  /** Of the last complete line of the trail. 0, with a hash of zeros, if there is no line. */
  readonly sequence: number;
  readonly hash: string;
  readonly time: string | undefined;
  /** End of the last complete line, in bytes. */
  readonly wholeBytes: number;
  /** Bytes of an incomplete last line. The process that wrote it was killed before it confirmed the entry. */
  readonly tornBytes: Buffer | undefined;
}

export async function readTail(
  handle: FileHandle,
  file: string,
  base: Pick<ChainPosition, 'sequence' | 'hash'> = START,
): Promise<Tail> {
  const { size } = await handle.stat();
  const length = Math.min(size, 2 * (LARGEST_LINE_BYTES + 1));
  const tail = await readBlock(handle, size - length, length);
  const end = tail.lastIndexOf(LINE_END);
  const torn = tail.subarray(end + 1);
  if (torn.length > LARGEST_LINE_BYTES) throw notATrail(file, `it is longer than ${LARGEST_LINE_BYTES} bytes`);
  const tornBytes = torn.length > 0 ? torn : undefined;
  if (end < 0) return { sequence: base.sequence, hash: base.hash, time: undefined, wholeBytes: 0, tornBytes };
  const last = end === 0 ? tail.subarray(0, 0) : tail.subarray(tail.lastIndexOf(LINE_END, end - 1) + 1, end);
  const line = readLine(last);
  if (line.kind === 'fault') throw notATrail(file, line.fault);
  return {
    sequence: line.value.sequence,
    hash: hashOf(last),
    time: line.value.time,
    wholeBytes: size - torn.length,
    tornBytes,
  };
}

function notATrail(file: string, reason: string): Error {
  return new Error(`${file}: nothing is appended: its last line is not an entry: ${reason}`);
}

export async function openIfThere(file: string): Promise<FileHandle | undefined> {
  try {
    return await open(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
