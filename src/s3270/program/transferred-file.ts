import type { Stats } from 'node:fs';
import { appendFile, constants, type FileHandle, open, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { usualFileMode } from '../../lib/files/private-path.js';
import { replaceFile } from '../../lib/files/replace-file.js';

const LEAST_READ = 65_536;

/** Only regular files are accepted: reading a pipe or a device may never end. A file may grow while it is read. */
export async function readTransferredFile(file: string, mostBytes: number): Promise<Uint8Array> {
  // non-blocking: opening a pipe without a writer would wait
  const handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const stats = await handle.stat();
    if (!stats.isFile()) throw notRegular(stats);
    const tooLarge = (bytes: number | string) => new Error(`it has ${bytes} bytes; at most ${mostBytes} are sent`);
    if (stats.size > mostBytes) throw tooLarge(stats.size);
    const bytes = await readUpTo(handle, mostBytes, stats.size);
    if (bytes.length > mostBytes) throw tooLarge(`more than ${mostBytes}`);
    return bytes;
  } finally {
    await handle.close();
  }
}

function notRegular(stats: Stats): Error {
  return stats.isDirectory()
    ? Object.assign(new Error('it is a folder'), { code: 'EISDIR' })
    : new Error('it is a pipe or a device, not a regular file');
}

async function readUpTo(handle: FileHandle, most: number, expected: number): Promise<Uint8Array> {
  let buffer = Buffer.allocUnsafe(Math.min(Math.max(expected, LEAST_READ), most) + 1);
  let length = 0;
  for (;;) {
    const { bytesRead } = await handle.read(buffer, length, buffer.length - length);
    length += bytesRead;
    if (bytesRead === 0 || length > most) return buffer.subarray(0, length);
    if (length === buffer.length) buffer = Buffer.concat([buffer], Math.min(2 * length, most + 1));
  }
}

export async function checkReceivingFile(file: string): Promise<void> {
  await stat(dirname(file));
  const there = await stat(file).catch(() => undefined);
  if (there?.isFile() === false) throw notRegular(there);
}

/** Stores a received file. A replaced file is never incomplete: it has either its old or its new content. */
export async function writeTransferredFile(file: string, bytes: Uint8Array, how: 'append' | 'replace'): Promise<void> {
  await checkReceivingFile(file);
  const mode = usualFileMode();
  if (how === 'append') await appendFile(file, bytes, { mode });
  else await replaceFile(file, Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length), mode);
}

export async function isFileThere(file: string): Promise<boolean> {
  return stat(file).then(
    () => true,
    () => false,
  );
}
