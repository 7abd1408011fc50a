import { randomBytes } from 'node:crypto';
import { link, open, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { PRIVATE_FILE } from '../../lib/files/private-path.js';
import { SEAL_KEY_BYTES } from './seal.js';

const FILE = 'internal-line.key';

/**
 * Key of the internal line between the processes of a machine. The first process creates it in the folder of the
 * sockets, and the others read it. The supervisor is not involved, so a supervisor of an earlier version works, too.
 */
export async function machineKey(folder: string): Promise<Buffer> {
  const path = join(folder, FILE);
  const known = await readFile(path).catch(missing);
  if (known !== undefined) return known;
  const made = join(folder, `${FILE}-${randomBytes(8).toString('hex')}`);
  try {
    const file = await open(made, 'wx', PRIVATE_FILE);
    try {
      await file.chmod(PRIVATE_FILE);
      await file.writeFile(randomBytes(SEAL_KEY_BYTES));
    } finally {
      await file.close();
    }
    // `link` creates the file atomically and fails if another process was first.
    await link(made, path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
  } finally {
    await rm(made, { force: true });
  }
  return readFile(path);
}

function missing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}
