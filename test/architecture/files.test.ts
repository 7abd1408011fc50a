import { basename } from 'node:path';
import { expect } from 'chai';
import { importsOf, sourcesBelow, withoutTexts } from '../support/sources.js';
import { unusedExports } from '../support/unused-exports.js';

/** Files that are run, and not imported. */
const entries = [
  'src/main.ts',
  'src/tn3270/api.ts',
  'src/demo/simulated-host/api.ts',
  'client/terminal/main.ts',
  'client/terminal/macros/macro-tools.ts',
  'client/terminal/screens/screen-dialogs.ts',
  'client/terminal/text/text-controls.ts',
  'client/embedding/sallyport-terminal.ts',
  'client/terminal/early/early-keys.ts',
  'client/terminal/early/own-colours.ts',
  'client/terminal/commands/command-dialogs.ts',
  'client/terminal/settings/settings-drawer.ts',
  'client/terminal/words/english-dialogs.ts',
  'client/terminal/words/french.ts',
  'client/terminal/words/german.ts',
  'client/form/encrypted-form.ts',
  'client/portal/main.ts',
  'client/home/main.ts',
  'client/console/main.ts',
  'client/watch/main.ts',
  'client/sessions/main.ts',
];
const bannedNames = /^(index|utils?|helpers?|common|misc|managers?)(\.|$)|-(utils?|helpers?|manager)\./;
const MOST_LINES = 700;

/** A catalogue of words is a table, too. */
const isTable = (file: string) => /(^|\/)tables\/|-tables?\.ts$|\/words\/(english|french|german)\.ts$/.test(file);
const sources = sourcesBelow('src', 'machines', 'client');

describe('files of the project', () => {
  it('are seen, with every kind of import', () => {
    expect([...sources.keys()]).to.include.members([
      'src/main.ts',
      'src/lib/log/log.ts',
      'src/config/load-configuration.ts',
    ]);
    const source = [
      "import a from './a.js';",
      "import type { B } from './b.js';",
      "import { type C, type D } from './c.js';",
      "import { type E, f } from './e.js';",
      "import './g.js';",
      "export { h } from './h.js';",
      "const i = await import('./i.js');",
      "import {\n  j,\n} from './j.js';",
      "export type K = import('./k.js').K;",
      "// import { no } from './no.js';",
      "/* import { no } from './no.js'; */",
    ].join('\n');
    expect(importsOf(source)).to.have.deep.members([
      { specifier: './a.js', typesOnly: false, names: [] },
      { specifier: './b.js', typesOnly: true, names: ['B'] },
      { specifier: './c.js', typesOnly: true, names: [] },
      { specifier: './e.js', typesOnly: false, names: ['f'] },
      { specifier: './g.js', typesOnly: false, names: [] },
      { specifier: './h.js', typesOnly: false, names: ['h'] },
      { specifier: './i.js', typesOnly: false, names: [] },
      { specifier: './j.js', typesOnly: false, names: ['j'] },
      { specifier: './k.js', typesOnly: false, names: [] },
    ]);
  });

  it('have no banned names, and no barrels', () => {
    const banned = [...sources.keys()].filter((file) =>
      file
        .split('/')
        .slice(1)
        .some((name) => bannedNames.test(name)),
    );
    expect(banned).to.deep.equal([]);
    expect(bannedNames.test(basename('src/index.ts'))).to.equal(true);
    const reexports = [...sources].filter(([, source]) => /^export\s+(\*|(type\s*)?\{[^}]*\}\s*from)/m.test(source));
    expect(reexports.map(([file]) => file)).to.deep.equal([]);
  });

  it('export nothing that nobody imports, and are imported by others than tests', () => {
    const tests = sourcesBelow('test', 'bench');
    expect(unusedExports({ product: sources, tests, entries })).to.deep.equal([]);
  });

  it('are seen where nobody imports them', () => {
    const product = new Map([
      ['src/main.ts', "import { a, type B as C } from './a.js';\nimport * as d from './d.js';\n"],
      ['src/a.ts', 'export const a = 1;\nexport interface B {}\nexport async function c() {}\nexport class E {}\n'],
      ['src/d.ts', 'export const f = 1;\nnew Worker(new URL("./nothing.js", import.meta.url));\n'],
      ['src/g.ts', 'export const h = 1;\n'],
    ]);
    const tests = new Map([
      ['test/a.test.ts', "import {\n  c,\n} from '../src/a.js';\nimport { h } from '../src/g.js';\n"],
    ]);
    expect(unusedExports({ product, tests, entries: ['src/main.ts'] })).to.deep.equal(['src/a.ts: E', 'src/g.ts']);
  });

  it('have no `any` and no switched-off type check', () => {
    const offenders = [...sources].filter(
      ([, source]) =>
        /@ts-(ignore|expect-error|nocheck)/.test(source) || /(:|<|\bas|\|)\s*any\b(?!')/.test(withoutTexts(source)),
    );
    expect(offenders.map(([file]) => file)).to.deep.equal([]);
  });

  it(`have ${MOST_LINES} lines or fewer`, () => {
    const long = [...sources].filter(([file, source]) => !isTable(file) && source.split('\n').length > MOST_LINES + 1);
    expect(long.map(([file]) => file)).to.deep.equal([]);
  });
});
