import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { codeIn, roomsOfPage } from '../support/architecture-page.js';
import { projectFolder } from '../support/project.js';

interface LockFile {
  readonly packages: Readonly<Record<string, { readonly dependencies?: Readonly<Record<string, string>> } | undefined>>;
}

const textOf = (...names: string[]) => readFileSync(join(projectFolder, ...names), 'utf8');
const { dependencies }: { readonly dependencies: Readonly<Record<string, string>> } = JSON.parse(
  textOf('package.json'),
);
const { packages }: LockFile = JSON.parse(textOf('package-lock.json'));
const names = Object.keys(dependencies);
const rows = textOf('docs', 'develop', 'dependencies.md')
  .split('\n')
  .filter((line) => line.startsWith('| `'))
  .map((line) => line.split('|').map((cell) => cell.trim()));

describe('docs/develop/dependencies.md', () => {
  it('names every package of an installation, and says what it is for', () => {
    expect(rows.map(([, name]) => codeIn(name)[0])).to.deep.equal(names);
    for (const [, name, purpose = ''] of rows) expect(purpose.length, name).to.be.above(5);
  });

  it('counts what each of them brings', () => {
    const counted = rows.map(([, name, , brings]) => [codeIn(name)[0], Number(brings)]);
    expect(counted).to.deep.equal(names.map((name) => [name, broughtBy(name)]));
  });

  it('names none that nobody imports', () => {
    const imported = roomsOfPage().flatMap(({ packages: used }) => [...used]);
    expect(new Set(imported.filter((name) => !name.startsWith('types of ')))).to.deep.equal(new Set(names));
  });
});

/** Packages of the lock file below one, it itself not counted. */
function broughtBy(name: string): number {
  const seen = new Set<string>();
  const visit = (dependency: string, from: string) => {
    const place = placeOf(dependency, from);
    if (place === undefined || seen.has(place)) return;
    seen.add(place);
    for (const next of Object.keys(packages[place]?.dependencies ?? {})) visit(next, place);
  };
  visit(name, '');
  return seen.size - 1;
}

/** Where Node finds a package: beside the one that asks, or further out. */
function placeOf(name: string, from: string): string | undefined {
  for (let folder = from; ; folder = folder.slice(0, Math.max(folder.lastIndexOf('/node_modules/'), 0))) {
    const place = `${folder === '' ? '' : `${folder}/`}node_modules/${name}`;
    if (packages[place] !== undefined) return place;
    if (folder === '') return undefined;
  }
}
