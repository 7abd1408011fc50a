import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { temporaryName } from './abandoned-files.js';
import { syncFolder } from './sync-folder.js';

/**
 * Puts a text in the place of a file at once: whoever reads meanwhile has the one or the other, and a crash leaves one of them.
 * @param temporary what the file is called until it is whole
 */
export async function replaceFile(
  file: string,
  text: string | Buffer,
  mode = 0o600,
  temporary = temporaryName(file),
): Promise<void> {
  try {
    const handle = await open(temporary, 'w', 0o600);
    try {
      if (mode !== 0o600) await handle.chmod(mode);
      await handle.writeFile(text);
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
