import { readdir, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/** What a file is called while it is written, before it takes the place of the other. */
export function temporaryName(file: string): string {
  return `${file}.${process.pid}.new`;
}

/** Half-written files that processes which were killed have left beside a file: they hold what it holds. */
export async function abandonedFiles(file: string): Promise<string[]> {
  const folder = dirname(file);
  const names = await readdir(folder).catch(() => []);
  const prefix = `${basename(file)}.`;
  return names
    .filter((name) => name.startsWith(prefix) && /^\d+\.new$/.test(name.slice(prefix.length)))
    .map((name) => join(folder, name));
}

/** For whoever holds the lock of the file: nobody else is writing then. */
export async function removeAbandonedFiles(file: string): Promise<void> {
  for (const path of await abandonedFiles(file)) await rm(path, { force: true });
}
