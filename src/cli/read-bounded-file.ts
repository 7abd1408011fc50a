import { readFile, stat } from 'node:fs/promises';

const LARGEST_SOURCE_BYTES = 4 * 1024 * 1024;

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'no such file',
  EISDIR: 'it is a folder',
  EACCES: 'no permission to read it',
};

/** Reads a file named on the command line. @throws Error with a message for the user */
export async function readBoundedFile(file: string): Promise<string> {
  try {
    const { size } = await stat(file);
    if (size > LARGEST_SOURCE_BYTES) throw new Error(`it has ${size} bytes; at most ${LARGEST_SOURCE_BYTES} are read`);
    return await readFile(file, 'utf8');
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException;
    throw new Error(`${file}: cannot be read: ${reasons[code] ?? message}`);
  }
}
