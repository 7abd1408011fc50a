import { open } from 'node:fs/promises';
import { openIfThere } from './audit-files.js';
import { readBlock } from './audit-lines.js';

/** Last entry of a trail. A copy kept elsewhere reveals a truncated trail. */
export interface TrailHead {
  readonly sequence: number;
  readonly hash: string;
}

const SEQUENCE_DIGITS = 16;
const HEAD = /^(\d{16}):([0-9a-f]{64})\n$/;
const HEAD_BYTES = SEQUENCE_DIGITS + 1 + 64 + 1;

/** File next to the trail that states its last entry. */
export function headPath(file: string): string {
  return `${file}.head`;
}

/** The format of `audit verify --entry`. */
export function headText({ sequence, hash }: TrailHead): string {
  return `${sequence}:${hash}`;
}

/** Undefined if the file is missing or not readable as a head, for example after a power failure. */
export async function readHead(file: string): Promise<TrailHead | undefined> {
  const handle = await openIfThere(headPath(file));
  try {
    const text = handle === undefined ? '' : (await readBlock(handle, 0, HEAD_BYTES + 1)).toString('latin1');
    const [, sequence, hash] = HEAD.exec(text) ?? [];
    return sequence === undefined || hash === undefined ? undefined : { sequence: Number(sequence), hash };
  } finally {
    await handle?.close();
  }
}

/** Overwrites the file in place, so that a full disk does not matter. A head older than the trail is harmless. */
export async function writeHead(file: string, { sequence, hash }: TrailHead): Promise<void> {
  const path = headPath(file);
  const handle = await open(path, 'r+').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return open(path, 'wx', 0o600);
    throw error;
  });
  try {
    await handle.write(`${String(sequence).padStart(SEQUENCE_DIGITS, '0')}:${hash}\n`, 0, 'latin1');
  } finally {
    await handle.close();
  }
}
