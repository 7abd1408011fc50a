import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectFolder } from './project.js';

/** A row of the component table. Names as in `src/lines/listener`, `machines`, `client`; `src/*.ts` is the base. */
export interface Room {
  readonly name: string;
  /** Undefined for components outside the layers. */
  readonly layer: number | undefined;
  readonly imports: ReadonlySet<string> | 'all';
  readonly types: ReadonlySet<string>;
  readonly packages: ReadonlySet<string>;
}

/** Importable by all. */
export const LIBRARY = 'src/lib';

const page = readFileSync(join(projectFolder, 'docs', 'develop', 'architecture.md'), 'utf8');

/** @returns rows of a table below a heading, without the header. @param at number of the table below the heading */
export function tableBelow(heading: string, text: string = page, at = 0): string[][] {
  const section = text.split(`\n## ${heading}\n`)[1]?.split('\n## ')[0];
  if (section === undefined) throw new Error(`there is no section ${heading}`);
  const tables = section.split('\n\n').filter((part) => part.startsWith('|'));
  const rows = tables[at]?.trimEnd().split('\n') ?? [];
  return rows.slice(2).map((row) =>
    row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

export function codeIn(cell = ''): string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code);
}

export function roomsOfPage(): Room[] {
  return tableBelow('Rooms').map(([name, layer, , imports = '', packages = '']) => {
    const [values = '', types = ''] = imports.startsWith('types of ') ? ['', imports] : imports.split('; types of ');
    return {
      name: codeIn(name)[0] ?? '',
      layer: layer === '' ? undefined : Number(layer),
      imports: imports === 'all' ? 'all' : new Set(codeIn(values).map(folderOf)),
      types: new Set(codeIn(types).map(folderOf)),
      packages: new Set(packages.split(', ').filter(Boolean)),
    };
  });
}

export function foldersOfPage(): Pick<Room, 'name' | 'imports' | 'types'>[] {
  return tableBelow('Rooms', page, 1).map(([cell, , imports = '']) => {
    const [name = ''] = codeIn(cell);
    const room = name.slice(0, name.lastIndexOf('/'));
    const [values = '', types = ''] = imports.startsWith('types of ') ? ['', imports] : imports.split('; types of ');
    const within = (text: string) => new Set(codeIn(text).map((folder) => `${room}/${folder}`));
    return { name, imports: within(values), types: within(types) };
  });
}

export function layersOfPicture(): Map<number, string[]> {
  const boxes = [...page.matchAll(/^ {2}L(\d)\["<b>\d [\w ]+<\/b><br>(.+)"\]$/gm)];
  return new Map(
    boxes.map(([, layer, names = '']) => [
      Number(layer),
      names.split(/<br>| &nbsp; /).map((name) => (name.includes('/') ? name : folderOf(name))),
    ]),
  );
}

export function filesOf(heading: string, column: number): string[] {
  return tableBelow(heading).flatMap((row) => {
    const room = codeIn(row[0])[0] ?? '';
    return row[column] === 'all' ? [`${room}/`] : codeIn(row[column]).map((file) => `${room}/${file}.ts`);
  });
}

function folderOf(name: string): string {
  return name === 'machines' ? name : `src/${name}`;
}
