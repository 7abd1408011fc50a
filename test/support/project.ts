import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of package.json, wherever the compiled tests lie below it. */
export const projectFolder = (() => {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'package.json'))) folder = dirname(folder);
  return folder;
})();

/** The path of something below test/fixtures. */
export function fixture(...names: string[]): string {
  return join(projectFolder, 'test', 'fixtures', ...names);
}

/** The script of the command `sallyport`. */
export const commandScript = join(projectFolder, 'scripts', 'program.cjs');
