import { createHash } from 'node:crypto';
import { lstat, open, readdir, rename, rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import { basename, dirname, join } from 'node:path';

/** Marks files of this machine: a folder may be shared, and process numbers of another machine mean nothing here. */
const MACHINE = createHash('sha256').update(hostname()).digest('hex').slice(0, 8);
/** No file takes that long to write. After it a file is left over, whatever process has the number of its writer now. */
const LONGEST_WRITE_MILLISECONDS = 86_400_000;
/** The name of the file, and the machine and process that write it. Earlier versions named no machine. */
const HALF_WRITTEN = /^(.+)\.(?:([0-9a-f]{8})-)?(\d{1,10})\.new$/;

/** The writer of a half-written file. Undefined: the name does not say it, and the version that wrote such names has ended. */
interface Writer {
  readonly machine: string | undefined;
  readonly process: string | undefined;
}

/** What files of this process have in their names while they are written. */
export function writerMark(): string {
  return `${MACHINE}-${process.pid}`;
}

/** What a file is called while it is written, before it takes the place of the other. */
export function temporaryName(file: string): string {
  return `${file}.${writerMark()}.new`;
}

/** Who writes the file of a temporary name. Undefined: it is another name, or the file that it replaces is not ours. */
export function writerIn(name: string, isOurs: (file: string) => boolean): Writer | undefined {
  const [, file = '', machine, number] = HALF_WRITTEN.exec(name) ?? [];
  return isOurs(file) ? { machine: machine ?? MACHINE, process: number } : undefined;
}

/**
 * Removes the files of a folder that killed processes have left half-written: they hold what the whole files hold. Every folder that
 * this program writes is swept with it. Files that a process is writing, files of other users, and files with other names stay.
 * @param writerOf of the name of a file; undefined: it is no half-written file of ours
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

/** Half-written files beside a file, whoever writes them. */
export async function halfWrittenOf(file: string): Promise<string[]> {
  const folder = dirname(file);
  const names = await readdir(folder).catch(() => []);
  const isOurs = (name: string) => name === basename(file);
  return names.filter((name) => writerIn(name, isOurs) !== undefined).map((name) => join(folder, name));
}

/** For whoever holds the lock of the file: nobody else is writing then. */
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

async function namesIn(folder: string): Promise<readonly string[]> {
  return readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
}

/**
 * Puts a text in the place of a file at once: whoever reads meanwhile has the one or the other, and a crash leaves one of them.
 * @param temporary what the file is called until it is whole
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
      // Node takes pieces as they come, which its types do not know
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

/** The names in a folder are on the disk, as a new file must be that a crash may not take away. */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const opened = await open(folder, 'r');
  try {
    await opened.sync();
  } catch (error) {
    // some file systems know no such thing
    if ((error as NodeJS.ErrnoException).code !== 'EINVAL') throw error;
  } finally {
    await opened.close();
  }
}
