import { createHash } from 'node:crypto';
import { lstat, open, readdir, rename, rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import { basename, dirname, join } from 'node:path';

/** Identifies the machine, because a folder may be shared, and process IDs are only valid on their machine. */
const MACHINE = createHash('sha256').update(hostname()).digest('hex').slice(0, 8);
/** Files older than this are left over, even if a process has the ID of their writer. */
const LONGEST_WRITE_MILLISECONDS = 86_400_000;
/** File name, machine and process. Earlier versions omit the machine. */
const HALF_WRITTEN = /^(.+)\.(?:([0-9a-f]{8})-)?(\d{1,10})\.new$/;

interface Writer {
  readonly machine: string | undefined;
  readonly process: string | undefined;
}

export function writerMark(): string {
  return `${MACHINE}-${process.pid}`;
}

export function temporaryName(file: string): string {
  return `${file}.${writerMark()}.new`;
}

/** Undefined if the name is not a temporary name of a file that `isOurs` accepts. */
export function writerIn(name: string, isOurs: (file: string) => boolean): Writer | undefined {
  const [, file = '', machine, number] = HALF_WRITTEN.exec(name) ?? [];
  return isOurs(file) ? { machine: machine ?? MACHINE, process: number } : undefined;
}

/**
 * Removes partly written files of killed processes from a folder, because they may contain secrets. Files still being
 * written, files of other users, and files with other names stay.
 * @param writerOf returns the writer by file name, or undefined for other files
 * @returns names of the removed files
 */
export async function removeHalfWritten(
  folder: string,
  writerOf: (name: string) => Writer | undefined,
): Promise<readonly string[]> {
  const removed: string[] = [];
  for (const name of await namesIn(folder)) {
    const writer = writerOf(name);
    if (writer === undefined) continue;
    const path = join(folder, name);
    const file = await lstat(path).catch(() => undefined);
    if (file?.isFile() !== true || (process.getuid !== undefined && file.uid !== process.getuid())) continue;
    const isOld = Date.now() - file.mtimeMs > LONGEST_WRITE_MILLISECONDS;
    if (!isOld && isBeingWritten(writer)) continue;
    await rm(path, { force: true });
    removed.push(name);
  }
  return removed;
}

export async function halfWrittenOf(file: string): Promise<string[]> {
  const folder = dirname(file);
  const names = await readdir(folder).catch(() => []);
  const isOurs = (name: string) => name === basename(file);
  return names.filter((name) => writerIn(name, isOurs) !== undefined).map((name) => join(folder, name));
}

/** Requires the lock of the file, so that no other process is writing. */
export async function removeHalfWrittenOf(file: string): Promise<void> {
  for (const path of await halfWrittenOf(file)) await rm(path, { force: true });
}

function isBeingWritten({ machine, process: written }: Writer): boolean {
  if (machine === undefined || written === undefined) return false;
  if (machine !== MACHINE) return true;
  const number = Number(written);
  return number !== process.pid && isRunning(number);
}

function isRunning(processNumber: number): boolean {
  try {
    process.kill(processNumber, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Empty if the folder does not exist. */
export async function namesIn(folder: string): Promise<readonly string[]> {
  return readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
}

/**
 * Replaces a file atomically: readers, also after a crash, see either the old or the new contents.
 * @param temporary name of the file until it is complete
 */
export async function replaceFile(
  file: string,
  text: string | Buffer | AsyncIterable<string>,
  mode = 0o600,
  temporary = temporaryName(file),
): Promise<void> {
  try {
    const handle = await open(temporary, 'w', 0o600);
    try {
      if (mode !== 0o600) await handle.chmod(mode);
      // Node.js accepts iterables, but its types do not.
      await handle.writeFile(text as string);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  await syncFolder(dirname(file));
}

/** Flushes the names in a folder to disk, so that a crash does not remove a new file. */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const opened = await open(folder, 'r');
  try {
    await opened.sync();
  } catch (error) {
    // Some file systems do not support fsync of folders.
    if ((error as NodeJS.ErrnoException).code !== 'EINVAL') throw error;
  } finally {
    await opened.close();
  }
}
