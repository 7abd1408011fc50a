import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { projectFolder } from './support/project.js';

/** What `npm pack` makes, unpacked as an installation would have it, without the sources beside it. */
describe('package', function () {
  this.timeout(60_000);
  const folder = mkdtempSync(join(tmpdir(), 'sallyport-package-'));
  const installed = join(folder, 'node_modules', 'sallyport');

  before(() => {
    execFileSync('npm', ['pack', '--silent', '--pack-destination', folder], { cwd: projectFolder, stdio: 'pipe' });
    const tarball = readdirSync(folder).find((name) => name.endsWith('.tgz'));
    mkdirSync(installed, { recursive: true });
    execFileSync('tar', ['-xzf', join(folder, tarball ?? ''), '-C', installed, '--strip-components=1']);
    for (const name of readdirSync(join(projectFolder, 'node_modules'))) {
      if (!name.startsWith('.'))
        symlinkSync(join(projectFolder, 'node_modules', name), join(folder, 'node_modules', name));
    }
  });

  after(() => rmSync(folder, { recursive: true }));

  function run(...args: string[]) {
    const { status, stdout, stderr } = spawnSync(join(installed, 'scripts/sallyport.mjs'), args, { encoding: 'utf8' });
    return { status, output: stdout + stderr };
  }

  it('has a command that runs', () => {
    expect(run('--version')).to.deep.equal({ status: 0, output: '0.1.0\n' });
  });

  it('has the default configuration, with everything that it names', () => {
    const { status, output } = run('check-config', join(installed, 'sallyport.yaml'));
    expect(status, output).to.equal(0);
  });

  it('holds no tests and no sources', () => {
    expect(readdirSync(installed)).to.not.include.members(['src', 'test', 'bench']);
    expect(readdirSync(join(installed, 'dist'))).to.have.members(['machines', 'src']);
  });
});
