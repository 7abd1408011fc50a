import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { temporaryName } from './half-written-files.js';
import { syncFolder } from './sync-folder.js';

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
