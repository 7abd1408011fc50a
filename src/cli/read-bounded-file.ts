import { readFile, stat } from 'node:fs/promises';
import { unreadable } from '../config/read-source.js';

const LARGEST_SOURCE_BYTES = 4 * 1024 * 1024;

/** Reads a file named on the command line. @throws Error with a message for the user */
export async function readBoundedFile(file: string): Promise<string> {
  try {
    const { size } = await stat(file);
    if (size > LARGEST_SOURCE_BYTES) throw new Error(`it has ${size} bytes; at most ${LARGEST_SOURCE_BYTES} are read`);
    return await readFile(file, 'utf8');
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException;
    throw new Error(`${file}: cannot be read: ${unreadable[code] ?? message}`);
  }
}
