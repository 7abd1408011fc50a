import { createHash } from 'node:crypto';
import type { Dirent } from 'node:fs';
import { type FileHandle, lstat, open, readdir, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { headPath } from '../../access/audit/audit-head.js';
import { AUDIT_TRAIL_NAME } from '../../access/audit/file-audit-trail.js';
import type { Configuration } from '../../config/configuration.js';
import { fileLockBounds, withFileLock } from '../../lib/files/file-lock.js';
import { makePrivateFolder } from '../../lib/files/private-path.js';
import {
  type BackedUpFile,
  backupBounds,
  type DataPlace,
  dataPlaces,
  lockedFiles,
  pathFault,
} from './backup-manifest.js';

interface DataFile {
  /** Path in the archive: `data/tokens.json`. */
  readonly path: string;
  readonly place: string;
  readonly mode: number;
  /** Changes with each modification. */
  readonly stamp: string;
}

/** Not backed up: locks, incomplete files, and the note of the running process. */
const passing = [
  /\.lock(\.[\w-]+)*$/,
  /\.(?:[0-9a-f]{8}-)?\d+\.new$/,
  /^\.macros-[0-9a-f]{16}\.tmp$/,
  /^server\.json$/,
  /^lost\+found$/,
];

/** Sorted by path. @param onLeftOut called with anything that is not a file, such as links and sockets */
async function dataFiles(
  places: readonly DataPlace[],
  onLeftOut: (place: string) => void = () => {},
): Promise<ReadonlyMap<string, DataFile>> {
  const found = new Map<string, DataFile>();
  const take = async (path: string, place: string) => {
    const facts = await lstat(place, { bigint: true }).catch(ifGone);
    if (facts === undefined) return;
    if (!facts.isFile()) return onLeftOut(place);
    const fault = pathFault(path);
    if (fault !== undefined) throw new Error(`${place}: ${fault}`);
    if (found.size >= backupBounds.files) throw new Error(`there are more than ${backupBounds.files} files`);
    const { ino, ctimeNs, size, mode } = facts;
    found.set(path, { path, place, mode: Number(mode) & 0o777, stamp: `${ino}.${ctimeNs}.${size}` });
  };
  const walk = async (path: string, folder: string): Promise<void> => {
    const entries: readonly Dirent[] = (await readdir(folder, { withFileTypes: true }).catch(ifGone)) ?? [];
    for (const entry of [...entries].sort((one, other) => (one.name < other.name ? -1 : 1))) {
      if (passing.some((pattern) => pattern.test(entry.name))) continue;
      const [nextPath, nextPlace] = [`${path}/${entry.name}`, join(folder, entry.name)];
      if (entry.isDirectory()) await walk(nextPath, nextPlace);
      else await take(nextPath, nextPlace);
    }
  };
  for (const { root, path, name } of places) {
    if (root === 'users') await take(name, path);
    else await walk(name, path);
  }
  return found;
}

function ifGone(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
  return undefined;
}

/** Maximum number of changed files that are opened while other processes wait for the locks. */
const MOST_OPEN_FILES = 256;
const MOST_PASSES = 20;
const BLOCK_BYTES = 1024 * 1024;
const LINE_END = 0x0a;
/** For the first lock, which a busy server holds almost permanently. The other locks are requested while it is held. */
const PATIENT = { ...fileLockBounds, waitMilliseconds: 60_000 };

interface OpenedDataFile {
  readonly file: DataFile & { readonly size: number };
  readonly handle: FileHandle;
}

interface Copied extends BackedUpFile {
  readonly stamp: string;
}

/**
 * Copies the data of a configuration as it was at one moment, while other processes change it. Files that change during
 * the copy are copied again, until the rest can be opened with the locks of users, tokens and audit trail held. Files
 * are replaced and never overwritten, so open handles keep the old content; appended files are copied up to their last
 * complete line at that moment.
 *
 * On a read-only file system no locks are taken; the copy is repeated until nothing has changed during it.
 * @returns the copied files, sorted by path
 */
export async function snapshotData(
  configuration: Configuration,
  folder: string,
  { isReadOnly, onLeftOut }: { readonly isReadOnly: boolean; onLeftOut(place: string): void },
): Promise<readonly BackedUpFile[]> {
  const places = dataPlaces(configuration);
  const copied = new Map<string, Copied>();
  const leftOut = new Set<string>();
  const look = () => dataFiles(places, (place) => leftOut.add(place));
  for (let pass = 1; ; pass += 1) {
    if (pass > MOST_PASSES)
      throw new Error(
        `${configuration.data}: files change faster than they can be copied. Try again when the server is less busy`,
      );
    for (const file of changedOf(await look(), copied)) await copyFile(file, folder, copied);
    const opened = await underLocks(isReadOnly ? [] : lockedFiles(configuration), async () => {
      const changed = await openChanged(await look(), copied);
      // the head of the trail is overwritten in place, so it must be copied while the locks are held
      for (const { file, handle } of changed?.files.filter(isTrailHead) ?? []) {
        copied.set(file.path, await copyOpen(file, handle, folder));
      }
      return changed;
    });
    if (opened === undefined) continue;
    try {
      for (const path of opened.gone) {
        await rm(join(folder, path), { force: true });
        copied.delete(path);
      }
      for (const { file, handle } of opened.files.filter((one) => !isTrailHead(one)))
        copied.set(file.path, await copyOpen(file, handle, folder));
    } finally {
      for (const { handle } of opened.files) await handle.close();
    }
    if (isReadOnly && opened.files.length + opened.gone.length > 0) continue;
    break;
  }
  for (const place of leftOut) onLeftOut(place);
  const files = [...copied.values()].sort((one, other) => (one.path < other.path ? -1 : 1));
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  if (bytes > backupBounds.bytes)
    throw new Error(`there are ${bytes} bytes; at most ${backupBounds.bytes} are backed up`);
  return files.map(({ path, bytes, mode, sha256 }) => ({ path, bytes, mode, sha256 }));
}

function isTrailHead({ file }: OpenedDataFile): boolean {
  return file.path.endsWith(headPath(AUDIT_TRAIL_NAME));
}

function changedOf(files: ReadonlyMap<string, DataFile>, copied: ReadonlyMap<string, Copied>): readonly DataFile[] {
  return [...files.values()].filter(({ path, stamp }) => copied.get(path)?.stamp !== stamp);
}

async function openChanged(files: ReadonlyMap<string, DataFile>, copied: ReadonlyMap<string, Copied>) {
  const changed = changedOf(files, copied);
  if (changed.length > MOST_OPEN_FILES) return undefined;
  const opened: { readonly file: DataFile; readonly handle: FileHandle }[] = [];
  const gone = [...copied.keys()].filter((path) => !files.has(path));
  try {
    for (const file of changed) {
      const handle = await openIfThere(file.place);
      if (handle === undefined) gone.push(file.path);
      else opened.push({ file, handle });
    }
  } catch (error) {
    for (const { handle } of opened) await handle.close();
    throw error;
  }
  return { files: await sized(opened), gone };
}

/** Adds the current size, so that later appends are not copied. */
function sized(opened: readonly { readonly file: DataFile; readonly handle: FileHandle }[]) {
  return Promise.all(
    opened.map(async (one) => ({ ...one, file: { ...one.file, size: (await one.handle.stat()).size } })),
  );
}

async function copyFile(file: DataFile, folder: string, copied: Map<string, Copied>): Promise<void> {
  const handle = await openIfThere(file.place);
  if (handle === undefined) return;
  try {
    const { size } = await handle.stat();
    copied.set(file.path, await copyOpen({ ...file, size }, handle, folder));
  } finally {
    await handle.close();
  }
}

async function copyOpen(
  { path, mode, stamp, size }: DataFile & { readonly size: number },
  from: FileHandle,
  folder: string,
): Promise<Copied> {
  const place = join(folder, path);
  await makePrivateFolder(dirname(place));
  const bytes = path.endsWith('.jsonl') ? await wholeLines(from, size) : size;
  const hash = createHash('sha256');
  const to = await open(place, 'w', 0o600);
  const block = Buffer.alloc(Math.min(BLOCK_BYTES, size));
  try {
    for (let at = 0; at < bytes; ) {
      const { bytesRead } = await from.read(block, 0, Math.min(block.length, bytes - at), at);
      if (bytesRead === 0) throw new Error(`${path}: it became shorter while it was copied`);
      const read = block.subarray(0, bytesRead);
      hash.update(read);
      await to.writeFile(read);
      at += bytesRead;
    }
  } finally {
    await to.close();
  }
  return { path, bytes, mode, sha256: hash.digest('hex'), stamp };
}

/** Size of a file up to its last complete line. */
async function wholeLines(file: FileHandle, size: number): Promise<number> {
  const block = Buffer.alloc(Math.min(BLOCK_BYTES, size));
  for (let end = size; end > 0; ) {
    const start = Math.max(0, end - block.length);
    const { bytesRead } = await file.read(block, 0, end - start, start);
    const last = block.subarray(0, bytesRead).lastIndexOf(LINE_END);
    if (last >= 0) return start + last + 1;
    end = start;
  }
  return 0;
}

/** Skips locks of files whose folder does not exist. */
async function underLocks<T>(
  [first, ...others]: readonly string[],
  work: () => Promise<T>,
  bounds = PATIENT,
): Promise<T> {
  if (first === undefined) return work();
  const further = () => underLocks(others, work, fileLockBounds);
  const hasFolder = await stat(dirname(first)).then(
    (facts) => facts.isDirectory(),
    () => false,
  );
  return hasFolder ? withFileLock(first, further, bounds) : further();
}

function openIfThere(place: string): Promise<FileHandle | undefined> {
  return open(place, 'r').catch(ifGone);
}
