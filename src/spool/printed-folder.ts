import { createHash } from 'node:crypto';
import { lstat, readdir, rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { makePrivateFolder } from '../private-path.js';
import { replaceFile } from '../security/replace-file.js';

const MODE = 0o600;
/** Marks files of this machine: the folder may be shared, and process numbers of another machine mean nothing here. */
const MACHINE = createHash('sha256').update(hostname()).digest('hex').slice(0, 8);
/** No document takes that long to write: after it a file is left over, whatever process has its writer's number now. */
const LONGEST_WRITE_MILLISECONDS = 86_400_000;
/** After the name of the printer: time, number and logical unit of a document, and the machine and process that write it. */
const HALF_WRITTEN = /^-\d{8}-\d{6}-\d+(?:-[A-Za-z0-9@#$_-]+)?\.(?:pdf|txt|prn)(?:\.([0-9a-f]{8})-(\d{1,10}))?\.part$/;

export interface PrintedFile {
  readonly extension: 'pdf' | 'txt' | 'prn';
  readonly content: Buffer;
}

/** A folder that other programs take documents from. */
export class PrintedFolder {
  readonly #path: string;
  readonly #mostFiles: number;

  constructor(path: string, mostFiles: number) {
    this.#path = path;
    this.#mostFiles = mostFiles;
  }

  /**
   * Removes the files of a printer that a killed process has left half-written. Called before the printer is started: files
   * that another process is writing, files of other users and files with other names stay.
   * @returns names of the removed files
   */
  async removeHalfWritten(printer: string): Promise<readonly string[]> {
    const removed: string[] = [];
    for (const name of await namesIn(this.#path)) {
      const found = name.startsWith(printer) ? HALF_WRITTEN.exec(name.slice(printer.length)) : null;
      if (found === null) continue;
      const path = join(this.#path, name);
      const file = await lstat(path).catch(() => undefined);
      if (file?.isFile() !== true || (process.getuid !== undefined && file.uid !== process.getuid())) continue;
      const isOld = Date.now() - file.mtimeMs > LONGEST_WRITE_MILLISECONDS;
      if (!isOld && isBeingWritten(found[1], found[2])) continue;
      await rm(path, { force: true });
      removed.push(name);
    }
    return removed;
  }

  /**
   * Writes the files of a document; none has its final name before it is whole.
   * @throws Error where it cannot be written, or nobody takes the files away
   */
  async write(name: string, files: readonly PrintedFile[]): Promise<void> {
    await makePrivateFolder(this.#path);
    const { length } = await readdir(this.#path);
    if (length + files.length > this.#mostFiles)
      throw new Error(`${this.#path} has ${length} files, of ${this.#mostFiles} that it may have: take some away`);
    for (const { extension, content } of files) {
      const path = join(this.#path, `${name}.${extension}`);
      await replaceFile(path, content, MODE, `${path}.${MACHINE}-${process.pid}.part`);
    }
  }
}

/** Versions that named neither machine nor process have ended. */
function isBeingWritten(machine: string | undefined, processNumber: string | undefined): boolean {
  if (machine === undefined || processNumber === undefined) return false;
  if (machine !== MACHINE) return true;
  const number = Number(processNumber);
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
