import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { filesOf } from '../support/architecture-page.js';
import { projectFolder } from '../support/project.js';
import { importsOf, sourcesBelow, targetOf, withoutTexts } from '../support/sources.js';

/** Folders and files that docs/develop/architecture.md names. */
const shared = filesOf('The browser', 1);
const isShared = (file: string) => shared.some((place) => file.startsWith(place));
const client = sourcesBelow('client');
const bundled = [...client, ...[...sourcesBelow('src')].filter(([file]) => isShared(file))];

describe('what runs in the browser', () => {
  it('is its own files, what it shares with the server, and parts of node-forge', () => {
    expect([...client.keys()]).to.include('client/terminal/terminal.ts');
    expect(bundled.map(([file]) => file)).to.include.members([
      'src/tn3270/keyboard/keyboard.ts',
      'src/tn3270/datastream/field-attribute.ts',
    ]);
    const outside: string[] = [];
    for (const [file, source] of bundled) {
      const isOwn = file.startsWith('client/');
      for (const { specifier, typesOnly } of importsOf(source)) {
        if (isOwn && specifier.startsWith('node-forge/lib/')) continue;
        const target = targetOf(file, specifier);
        const isReasonType = typesOnly && target === 'src/lib/locale.ts';
        const isOfClient = target.startsWith('client/') || target.startsWith('locales/');
        const mayImport = isShared(target) || isReasonType || (isOwn && isOfClient);
        if (!specifier.startsWith('.') || !mayImport) outside.push(`${file} -> ${specifier}`);
      }
    }
    expect(outside).to.deep.equal([]);
  });

  it('shares nothing that it does not use', () => {
    const used = bundled.flatMap(([file, source]) =>
      importsOf(source).map(({ specifier }) => targetOf(file, specifier)),
    );
    expect(shared.filter((place) => !used.some((target) => target.startsWith(place)))).to.deep.equal([]);
  });

  it('names nothing that scripts/build.mjs defines away', () => {
    const undefinedThere = bundled.filter(([, source]) =>
      /\b(setImmediate|process|window\.postMessage|MutationObserver)\b/.test(withoutTexts(source)),
    );
    expect(undefinedThere.map(([file]) => file)).to.deep.equal([]);
  });

  it('is a script of 72,000 bytes at most for the terminal page, as gzip compresses it', () => {
    const script = readFileSync(join(projectFolder, 'public', 'terminal.js'));
    expect(gzipSync(script, { level: 9 }).length).to.be.within(1, 72_000);
  });
});
