import { type FileHandle, readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { ChainPosition } from './audit-chain.js';
import { type AuditLine, readLine } from './audit-entry.js';
import { LARGEST_LINE_BYTES, LINE_END, readBlock } from './audit-lines.js';
import { openIfThere, readTail, START } from './audit-tail.js';

/** `what` of the first entry of a file that goes on from another one. */
export const CONTINUED = 'trail.continued';

const SEQUENCE_DIGITS = 12;
const EXTENSION = '.jsonl';

/** A file of a trail that nothing is added to any more. */
interface ArchivedFile {
  readonly path: string;
  /** Number of its first entry. */
  readonly first: number;
}

/** The name that a file gets when another one begins: `audit-000000000001.jsonl`, by the number of its first entry. */
export function archivePath(file: string, first: number): string {
  return join(dirname(file), `${stemOf(file)}-${String(first).padStart(SEQUENCE_DIGITS, '0')}${EXTENSION}`);
}

/** Those that are there, the oldest first. */
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

/** Whether a name is that of a file that nothing is added to any more: it may stand by itself. */
export function isArchive(file: string): boolean {
  return /-\d{12}\.jsonl$/.test(basename(file));
}

const ARCHIVE = /^\d{12}\.jsonl$/;

function stemOf(file: string): string {
  return basename(file, EXTENSION);
}

/** The first line of a file; undefined: it has no whole line, or the line is no entry. */
async function firstLine(handle: FileHandle): Promise<AuditLine | undefined> {
  const block = await readBlock(handle, 0, LARGEST_LINE_BYTES + 1);
  const end = block.indexOf(LINE_END);
  const line = end < 0 ? undefined : readLine(block.subarray(0, end));
  return line?.kind === 'read' ? line.value : undefined;
}

/**
 * What a file goes on from by its own first line.
 * @throws Error where that line has another number
 */
export async function baseOfFirst(handle: FileHandle, first: number): Promise<ChainPosition> {
  const line = await firstLine(handle);
  if (line?.sequence !== first)
    throw new Error(`its first entry should be ${first}, and is ${line?.sequence ?? 'none'}`);
  return { bytes: 0, sequence: first - 1, hash: line.previous };
}

/** What the current file of a trail goes on from: the last entry of the file before it. */
export async function baseOf(file: string, handle: FileHandle | undefined): Promise<ChainPosition> {
  const last = (await archivesOf(file)).at(-1);
  const archive = last === undefined ? undefined : await openIfThere(last.path);
  if (last === undefined || archive === undefined) {
    // those before it were removed, or there were none
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
