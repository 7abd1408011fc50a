import { randomBytes } from 'node:crypto';
import { link, open, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { PRIVATE_FILE } from '../../lib/files/private-path.js';
import { SEAL_KEY_BYTES } from './seal.js';

const FILE = 'internal-line.key';

/**
 * The key of the internal line between the processes of a machine. The first process that asks makes it, in the folder where all processes
 * have their sockets; every other process reads the same key. No supervisor need know of it, so one of an earlier version goes on.
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
    // whole, or not there at all; another process may have been first
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
