import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { projectFolder } from './support/project.js';
import { unusedExports } from './support/unused-exports.js';

/**
 * The table of docs/architecture.md. `types:` in front of a folder: only its types may be imported. A folder may always
 * import itself and the ground; `any`: everything.
 */
const mayImport: Readonly<Record<string, readonly string[]>> = {
  'src/codepage': [],
  'src/datastream': [],
  'src/telnet': [],
  'src/keyboard': ['src/datastream'],
  'src/screen': ['src/keyboard', 'src/datastream', 'src/codepage'],
  'src/screen-protocol': ['types:src/screen'],
  machines: ['types:src/datastream', 'types:src/screen'],
  'src/host': ['src/telnet', 'src/datastream', 'src/screen', 'src/codepage', 'machines'],
  'src/simulated-host': ['src/telnet', 'src/datastream', 'src/codepage'],
  'src/crypto': [],
  'src/template': ['types:src/screen'],
  'src/document': [],
  'src/outbound': ['types:src/document'],
  'src/entry-point': [],
  'src/security': [],
  'src/demo-currency-service': [],
  'src/line': ['machines'],
  'src/conversation': ['src/host', 'src/screen', 'src/keyboard', 'src/datastream', 'types:machines'],
  'src/session': ['src/conversation', 'src/crypto', 'src/screen', 'types:src/host', 'machines'],
  'src/scenario': [
    'src/template',
    'src/outbound',
    'src/document',
    'src/codepage',
    'types:src/host',
    'types:src/screen',
    'types:src/entry-point',
  ],
  'src/macro': ['src/security', 'src/keyboard'],
  'src/users': ['src/security'],
  'src/web': [
    'src/session',
    'src/scenario',
    'src/macro',
    'src/template',
    'src/line',
    'src/entry-point',
    'src/security',
    'src/users',
    'src/screen-protocol',
    'types:src/screen',
  ],
  composition: ['any'],
};

const ground = [
  'src/errors.ts',
  'src/fair-queue.ts',
  'src/log.ts',
  'src/source-diagnostic.ts',
  'src/secret-names.ts',
  'src/nearest-name.ts',
  'src/read-outcome.ts',
  'src/stop-signal.ts',
  'src/fair-turns.ts',
  'src/paced-reader.ts',
];
const composition = ['src/main.ts', 'src/composition', 'src/config', 'src/cli'];

/** Everyone else is handed a connection, or options, and knows no more than the types of node. */
const networkModules = ['node:net', 'node:tls', 'node:http', 'node:https', 'node:http2', 'node:dgram'];
const mayUseNetwork = [
  'src/line',
  'src/security',
  'src/outbound',
  'src/demo-currency-service',
  'src/host',
  'src/simulated-host',
  'src/cli',
  'src/config',
];

/** Stores, and what the composition reads. Everyone else is handed what it needs. */
const mayUseDisk = ['src/security', 'src/macro', 'src/scenario', 'src/template', 'src/config', 'src/cli'];

/** Folders that name every package they may import. */
const packagesOf: Readonly<Record<string, readonly string[]>> = {
  machines: ['xstate'],
  'src/keyboard': [],
  'src/screen-protocol': [],
};

/** What is bundled for browsers too: a folder, or files of one that touch nothing of Node. */
const sharedWithBrowsers = [
  'src/keyboard/',
  'src/datastream/attributes.ts',
  'src/datastream/buffer-address.ts',
  'src/datastream/field-attribute.ts',
  'src/datastream/graphic-code.ts',
  'src/macro/instruction.ts',
  'src/macro/macro-fault.ts',
  'src/macro/macro-set.ts',
  'src/macro/step-names.ts',
  'src/screen-protocol/decode-server-message.ts',
  'src/screen-protocol/encode-message.ts',
  'src/screen-protocol/lock-code.ts',
  'src/screen-protocol/page-message.ts',
  'src/screen-protocol/received-screen.ts',
  'src/screen-protocol/right-half.ts',
  'src/screen-protocol/server-message.ts',
];

/** Files that are run, and not imported. */
const entries = ['src/main.ts', 'client/terminal/main.ts', 'client/form/encrypted-form.ts', 'client/portal/main.ts'];

const bannedNames = /^(index|utils?|helpers?|common|misc|managers?)(\.|$)|-(utils?|helpers?|manager)\./;
const MOST_LINES = 400;
/** Data, not code. */
const isTable = (file: string) => /(^|\/)tables\/|-tables?\.ts$/.test(file);

interface Import {
  readonly specifier: string;
  readonly typesOnly: boolean;
}

const files = [...filesBelow('src'), ...filesBelow('machines')];
const sources = new Map(files.map((file) => [file, readFileSync(join(projectFolder, file), 'utf8')]));
const imports = new Map([...sources].map(([file, source]) => [file, importsOf(source)]));

describe('architecture', () => {
  it('sees the sources, and every kind of import', () => {
    expect(files).to.include.members(['src/main.ts', 'src/log.ts', 'src/config/load-configuration.ts']);
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
      { specifier: './a.js', typesOnly: false },
      { specifier: './b.js', typesOnly: true },
      { specifier: './c.js', typesOnly: true },
      { specifier: './e.js', typesOnly: false },
      { specifier: './g.js', typesOnly: false },
      { specifier: './h.js', typesOnly: false },
      { specifier: './i.js', typesOnly: false },
      { specifier: './j.js', typesOnly: false },
      { specifier: './k.js', typesOnly: false },
    ]);
  });

  it('knows every folder', () => {
    const unknown = files.filter((file) => roomOf(file) === undefined);
    expect(unknown).to.deep.equal([]);
  });

  it('has no import outside the table of layers', () => {
    const outside: string[] = [];
    for (const [file, target, typesOnly] of edges()) {
      const [room = '', targetRoom = ''] = [roomOf(file), roomOf(target)];
      if (room === targetRoom || targetRoom === 'ground') continue;
      const allowed = mayImport[room] ?? [];
      const permitted =
        allowed.includes('any') ||
        allowed.includes(targetRoom) ||
        (typesOnly && allowed.includes(`types:${targetRoom}`));
      if (!permitted) outside.push(`${file} imports ${target}`);
    }
    expect(outside).to.deep.equal([]);
  });

  it('has no import cycle, types included', () => {
    const targets = new Map<string, string[]>(files.map((file) => [file, []]));
    for (const [file, target] of edges()) targets.get(file)?.push(target);
    const finished = new Set<string>();
    const cycles: string[] = [];
    const visit = (file: string, trail: readonly string[]) => {
      if (finished.has(file)) return;
      const start = trail.indexOf(file);
      if (start >= 0) {
        cycles.push([...trail.slice(start), file].join(' -> '));
        return;
      }
      for (const target of targets.get(file) ?? []) visit(target, [...trail, file]);
      finished.add(file);
    };
    for (const file of files) visit(file, []);
    expect(cycles).to.deep.equal([]);
  });

  it('imports only files that are there, by names that end in .js', () => {
    const broken: string[] = [];
    for (const [file, list] of imports) {
      for (const { specifier } of list) {
        if (!specifier.startsWith('.')) continue;
        const target = join(dirname(file), specifier.replace(/\.js$/, '.ts'));
        if (!specifier.endsWith('.js') || !existsSync(join(projectFolder, target)))
          broken.push(`${file}: ${specifier}`);
      }
    }
    expect(broken).to.deep.equal([]);
  });

  it('opens the network in few places', () => {
    expect(filesThatImport(networkModules).filter((file) => !mayUseNetwork.includes(roomFolder(file)))).to.deep.equal(
      [],
    );
  });

  it('touches the disk in stores, configuration and commands only', () => {
    const diskModules = ['node:fs', 'node:fs/promises'];
    expect(filesThatImport(diskModules).filter((file) => !mayUseDisk.includes(roomFolder(file)))).to.deep.equal([]);
  });

  it('lets uploads in by one door', () => {
    const readers = [...edges()].filter(
      ([, target, typesOnly]) => target === 'src/web/macros/uploaded-file.ts' && !typesOnly,
    );
    expect(readers.map(([file]) => file)).to.deep.equal(['src/web/macros/upload-door.ts']);
  });

  it('lets machines import xstate and nothing else, and what is shared with browsers no package at all', () => {
    for (const [room, packages] of Object.entries(packagesOf)) {
      for (const [file, list] of imports) {
        if (roomOf(file) !== room) continue;
        const others = list.map(({ specifier }) => specifier).filter((specifier) => !specifier.startsWith('.'));
        expect(packages, file).to.include.members(others);
      }
    }
  });

  it('reads the environment in the composition only', () => {
    const readers = [...sources].filter(([, source]) => /process\s*\.\s*env/.test(withoutComments(source)));
    expect(readers.map(([file]) => file).filter((file) => roomOf(file) !== 'composition')).to.deep.equal([]);
  });

  it('keeps what runs in the browser apart: its own files, what it shares with the server, and parts of node-forge', () => {
    const outside: string[] = [];
    const files = filesBelow('client').filter((file) => !file.endsWith('.d.ts'));
    expect(files).to.include('client/terminal/terminal.ts');
    const isShared = (target: string) => sharedWithBrowsers.some((place) => target.startsWith(place));
    const bundled = [...files, ...filesBelow('src').filter(isShared)];
    expect(bundled).to.include.members(['src/keyboard/keyboard.ts', 'src/datastream/field-attribute.ts']);
    for (const file of bundled) {
      for (const { specifier } of importsOf(sourceOf(file))) {
        if (specifier.startsWith('node-forge/lib/') && file.startsWith('client/')) continue;
        const target = relative(projectFolder, resolve(projectFolder, dirname(file), specifier.replace(/\.js$/, '.ts')))
          .split(sep)
          .join('/');
        const mayImport = isShared(target) || (file.startsWith('client/') && target.startsWith('client/'));
        if (!specifier.startsWith('.') || !mayImport) outside.push(`${file} -> ${specifier}`);
      }
    }
    expect(outside).to.deep.equal([]);
    const undefinedThere = bundled.filter((file) =>
      /\b(setImmediate|process|window\.postMessage|MutationObserver)\b/.test(withoutTexts(sourceOf(file))),
    );
    expect(undefinedThere, 'what scripts/build.mjs defines away').to.deep.equal([]);
    expect(files.filter((file) => bannedNames.test(basename(file)))).to.deep.equal([]);
    const tooLong = files.filter((file) => sourceOf(file).split('\n').length > MOST_LINES);
    expect(tooLong).to.deep.equal([]);
  });

  it('has no barrels and no banned names', () => {
    expect(files.filter((file) => bannedNames.test(basename(file)))).to.deep.equal([]);
    expect(
      files.filter((file) =>
        file
          .split('/')
          .slice(1, -1)
          .some((folder) => bannedNames.test(folder)),
      ),
    ).to.deep.equal([]);
    const reexports = [...sources].filter(([, source]) => /^export\s+(\*|(type\s*)?\{[^}]*\}\s*from)/m.test(source));
    expect(reexports.map(([file]) => file)).to.deep.equal([]);
  });

  it('sends the terminal page a script of 45 KiB at most, as gzip compresses it', () => {
    const script = readFileSync(join(projectFolder, 'public', 'terminal.js'));
    expect(gzipSync(script, { level: 9 }).length).to.be.within(1, 45 * 1024);
  });

  it('exports nothing that nobody imports, and has no file that only tests import', () => {
    const product = new Map([...sources, ...sourcesBelow('client')]);
    const tests = new Map([...sourcesBelow('test'), ...sourcesBelow('bench')]);
    expect(unusedExports({ product, tests, entries })).to.deep.equal([]);
  });

  it('sees what nobody imports', () => {
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

  it('has no `any` and no switched-off type check', () => {
    const offenders = [...sources].filter(
      ([, source]) =>
        /@ts-(ignore|expect-error|nocheck)/.test(source) || /(:|<|\bas|\|)\s*any\b(?!')/.test(withoutTexts(source)),
    );
    expect(offenders.map(([file]) => file)).to.deep.equal([]);
  });

  it(`keeps files at ${MOST_LINES} lines or fewer`, () => {
    const long = [...sources].filter(([file, source]) => !isTable(file) && source.split('\n').length > MOST_LINES + 1);
    expect(long.map(([file]) => file)).to.deep.equal([]);
  });
});

function filesBelow(folder: string): string[] {
  const path = join(projectFolder, folder);
  if (!existsSync(path)) return [];
  return readdirSync(path, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join(folder, name).split(sep).join('/'))
    .sort();
}

/** Without declarations of what others have written. */
function sourcesBelow(folder: string): [file: string, source: string][] {
  const own = filesBelow(folder).filter((file) => !file.endsWith('.d.ts'));
  return own.map((file) => [file, sourceOf(file)]);
}

function sourceOf(file: string): string {
  return readFileSync(join(projectFolder, file), 'utf8');
}

/** `src/line`, `machines`, `ground` or `composition`; undefined for a folder that the table does not know. */
function roomOf(file: string): string | undefined {
  if (ground.includes(file)) return 'ground';
  if (composition.some((place) => file === place || file.startsWith(`${place}/`))) return 'composition';
  const folder = roomFolder(file);
  return folder in mayImport ? folder : undefined;
}

function roomFolder(file: string): string {
  const [top = '', second = ''] = file.split('/');
  return top === 'src' ? `src/${second}` : top;
}

function* edges(): Generator<[file: string, target: string, typesOnly: boolean]> {
  for (const [file, list] of imports) {
    for (const { specifier, typesOnly } of list) {
      if (!specifier.startsWith('.')) continue;
      const target = resolve(projectFolder, dirname(file), specifier.replace(/\.js$/, '.ts'));
      yield [file, relative(projectFolder, target).split(sep).join('/'), typesOnly];
    }
  }
}

/** Not counting types, and names that open nothing. */
function filesThatImport(modules: readonly string[]): string[] {
  return [...sources]
    .map(
      ([file, source]) => [file, importsOf(source.replace("import { STATUS_CODES } from 'node:http';", ''))] as const,
    )
    .filter(([, list]) => list.some(({ specifier, typesOnly }) => !typesOnly && modules.includes(specifier)))
    .map(([file]) => file);
}

function importsOf(source: string): Import[] {
  const text = withoutComments(source);
  const found: Import[] = [];
  for (const [, type, clause = '', specifier = ''] of text.matchAll(
    /^\s*(?:import|export)\s+(type\s+)?(?:([\w*\s{},$]+?)\s+from\s+)?'([^']+)'/gm,
  )) {
    const names = /^\{([^}]*)\}$/
      .exec(clause.trim())?.[1]
      ?.split(',')
      .map((name) => name.trim());
    const allTypes = names?.filter(Boolean).every((name) => name.startsWith('type ')) ?? false;
    found.push({ specifier, typesOnly: type !== undefined || allTypes });
  }
  for (const [, specifier = ''] of text.matchAll(/\bimport\(\s*'([^']+)'/g))
    found.push({ specifier, typesOnly: false });
  return found;
}

function withoutComments(source: string): string {
  return source.replace(/^\s*\/\*[\s\S]*?\*\//gm, '').replace(/(^|\s)\/\/.*$/gm, '$1');
}

function withoutTexts(source: string): string {
  return withoutComments(source).replace(/'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`/g, "''");
}
