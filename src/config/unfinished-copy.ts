import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { makePrivateFolder } from '../lib/files/private-path.js';
import { replaceFile } from '../lib/files/replace-file.js';
import { syncFolder } from '../lib/files/sync-folder.js';
import type { Configuration } from './configuration.js';

/** In the data folder, from the beginning of a copy out of a database on until all of it is there and was compared. */
const NAME = 'copy-unfinished';
const TEXT = 'sallyport store copy has begun to fill this folder, and has not finished. Run it again.\n';

interface Places {
  readonly data: string;
  /** Undefined: what is kept is in files. */
  readonly store?: Configuration['store'] | undefined;
}

interface UnfinishedCopy {
  readonly fault: string;
  readonly advice: string;
}

/** @throws Error in words where the files that are to be worked with are half of a copy */
export async function refuseUnfinishedCopy(configuration: Places): Promise<void> {
  const found = await unfinishedCopy(configuration);
  if (found !== undefined) throw new Error(`${found.fault}; ${found.advice}`);
}

/** Undefined also where what is kept is in a database: a copy is there as a whole or not at all. */
export async function unfinishedCopy({ data, store }: Places): Promise<UnfinishedCopy | undefined> {
  if (store !== undefined || !(await isCopyUnfinished(data))) return undefined;
  return {
    fault: `${data} is half of a copy: sallyport store copy has begun to fill it, and has not finished`,
    advice:
      'run sallyport store copy --from postgresql --to files again: it removes what it has written and begins anew',
  };
}

export async function isCopyUnfinished(data: string): Promise<boolean> {
  try {
    await stat(join(data, NAME));
    return true;
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(`${(error as NodeJS.ErrnoException).code}`)) return false;
    throw error;
  }
}

export async function noteCopyBegun(data: string): Promise<void> {
  await makePrivateFolder(data);
  await replaceFile(join(data, NAME), TEXT);
}

export async function noteCopyFinished(data: string): Promise<void> {
  await rm(join(data, NAME));
  await syncFolder(data);
}
