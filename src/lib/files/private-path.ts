import { chmodSync, closeSync, openSync, writeSync } from 'node:fs';
import { lstat, mkdir } from 'node:fs/promises';
import type { Server } from 'node:net';

/** Modes for the owner only. The umask can only remove bits. */
export const PRIVATE_FILE = 0o600;
const PRIVATE_FOLDER = 0o700;
const OF_OTHERS = 0o077;

/**
 * Creates a folder for the owner only, and its missing parents. An existing folder is not changed.
 * @returns the first folder created, or undefined
 */
export function makePrivateFolder(folder: string): Promise<string | undefined> {
  return mkdir(folder, { recursive: true, mode: PRIVATE_FOLDER });
}

/**
 * Creates a new file for the owner only. Does not follow a symbolic link.
 * @throws Error EEXIST
 */
export function makePrivateFile(file: string, text = ''): void {
  const descriptor = openSync(file, 'wx', PRIVATE_FILE);
  try {
    writeSync(descriptor, text);
  } finally {
    closeSync(descriptor);
  }
}

/**
 * Listens on a Unix socket that only the owner can connect to. Node.js binds the socket before `listen` returns, so the
 * umask set here applies to the socket only. Call from the main thread: workers cannot set the umask. Files that other
 * threads create at the same time get at most fewer bits.
 */
export function listenPrivately(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    const before = process.umask(OF_OTHERS | 0o100);
    try {
      // Exclusive, because the primary process of a cluster would bind the socket later, with its own umask.
      server.listen({ path, exclusive: true }, () => {
        server.off('error', reject);
        resolve();
      });
    } finally {
      process.umask(before);
    }
  });
}

/**
 * Removes the permissions of group and others.
 * @throws Error if the file belongs to another user
 */
export function makePrivate(file: string, mode = PRIVATE_FILE): void {
  chmodSync(file, mode);
}

export function usualFileMode(): number {
  return 0o644 & ~process.umask();
}

/** @returns the reason why other users have access, or undefined. A missing file or folder is private. */
export async function privacyFault(path: string): Promise<string | undefined> {
  const facts = await lstat(path).catch(() => undefined);
  if (facts === undefined || process.getuid === undefined) return undefined;
  if (facts.uid !== process.getuid()) return `${path} belongs to another user`;
  if ((facts.mode & OF_OTHERS) === 0) return undefined;
  const right = facts.isDirectory() ? '700' : '600';
  return `${path} is open to other users: chmod ${right} ${path}`;
}
