import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { projectFolder } from './support/project.js';

const runtime = join(projectFolder, 'dist', 'runtime');
const faces = ['tn3270', 'simulated-host'];

/** The engine and the simulated host as other projects import them, from what `npm pack` makes. */
describe('library', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sallyport-library-'));
  const installed = join(folder, 'node_modules', 'sallyport');

  before(() => {
    const words = ['pack', '--silent', '--ignore-scripts', '--pack-destination', folder];
    execFileSync('npm', words, { cwd: projectFolder, stdio: 'pipe' });
    const tarball = readdirSync(folder).find((name) => name.endsWith('.tgz'));
    mkdirSync(installed, { recursive: true });
    execFileSync('tar', ['-xzf', join(folder, tarball ?? ''), '-C', installed, '--strip-components=1']);
    mkdirSync(join(folder, 'node_modules', '@types'));
    symlinkSync(join(projectFolder, 'node_modules', '@types', 'node'), join(folder, 'node_modules', '@types', 'node'));
    symlinkSync(join(projectFolder, 'node_modules', 'undici-types'), join(folder, 'node_modules', 'undici-types'));
    cpSync(join(projectFolder, 'examples'), folder, { recursive: true });
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  });

  after(() => rmSync(folder, { recursive: true }));

  it('has examples that compile with --strict and do what they say', function () {
    this.timeout(120_000);
    const compiler = join(projectFolder, 'node_modules', 'typescript', 'bin', 'tsc');
    const options = ['--ignoreConfig', '--strict', '--module', 'nodenext', '--target', 'es2023', '--types', 'node'];
    const examples = ['sign-on.ts', 'table.ts', 'transfer.ts'];
    const compiled = spawnSync(process.execPath, [compiler, ...options, ...examples], {
      cwd: folder,
      encoding: 'utf8',
    });
    expect(compiled.stdout + compiled.stderr).to.equal('');
    const outputOf = (name: string) => {
      const { stdout, stderr, status } = spawnSync(process.execPath, [`${name}.js`], { cwd: folder, encoding: 'utf8' });
      expect([status, stderr], name).to.deep.equal([0, '']);
      return stdout;
    };
    expect(outputOf('sign-on'))
      .to.match(/^ MENU +Sallyport simulated host\n/)
      .and.include('User . . : DEMO');
    expect(outputOf('table')).to.equal(
      "60 members, complete\n{ name: 'RATE0001', lines: 69, description: 'currency rates' }\n",
    );
    expect(outputOf('transfer')).to.equal('first line\nsecond line\n\n');
  });

  it('has the declarations of version 1: a change of them is a change of the interface', () => {
    for (const face of faces) {
      const declared = readFileSync(join(installed, 'dist', 'runtime', `${face}.d.ts`), 'utf8');
      expect(declared, face).to.equal(
        readFileSync(join(projectFolder, 'test', 'fixtures', 'library', `${face}.d.ts`), 'utf8'),
      );
      expect(declared).to.not.match(/\bimport\b/);
    }
  });

  it('loads neither the server nor its packages', () => {
    const allowed = ['iconv-lite', 'safer-buffer', 'xstate'];
    for (const face of faces) {
      const loaded = new Set<string>();
      const load = (file: string) => {
        if (loaded.has(file)) return;
        loaded.add(file);
        const source = readFileSync(file, 'utf8');
        for (const [, specifier = ''] of source.matchAll(/(?:from|import) ?"(\.[^"]+)"/g))
          load(join(dirname(file), specifier));
      };
      load(join(runtime, `${face}.js`));
      const modules = [...loaded].flatMap((file) => readFileSync(file, 'utf8').match(/^ *\/\/ \S+$/gm) ?? []);
      const packages = modules.flatMap((line) => /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(line)?.slice(1) ?? []);
      expect(
        packages.filter((name) => !allowed.includes(name)),
        face,
      ).to.deep.equal([]);
      const rooms = modules.flatMap((line) => /dist\/src\/(\w+)\//.exec(line)?.slice(1) ?? []);
      expect(
        [...new Set(rooms)].filter((room) => !['lib', 'tn3270', 'demo'].includes(room)),
        face,
      ).to.deep.equal([]);
      expect(rooms, face).to.include('tn3270');
    }
  });
});
