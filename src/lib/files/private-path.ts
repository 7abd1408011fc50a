import { chmodSync, closeSync, openSync, writeSync } from 'node:fs';
import { lstat, mkdir } from 'node:fs/promises';
import type { Server } from 'node:net';

/** Modes of what its owner alone may use. A umask takes bits away from them and adds none. */
export const PRIVATE_FILE = 0o600;
const PRIVATE_FOLDER = 0o700;
/** Bits of the group and of all others. */
const OF_OTHERS = 0o077;

/**
 * Makes a folder that its owner alone may enter, and those above it that are not there. One that is there stays as it is.
 * @returns the first one that was made; undefined if it was there
 */
export function makePrivateFolder(folder: string): Promise<string | undefined> {
  return mkdir(folder, { recursive: true, mode: PRIVATE_FOLDER });
}

/** Makes a file that nobody else may read, and that was not there: a link that waits under its name is not followed. @throws Error EEXIST */
export function makePrivateFile(file: string, text = ''): void {
  const descriptor = openSync(file, 'wx', PRIVATE_FILE);
  try {
    writeSync(descriptor, text);
  } finally {
    closeSync(descriptor);
  }
}

/**
 * Listens on a socket of the file system that its owner alone may connect to. Node binds it before `listen` returns, so that the umask of the
 * process makes it private from its first moment, and is as before when anything else runs. Only for the main thread of a process: others have no umask
 * to set. A file that another thread of the process makes at this time gets no more bits, and perhaps fewer.
 */
export function listenPrivately(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    const before = process.umask(OF_OTHERS | 0o100);
    try {
      // of a cluster, too: the primary process would bind it later, with its own umask
      server.listen({ path, exclusive: true }, () => {
        server.off('error', reject);
        resolve();
      });
    } finally {
      process.umask(before);
    }
  });
}

/** Takes the rights of all others from a file of this user. @throws Error if the file is another user's */
export function makePrivate(file: string, mode = PRIVATE_FILE): void {
  chmodSync(file, mode);
}

/** Mode of a file that is for its user, who has said by the umask for whom else. */
export function usualFileMode(): number {
  return 0o644 & ~process.umask();
}

/** @returns what lets others into a file or folder that is to be private; undefined: nothing does, or it is not there */
export async function privacyFault(path: string): Promise<string | undefined> {
  const facts = await lstat(path).catch(() => undefined);
  if (facts === undefined || process.getuid === undefined) return undefined;
  if (facts.uid !== process.getuid()) return `${path} belongs to another user`;
  if ((facts.mode & OF_OTHERS) === 0) return undefined;
  const right = facts.isDirectory() ? '700' : '600';
  return `${path} is open to other users: chmod ${right} ${path}`;
}
