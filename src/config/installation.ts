import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Folder of package.json, the shipped configuration, its schema and the templates. */
export const installationFolder = (() => {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'package.json'))) folder = dirname(folder);
  return folder;
})();

export function installedVersion(): string {
  const description: { version: string } = JSON.parse(readFileSync(join(installationFolder, 'package.json'), 'utf8'));
  return description.version;
}
