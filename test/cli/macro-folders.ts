import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** A macros.json that tells by its description where it stood. */
export function macroText(place: string): string {
  return JSON.stringify({ macros: [{ name: 'é', rev: 1, def: ['ENTER', { txt: '=M' }] }], desc: place, fmt: 1 });
}

/** Writes `place/macros.json` for each place below a base directory. */
export async function writeMacroFiles(base: string, places: readonly string[]): Promise<void> {
  for (const place of places) {
    const file = join(base, place, 'macros.json');
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, macroText(place));
  }
}
