import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { eventually } from './support/eventually.js';
import { projectFolder } from './support/project.js';

/** What `npm pack` makes, unpacked as an installation would have it, without the sources beside it. */
describe('package', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sallyport-package-'));
  const installed = join(folder, 'node_modules', 'sallyport');

  before(() => {
    // what `prepack` builds is built: the tests run it
    const words = ['pack', '--silent', '--ignore-scripts', '--pack-destination', folder];
    execFileSync('npm', words, { cwd: projectFolder, stdio: 'pipe' });
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

  it('makes an administrator at its first start, prints the password once, and lets it be changed', async () => {
    const file = join(installed, 'sallyport.yaml');
    const shipped = readFileSync(file, 'utf8');
    // ports that nobody else has
    writeFileSync(file, shipped.replaceAll(/127\.0\.0\.1:41\d{3}/g, '127.0.0.1:0').replace(/^demo:\n.*$/m, ''));
    const start = async () => {
      const server = spawn(join(installed, 'scripts/sallyport.mjs'), ['serve', '--log-form', 'json'], { cwd: folder });
      let output = '';
      server.stdout.setEncoding('utf8').on('data', (text: string) => {
        output += text;
      });
      const url = await eventually(() => /^W-HTTP +(\S+)/m.exec(output)?.[1]);
      return {
        url,
        output: () => output,
        stop: async () => {
          const closed = once(server, 'close');
          server.kill('SIGTERM');
          await closed;
        },
      };
    };
    const statusFor = async (url: string, password: string) => {
      const headers = { Authorization: `Basic ${Buffer.from(`admin:${password}`).toString('base64')}` };
      return (await fetch(`${url}/SECURE/capabilityCode.json+USRCAP?USER=admin`, { headers })).status;
    };
    const first = await start();
    const announced = await eventually(() => /is admin, with the password (\S+)$/m.exec(first.output())?.[1]);
    expect(announced).to.match(/^[A-Za-z0-9_-]{16}$/);
    expect(await statusFor(first.url, announced)).to.equal(200);
    await first.stop();
    // it is printed for its reader, and is in no line of the log
    const logged = first
      .output()
      .split('\n')
      .filter((line) => line.startsWith('{'));
    expect(logged.join('\n')).to.not.include(announced);
    const second = await start();
    const changed = spawnSync(
      join(installed, 'scripts/sallyport.mjs'),
      ['user', 'passwd', 'admin', '--password-stdin'],
      {
        cwd: folder,
        input: 'another-password\n',
        encoding: 'utf8',
      },
    );
    expect(changed.status, changed.stderr).to.equal(0);
    expect(await statusFor(second.url, 'another-password')).to.equal(200);
    expect(await statusFor(second.url, announced)).to.equal(401);
    await second.stop();
    expect(second.output()).to.not.include('password');
    writeFileSync(file, shipped);
  });

  it('holds no tests and no sources', () => {
    expect(readdirSync(installed)).to.not.include.members(['src', 'test', 'bench']);
    expect(readdirSync(join(installed, 'dist'))).to.have.members(['runtime']);
  });
});
