import type { Dirent } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { backupBounds, pathFault } from './backup-manifest.js';
import type { DataPlace } from './data-places.js';

/** A file of the data folder as it was at a moment. */
export interface DataFile {
  /** In the archive: `data/tokens.json`. */
  readonly path: string;
  /** On the disk. */
  readonly place: string;
  readonly mode: number;
  /** Another one after each change. */
  readonly stamp: string;
}

/** Locks, half-written files and the note of the process that serves: nothing that another server should have. */
const passing = [
  /\.lock(\.[\w-]+)*$/,
  /\.(?:[0-9a-f]{8}-)?\d+\.new$/,
  /^\.macros-[0-9a-f]{16}\.tmp$/,
  /^server\.json$/,
  /^lost\+found$/,
];

/**
 * All files of the places, in the order of their names.
 * @param onLeftOut told of what is no file: links, sockets
 */
export async function dataFiles(
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
    const entries: readonly Dirent[] = await readdir(folder, { withFileTypes: true }).catch((error) => {
      if (ifGone(error) === undefined) return [];
      throw error;
    });
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

/** Somebody removed it meanwhile, or it was never there. */
function ifGone(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
  return undefined;
}
