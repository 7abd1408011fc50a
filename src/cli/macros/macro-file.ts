import { stat } from 'node:fs/promises';
import { isAbsolute, join, relative, resolve, sep } from 'node:path';
import { readAtMost } from '../../config/read-at-most.js';
import { MACRO_FILE_NAME } from '../../macros/macro-directory.js';
import { MOST_MACRO_FILE_BYTES } from '../../macros/macro-set.js';

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'no such file',
  ENOTDIR: 'no such file',
  EISDIR: 'it is a folder',
  EACCES: 'no permission to read it',
};

/** A macros.json that cannot be sent. The message is for a person. */
export class MacroFileError extends Error {
  override readonly name = 'MacroFileError';
}

/** Whether a local sub-directory lies in the base directory (specification 4.6 rule 5). */
export function isBelow(base: string, folder: string): boolean {
  const way = relative(resolve(base), resolve(base, folder));
  return !isAbsolute(way) && way !== '..' && !way.startsWith(`..${sep}`);
}

/**
 * The macros.json of a group or a user: in the folder of that name where the sub-directory has one, otherwise in the
 * sub-directory itself.
 */
export async function macroFileOf(subdirectory: string, name: string): Promise<string> {
  const own = join(subdirectory, name);
  const folder = (await isFolder(own)) ? own : subdirectory;
  return join(folder, MACRO_FILE_NAME);
}

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch {
    return false;
  }
}

/** @throws MacroFileError for a file that is missing, too large, or no JSON with macros */
export async function readMacroFile(file: string): Promise<Buffer> {
  const bytes = await readBytes(file);
  if (bytes.length > MOST_MACRO_FILE_BYTES) {
    throw new MacroFileError(`${file}: it has more than ${MOST_MACRO_FILE_BYTES} bytes`);
  }
  let content: unknown;
  try {
    content = JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes));
  } catch (error) {
    throw new MacroFileError(`${file}: it is not JSON: ${(error as Error).message}`);
  }
  const { macros } = Object(content) as { macros?: unknown };
  if (!Array.isArray(macros)) throw new MacroFileError(`${file}: it has no list "macros"`);
  return bytes;
}

/** At most one byte more than may be sent. */
async function readBytes(file: string): Promise<Buffer> {
  try {
    return await readAtMost(file, MOST_MACRO_FILE_BYTES);
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException;
    throw new MacroFileError(`${file}: cannot be read: ${reasons[code] ?? message}`);
  }
}
