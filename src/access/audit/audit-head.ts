import { open } from 'node:fs/promises';
import { openIfThere } from './audit-files.js';
import { readBlock } from './audit-lines.js';

/** The last entry of a trail: with it kept elsewhere, a trail that was cut off is found. */
export interface TrailHead {
  readonly sequence: number;
  readonly hash: string;
}

const SEQUENCE_DIGITS = 16;
const HEAD = /^(\d{16}):([0-9a-f]{64})\n$/;
const HEAD_BYTES = SEQUENCE_DIGITS + 1 + 64 + 1;

/** The file beside a trail that says which its last entry was. */
export function headPath(file: string): string {
  return `${file}.head`;
}

/** As `audit verify --entry` takes it. */
export function headText({ sequence, hash }: TrailHead): string {
  return `${sequence}:${hash}`;
}

/** Undefined: there is none, or it says nothing (a power failure). */
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

/** In its place, so that a full disk hinders nothing; one that is older than the trail does no harm. */
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
