import { type FileHandle, open } from 'node:fs/promises';
import type { ChainPosition } from './audit-chain.js';
import { hashOf, NO_HASH, readLine } from './audit-entry.js';
import { LARGEST_LINE_BYTES, LINE_END, readBlock } from './audit-lines.js';

/** The beginning of a trail. */
export const START: ChainPosition = { bytes: 0, sequence: 0, hash: NO_HASH };

export interface Tail {
  /** Of the last whole line of the trail; 0 and zeros where there is none. */
  readonly sequence: number;
  readonly hash: string;
  /** Of the last whole line; undefined where the file has none. */
  readonly time: string | undefined;
  /** Up to the end of the last whole line. */
  readonly wholeBytes: number;
  /** A line without its end: who wrote it was killed, and nobody was told that it is there. */
  readonly tornBytes: Buffer | undefined;
}

/** @param base what the file goes on from, where it has no whole line yet */
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
  return new Error(`${file}: nothing is appended: its last line is no entry: ${reason}`);
}

export async function openIfThere(file: string): Promise<FileHandle | undefined> {
  try {
    return await open(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
