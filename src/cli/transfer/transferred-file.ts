import { appendFile, open, stat } from 'node:fs/promises';
import { replaceFile } from '../../security/replace-file.js';

const USUAL_MODE = 0o644;

/** A file that is sent. @throws Error where it has more bytes, or cannot be read */
export async function readTransferredFile(file: string, mostBytes: number): Promise<Uint8Array> {
  const handle = await open(file, 'r');
  try {
    const { size } = await handle.stat();
    if (size > mostBytes) throw new Error(`it has ${size} bytes; at most ${mostBytes} are sent`);
    return await handle.readFile();
  } finally {
    await handle.close();
  }
}

/** Keeps a file that was received: under its name there is the whole of it, or what was there before. */
export async function writeTransferredFile(file: string, bytes: Uint8Array, how: 'append' | 'replace'): Promise<void> {
  if (how === 'append') await appendFile(file, bytes, { mode: USUAL_MODE });
  else await replaceFile(file, Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length), USUAL_MODE);
}

export async function isFileThere(file: string): Promise<boolean> {
  return stat(file).then(
    () => true,
    () => false,
  );
}
