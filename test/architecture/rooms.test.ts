import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { foldersOfPage, LIBRARY, layersOfPicture, type Room, roomsOfPage } from '../support/architecture-page.js';
import { projectFolder } from '../support/project.js';
import { cyclesOf, edgesOf, importsOf, packageOf, sourcesBelow } from '../support/sources.js';

const sources = sourcesBelow('src', 'machines', 'client');
const edges = edgesOf(sources);
const rooms = new Map(roomsOfPage().map((room) => [room.name, room]));

/** Imports from room to room, beside those of a room's own and of the library. */
const between = edges
  .map(({ file, target, typesOnly }) => ({ file, target, typesOnly, from: roomOf(file), to: roomOf(target) }))
  .filter(({ from, to }) => from !== to && to !== LIBRARY);

describe('rooms of docs/develop/architecture.md', () => {
  it('are all there are', () => {
    expect(new Set([...sources.keys()].map(roomOf))).to.deep.equal(new Set(rooms.keys()));
  });

  it('stand in the picture as in the table', () => {
    const ofTable = new Map<number, string[]>();
    for (const { name, layer } of rooms.values()) {
      if (layer !== undefined) ofTable.set(layer, [...(ofTable.get(layer) ?? []), name]);
    }
    const ofPicture = new Map([...layersOfPicture()].map(([layer, names]) => [layer, [...names]]));
    expect(ofPicture).to.deep.equal(ofTable);
  });

  it('import what their rows say, and nothing else', () => {
    const outside = between
      .filter(({ from, to, typesOnly }) => !mayImport(rooms.get(from), to, typesOnly))
      .map(({ file, target }) => `${file} imports ${target}`);
    expect(outside).to.deep.equal([]);
  });

  it('import nothing of a layer above their own', () => {
    const layerOf = (name: string) => rooms.get(name)?.layer ?? 0;
    const upwards = between.filter(({ from, to }) => from !== 'client' && layerOf(to) > layerOf(from));
    expect(upwards).to.deep.equal([]);
  });

  it('have no permission that they do not use', () => {
    const unused: string[] = [];
    for (const { name, imports, types } of rooms.values()) {
      const used = between.filter(({ from }) => from === name);
      for (const other of imports === 'all' ? [] : imports) {
        if (!used.some(({ to, typesOnly }) => to === other && !typesOnly)) unused.push(`${name}: ${other}`);
      }
      for (const other of types) if (!used.some(({ to }) => to === other)) unused.push(`${name}: types of ${other}`);
    }
    expect(unused).to.deep.equal([]);
  });

  it('have folders that import of each other what their rows say, and nothing else', () => {
    const folders = new Map(foldersOfPage().map((folder) => [folder.name, folder]));
    const inside = edges
      .map((edge) => ({ ...edge, from: folderOf(edge.file), to: folderOf(edge.target) }))
      .filter(({ file, target, from, to }) => from !== to && roomOf(file) === roomOf(target) && folders.has(from));
    const outside = inside.filter(({ from, to, typesOnly }) => !mayImport(folders.get(from), to, typesOnly));
    expect(outside.map(({ file, target }) => `${file} imports ${target}`)).to.deep.equal([]);
    const unused = [...folders.values()].flatMap(({ name, imports, types }) =>
      [...imports, ...types].filter((other) => !inside.some(({ from, to }) => from === name && to === other)),
    );
    expect(unused).to.deep.equal([]);
    const ofEngine = [...sources.keys()].map(folderOf).filter((folder) => folder.startsWith('src/tn3270/'));
    expect([...folders.keys()]).to.include.members(ofEngine);
  });

  it('import the packages of their rows, all of them and no others', () => {
    for (const { name, packages } of rooms.values()) {
      const used = new Map<string, boolean>();
      for (const [file, source] of sources) {
        if (roomOf(file) !== name) continue;
        for (const { specifier, typesOnly } of importsOf(source)) {
          const found = packageOf(specifier);
          if (found !== undefined) used.set(found, (used.get(found) ?? true) && typesOnly);
        }
      }
      const written = [...used].map(([found, typesOnly]) => (typesOnly ? `types of ${found}` : found));
      expect(new Set(written), name).to.deep.equal(packages);
    }
  });

  it('have no import cycle, types included, in the browser neither', () => {
    expect(edges.some(({ file }) => file.startsWith('client/'))).to.equal(true);
    expect(cyclesOf(edges)).to.deep.equal([]);
  });

  it('read words only through the locale of their side', () => {
    const readers = [...sources].filter(([, source]) => importsOf(source).some(({ specifier }) => isLocale(specifier)));
    expect(readers.map(([file]) => file).sort()).to.deep.equal([
      'client/console/console-words.ts',
      'client/embedding/embedding-words.ts',
      'client/form/form-words.ts',
      'client/portal/upload-words.ts',
      'client/terminal/words/english-dialogs.ts',
      'client/terminal/words/french.ts',
      'client/terminal/words/german.ts',
      'client/terminal/words/language-of-page.ts',
      'src/lib/locale.ts',
    ]);
  });

  it('import only files that are there, by names that end in .js', () => {
    const broken = [...sources].flatMap(([file, source]) =>
      importsOf(source)
        .filter(({ specifier }) => specifier.startsWith('.') && !specifier.endsWith('.js') && !isLocale(specifier))
        .map(({ specifier }) => `${file}: ${specifier}`),
    );
    const missing = edges.filter(({ target }) =>
      // what the build makes has its declarations there
      [target, target.replace(/\.ts$/, '.d.ts')].every((name) => !existsSync(join(projectFolder, name))),
    );
    expect([...broken, ...missing.map(({ file, target }) => `${file}: ${target}`)]).to.deep.equal([]);
  });
});

function isLocale(specifier: string): boolean {
  return /^(?:\.\.\/)+locales\/[a-z]{2}\.json$/.test(specifier);
}

function mayImport(room: Pick<Room, 'imports' | 'types'> | undefined, other: string, typesOnly: boolean): boolean {
  if (room === undefined) return false;
  if (room.imports === 'all' || room.imports.has(other)) return true;
  return typesOnly && room.types.has(other);
}

function roomOf(file: string): string {
  const [top = '', second = ''] = file.split('/');
  return top === 'src' ? `src/${second}` : top;
}

/** As `src/tn3270/host`. */
function folderOf(file: string): string {
  return file.split('/').slice(0, 3).join('/');
}
