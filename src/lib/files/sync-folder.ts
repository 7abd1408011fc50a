import { open } from 'node:fs/promises';

/** The names in a folder are on the disk, as a new file must be that a crash may not take away. */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const opened = await open(folder, 'r');
  try {
    await opened.sync();
  } catch (error) {
    // some file systems know no such thing
    if ((error as NodeJS.ErrnoException).code !== 'EINVAL') throw error;
  } finally {
    await opened.close();
  }
}
