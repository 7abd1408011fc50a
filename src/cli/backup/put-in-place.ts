import { chown, lstat, readdir, rename } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { makePrivateFolder } from '../../lib/files/private-path.js';
import { syncFolder } from '../../lib/files/sync-folder.js';
import type { DataPlace } from './data-places.js';

interface Exchange {
  readonly place: string;
  readonly kept: string;
  hadOld: boolean;
  hasNew: boolean;
}

/**
 * Puts what was unpacked into a folder in its places, by renaming; where one cannot be, all are as they were.
 * @returns where that is kept which was there
 */
export async function putInPlace(places: readonly DataPlace[], folder: string): Promise<readonly string[]> {
  const time = new Date().toISOString().replace(/[-:.]/g, '');
  const done: Exchange[] = [];
  try {
    for (const { path, name } of places) {
      const exchange: Exchange = { place: path, kept: `${path}.before-${time}`, hadOld: false, hasNew: false };
      done.push(exchange);
      await makePrivateFolder(dirname(path));
      if (await isThere(exchange.kept)) throw new Error(`${exchange.kept} already exists`);
      if (await isThere(path)) {
        await rename(path, exchange.kept);
        exchange.hadOld = true;
      }
      // a place of which the backup has nothing stays empty
      if (!(await isThere(join(folder, name)))) continue;
      await rename(join(folder, name), path);
      exchange.hasNew = true;
    }
  } catch (error) {
    for (const { place, kept, hadOld, hasNew } of done.reverse()) {
      if (hasNew) await rename(place, join(folder, `undone-${basename(place)}`));
      if (hadOld) await rename(kept, place);
    }
    throw new Error(adviceOn(error as NodeJS.ErrnoException));
  }
  for (const { path } of places) await syncFolder(dirname(path));
  return done.filter(({ hadOld }) => hadOld).map(({ kept }) => kept);
}

/** What root restores belongs to whom the old folder belongs to, so that the server can read it. */
export async function keepOwner(of: string, folder: string): Promise<void> {
  if (process.getuid?.() !== 0) return;
  const owner = await lstat(of).catch(() => undefined);
  if (owner === undefined) return;
  await chown(folder, owner.uid, owner.gid);
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    await chown(join(entry.parentPath, entry.name), owner.uid, owner.gid);
  }
}

function isThere(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}

function adviceOn({ code = '', message, path }: NodeJS.ErrnoException): string {
  if (code !== 'EBUSY' && code !== 'EXDEV') return message;
  return `${path ?? message} cannot be renamed: it is a file system of its own. Use --into, and put what is unpacked there in its place while no server runs`;
}
