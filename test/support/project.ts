import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of package.json, above the compiled tests. */
export const projectFolder = (() => {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'package.json'))) folder = dirname(folder);
  return folder;
})();

export function fixture(...names: string[]): string {
  return join(projectFolder, 'test', 'fixtures', ...names);
}

export const commandScript = join(projectFolder, 'scripts', 'program.cjs');
