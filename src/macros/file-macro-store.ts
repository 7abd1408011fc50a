import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { link, lstat, mkdir, open, readdir, rename, rm, unlink } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { foldedName, isSecurityName } from '../access/users/security-name.js';
import { ServiceError } from '../lib/errors.js';
import { syncFolder } from '../lib/files/replace-file.js';
import { type Log, silentLog } from '../lib/log/log.js';
import { messageOf } from '../lib/text/messages.js';
import { checkMacroFile } from './macro-check.js';
import { MACRO_FILE_NAME, type MacroDirectory, type MacroLevel } from './macro-directory.js';
import { MOST_MACRO_FILE_BYTES } from './macro-set.js';
import {
  etagOf,
  KEPT_VERSIONS,
  type MacroChange,
  type MacroChangeOptions,
  type MacroStore,
  type MacroVersion,
  type RecordMacroChange,
  type StoredMacroDirectory,
  type StoredMacros,
} from './macro-store.js';
import { OrderedWork } from './ordered-work.js';

interface FileMacroStoreOptions {
  readonly folder: string;
  readonly log?: Log;
}

const unrecorded: RecordMacroChange = (_change, make) => make();

/** Maximum running and waiting operations on versions, over all directories; a waiting write holds up to 1 MiB. */
export const MOST_STORE_OPERATIONS = 256;

const VERSION_FILE = /^macros\.([1-9]\d{0,14})\.json$/;
const TEMPORARY_FILE = /^\.macros-[0-9a-f]{16}\.tmp$/;
const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;
/** Neither follows links nor blocks on pipes. Windows has neither flag. */
const READ_FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

interface Versions {
  /** Version numbers except the current one, newest first. */
  readonly former: readonly number[];
  readonly current: number | undefined;
  /** True if the current file already has its numbered name as a second name. */
  readonly isCurrentNumbered: boolean;
}

/**
 * Stores macros in files. Each directory has a folder: `global`, `group/<name>` and `user/<name>`, with names in lower
 * case. `macros.json` is the current file and `macros.<number>.json` are the previous versions, so that each file is a
 * whole upload at any time. The number of the current file is one higher than the highest of the previous versions. A
 * write adds the numbered name to the current file (the file system must support hard links) and renames the new file
 * over `macros.json`.
 */
export class FileMacroStore implements MacroStore {
  readonly #folder: string;
  readonly #log: Log;
  readonly #work = new OrderedWork(MOST_STORE_OPERATIONS);

  constructor(options: FileMacroStoreOptions) {
    this.#folder = resolve(options.folder);
    this.#log = options.log ?? silentLog;
  }

  /**
   * Creates the folder with access only for the server's user, and removes partial files of killed processes.
   * @throws Error that names the folder, if it is unusable
   */
  async open(): Promise<void> {
    try {
      await makeFolder(this.#folder);
      for (const folder of [
        join(this.#folder, 'global'),
        ...(await this.#named('group')),
        ...(await this.#named('user')),
      ]) {
        for (const name of await namesIn(folder)) if (TEMPORARY_FILE.test(name)) await rm(join(folder, name));
      }
    } catch (error) {
      const reason = messageOf(error);
      throw new Error(`the macro folder ${this.#folder} cannot be used: ${reason}`, { cause: error });
    }
  }

  async close(): Promise<void> {
    await this.#work.close();
  }

  async read(directory: MacroDirectory): Promise<StoredMacros | undefined> {
    return readStored(join(this.#folderOf(directory), MACRO_FILE_NAME));
  }

  /** If the disk fails, the file is unchanged, except if the disk failed to confirm the new file. */
  async write(directory: MacroDirectory, bytes: Uint8Array, options: MacroChangeOptions = {}): Promise<MacroChange> {
    const folder = this.#folderOf(directory);
    const { expected, record = unrecorded } = options;
    // copied, because the caller may change the bytes before the check or the write
    const copy = Buffer.from(bytes);
    return this.#work.run(folder, async () => {
      await checkMacroFile(copy, folder);
      const before = await readExpected(folder, expected);
      // an identical upload creates no version: otherwise a nightly upload would push out all others
      if (before?.bytes.equals(copy) === true)
        return record({ before, after: before }, async () => ({ before, after: before }));
      return this.#recordedReplace(folder, before, copy, record);
    });
  }

  async versions(directory: MacroDirectory): Promise<readonly MacroVersion[]> {
    const folder = this.#folderOf(directory);
    return this.#work.run(folder, async () => {
      const { former, current } = await versionsIn(folder);
      const listed: MacroVersion[] = [];
      const numbers = current === undefined ? former : [current, ...former];
      const oldest = (numbers[0] ?? 0) - KEPT_VERSIONS;
      // a killed process may have left one version too many
      for (const number of numbers.filter((each) => each >= oldest)) {
        const isCurrent = number === current;
        const stored = await this.#readSound(isCurrent ? join(folder, MACRO_FILE_NAME) : versionPath(folder, number));
        if (stored !== undefined) listed.push({ number, ...summaryOf(stored), current: isCurrent });
      }
      return listed;
    });
  }

  async readVersion(directory: MacroDirectory, number: number): Promise<StoredMacros | undefined> {
    const folder = this.#folderOf(directory);
    return this.#work.run(folder, () => readNumbered(folder, number));
  }

  async restore(
    directory: MacroDirectory,
    number: number,
    { expected, record = unrecorded }: MacroChangeOptions = {},
  ): Promise<MacroChange> {
    const folder = this.#folderOf(directory);
    return this.#work.run(folder, async () => {
      const version = await readNumbered(folder, number);
      if (version === undefined) {
        throw new ServiceError('SVC_ERR_MACRO_DIRECTORY', { detail: { code: 'macro.noVersion', values: { number } } });
      }
      await checkMacroFile(version.bytes, folder);
      const before = await readExpected(folder, expected);
      return this.#recordedReplace(folder, before, version.bytes, record);
    });
  }

  async remove(
    directory: MacroDirectory,
    { expected, record = unrecorded }: MacroChangeOptions = {},
  ): Promise<{ readonly before: StoredMacros | undefined }> {
    const folder = this.#folderOf(directory);
    return this.#work.run(folder, async () => {
      const path = join(folder, MACRO_FILE_NAME);
      const before = await readExpected(folder, expected);
      const { current, isCurrentNumbered } = await versionsIn(folder);
      if (current === undefined) return { before };
      await record({ before, after: undefined }, async () => {
        // rename does nothing if both names belong to the same file
        if (isCurrentNumbered) await unlink(path);
        else await rename(path, versionPath(folder, current));
        await syncFolder(folder);
      });
      return { before };
    });
  }

  async list(level: MacroLevel): Promise<readonly StoredMacroDirectory[]> {
    const listed: StoredMacroDirectory[] = [];
    const names = level === 'global' ? [''] : await this.#namesOf(level);
    for (const name of names) {
      const directory: MacroDirectory = level === 'global' ? { level } : { level, name };
      const stored = await this.#readSound(join(this.#folderOf(directory), MACRO_FILE_NAME));
      if (stored !== undefined) listed.push({ directory, ...summaryOf(stored) });
    }
    return listed;
  }

  async #recordedReplace(
    folder: string,
    before: StoredMacros | undefined,
    bytes: Buffer,
    record: RecordMacroChange,
  ): Promise<MacroChange> {
    const after = await record({ before, after: { bytes, etag: etagOf(bytes) } }, () => this.#replace(folder, bytes));
    return { before, after };
  }

  async #replace(folder: string, bytes: Buffer): Promise<StoredMacros> {
    await makeFolder(folder);
    const { former, current, isCurrentNumbered } = await versionsIn(folder);
    const path = join(folder, MACRO_FILE_NAME);
    const temporary = join(folder, `.macros-${randomBytes(8).toString('hex')}.tmp`);
    let modified: Date;
    try {
      modified = await writeSynced(temporary, bytes);
      if (current !== undefined && !isCurrentNumbered) await link(path, versionPath(folder, current));
      await rename(temporary, path);
    } catch (error) {
      await rm(temporary, { force: true }).catch((fault: Error) => this.#log.warn({ file: temporary }, fault.message));
      throw error;
    }
    await syncFolder(folder);
    const newest = (current ?? former[0] ?? 0) + 1;
    for (const number of former.filter((each) => each < newest - KEPT_VERSIONS)) {
      const old = versionPath(folder, number);
      await rm(old, { force: true }).catch((fault: Error) => this.#log.warn({ file: old }, fault.message));
    }
    return { bytes, etag: etagOf(bytes), modified };
  }

  /** Omits unreadable files, which were not written by the store, from lists. */
  async #readSound(path: string): Promise<StoredMacros | undefined> {
    try {
      return await readStored(path);
    } catch (error) {
      this.#log.warn({ file: path }, `the macro file cannot be read: ${(error as Error).message}`);
      return undefined;
    }
  }

  #folderOf(directory: MacroDirectory): string {
    if (directory.level === 'global') return join(this.#folder, 'global');
    const isLevel = directory.level === 'group' || directory.level === 'user';
    if (!isLevel || !isSecurityName(directory.name)) {
      throw new ServiceError('SVC_ERR_MACRO_DIRECTORY', { detail: { code: 'macro.directoryName' } });
    }
    const folder = resolve(this.#folder, directory.level, foldedName(directory.name));
    // defense in depth: valid names cannot lead outside the folder
    if (relative(this.#folder, folder).split(sep).length !== 2 || relative(this.#folder, folder).startsWith('..')) {
      throw new ServiceError('SVC_ERR_MACRO_DIRECTORY');
    }
    return folder;
  }

  async #named(level: 'group' | 'user'): Promise<string[]> {
    return (await this.#namesOf(level)).map((name) => join(this.#folder, level, name));
  }

  async #namesOf(level: 'group' | 'user'): Promise<string[]> {
    const names = await namesIn(join(this.#folder, level));
    return names.filter((name) => isSecurityName(name) && foldedName(name) === name).sort();
  }
}

function summaryOf({ bytes, etag, modified }: StoredMacros) {
  return { etag, size: bytes.length, modified };
}

function versionPath(folder: string, number: number): string {
  return join(folder, `macros.${number}.json`);
}

async function versionsIn(folder: string): Promise<Versions> {
  const names = await namesIn(folder);
  const numbers = names.flatMap((name) => VERSION_FILE.exec(name)?.[1] ?? []).map(Number);
  const former = numbers.sort((one, other) => other - one);
  if (!names.includes(MACRO_FILE_NAME)) return { former, current: undefined, isCurrentNumbered: false };
  const [newest = 0] = former;
  // true after a process was killed, or the disk failed, in the middle of a write
  const isCurrentNumbered =
    newest > 0 && (await isSameFile(join(folder, MACRO_FILE_NAME), versionPath(folder, newest)));
  return isCurrentNumbered
    ? { former: former.slice(1), current: newest, isCurrentNumbered }
    : { former, current: newest + 1, isCurrentNumbered };
}

async function readNumbered(folder: string, number: number): Promise<StoredMacros | undefined> {
  const { former, current } = await versionsIn(folder);
  if (number === current) return readStored(join(folder, MACRO_FILE_NAME));
  return former.includes(number) ? readStored(versionPath(folder, number)) : undefined;
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return [];
    throw error;
  }
}

async function isSameFile(one: string, other: string): Promise<boolean> {
  const [first, second] = await Promise.all([lstat(one, { bigint: true }), lstat(other, { bigint: true })]);
  return first.ino === second.ino && first.dev === second.dev;
}

async function readStored(path: string): Promise<StoredMacros | undefined> {
  const file = await open(path, READ_FLAGS).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (file === undefined) return undefined;
  try {
    const status = await file.stat();
    if (!status.isFile() || status.size > MOST_MACRO_FILE_BYTES) {
      throw new Error(`${path} is not a file of at most ${MOST_MACRO_FILE_BYTES} bytes`);
    }
    const bytes = await file.readFile();
    return { bytes, etag: etagOf(bytes), modified: status.mtime };
  } finally {
    await file.close();
  }
}

/**
 * Reads the current file of a folder; must run within the ordered work of the folder.
 * @throws ServiceError SVC_ERR_MACRO_CHANGED if it is not the file that the caller expects
 */
async function readExpected(
  folder: string,
  expected: MacroChangeOptions['expected'],
): Promise<StoredMacros | undefined> {
  const current = await readStored(join(folder, MACRO_FILE_NAME));
  if (expected !== undefined && (current?.etag ?? null) !== expected) throw new ServiceError('SVC_ERR_MACRO_CHANGED');
  return current;
}

/** @returns the modification time, after the file is on disk */
async function writeSynced(path: string, bytes: Uint8Array): Promise<Date> {
  const file = await open(path, 'wx', FILE_MODE);
  try {
    await file.writeFile(bytes);
    await file.sync();
    return (await file.stat()).mtime;
  } finally {
    await file.close();
  }
}

/** Creates a folder and its parents durably: they survive a power failure. */
async function makeFolder(folder: string): Promise<void> {
  const first = await mkdir(folder, { recursive: true, mode: FOLDER_MODE }).catch(async (error: unknown) => {
    // on a read-only disk, Node reports that the folder does not exist; this call reports the reason
    await mkdir(folder, { mode: FOLDER_MODE });
    throw error;
  });
  if (first === undefined) return;
  for (let made = folder; made.length >= first.length; made = dirname(made)) await syncFolder(dirname(made));
}
