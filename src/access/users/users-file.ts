import { readFile, stat } from 'node:fs/promises';
import { replaceFile } from '../../lib/files/replace-file.js';
import type { ReadOutcome } from '../../lib/read-outcome.js';
import type { ThreadWork } from '../../lib/turns/thread-orders.js';
import { WorkThreads } from '../../lib/turns/work-threads.js';
import { emptyDocument, readUsersDocument, type UsersDocument, writeUsersDocument } from './users-document.js';

const LARGEST_SECURITY_FILE_BYTES = 2 * 1024 * 1024;
/** Larger texts and documents are processed on another thread: YAML takes half a second per megabyte. */
const LARGEST_HERE_CHARACTERS = 20_000;
const MOST_USERS_HERE = 100;

const module = new URL('./users-file-worker.js', import.meta.url);
export const usersFileReading: ThreadWork<string, ReadOutcome<UsersDocument>> = {
  name: 'reading of users',
  module,
};
export const usersFileWriting: ThreadWork<UsersDocument, string> = { name: 'writing of users', module };

export interface UsersFileState {
  /** Identifies a version of the file. Undefined if the file does not exist. */
  readonly stamp: string | undefined;
  readonly document: UsersDocument;
}

export async function stampOf(file: string): Promise<string | undefined> {
  try {
    const { mtimeMs, size, ino } = await stat(file);
    return `${ino}.${mtimeMs}.${size}`;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

export async function readUsersFile(file: string): Promise<UsersFileState> {
  const stamp = await stampOf(file);
  if (stamp === undefined) return { stamp, document: emptyDocument };
  const bytes = await readFile(file);
  if (bytes.length > LARGEST_SECURITY_FILE_BYTES) {
    throw new Error(`${file}: expected at most ${LARGEST_SECURITY_FILE_BYTES} bytes, found ${bytes.length}`);
  }
  const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  const read =
    text.length <= LARGEST_HERE_CHARACTERS
      ? readUsersDocument(text)
      : await WorkThreads.ofOperator.run(usersFileReading, text, { address: file });
  if (read.kind === 'fault') throw new Error(`${file}: ${read.fault}`);
  return { stamp, document: read.value };
}

/** Replaces the file atomically. */
export async function writeUsersFile(file: string, document: UsersDocument): Promise<UsersFileState> {
  const text =
    Object.keys(document.users).length <= MOST_USERS_HERE
      ? writeUsersDocument(document)
      : await WorkThreads.ofOperator.run(usersFileWriting, document, { address: file });
  await replaceFile(file, text);
  return { stamp: await stampOf(file), document };
}
