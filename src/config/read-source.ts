import { SourceError } from '../lib/documents/source-diagnostic.js';
import { readAtMost } from './read-at-most.js';

/**
 * The text of a file that people write.
 * @param most bytes that it may have
 * @param what for example `the configuration`
 * @throws SourceError where it cannot be read, is larger, or is not UTF-8
 */
export async function readSource(file: string, most: number, what: string): Promise<string> {
  const bytes = await readBytes(file, most, what);
  if (bytes.length > most) {
    throw wholeFile(file, `expected at most ${most} bytes, found a larger file`);
  }
  const text = new TextDecoder('utf-8').decode(bytes);
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    const before = text.slice(0, text.indexOf('\ufffd')).split('\n');
    const place = { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
    throw new SourceError([{ file, ...place, message: 'expected UTF-8, found other bytes', severity: 'error' }], text);
  }
  return text;
}

/**
 * At most one byte more than the file may have.
 * @throws SourceError where it cannot be read
 */
async function readBytes(file: string, most: number, what: string): Promise<Uint8Array> {
  const readable: Readonly<Record<string, string>> = {
    ENOENT: 'no such file',
    EISDIR: 'it is a folder',
    EACCES: 'no permission to read it',
  };
  try {
    return await readAtMost(file, most);
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException;
    throw wholeFile(file, `${what} cannot be read: ${readable[code] ?? message}`);
  }
}

function wholeFile(file: string, message: string): SourceError {
  return new SourceError([{ file, line: 1, column: 1, message, severity: 'error' }], '');
}
