import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect } from 'chai';
import { eventually } from './support/eventually.js';
import { projectFolder } from './support/project.js';

/** What `npm pack` makes, unpacked without its sources and without packages beside it. */
describe('package', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sallyport-package-'));
  const installed = join(folder, 'node_modules', 'sallyport');
  const home = join(folder, 'home');

  before(() => {
    // what `prepack` builds is built: the tests run it
    const words = ['pack', '--silent', '--ignore-scripts', '--pack-destination', folder];
    execFileSync('npm', words, { cwd: projectFolder, stdio: 'pipe' });
    const tarball = readdirSync(folder).find((name) => name.endsWith('.tgz'));
    mkdirSync(installed, { recursive: true });
    execFileSync('tar', ['-xzf', join(folder, tarball ?? ''), '-C', installed, '--strip-components=1']);
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
      const server = spawn(join(installed, 'scripts/sallyport.mjs'), ['serve', '--log-form', 'json'], {
        cwd: folder,
        env: { ...process.env, HOME: home },
      });
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
    const kept = statSync(onlyFileIn(join(home, '.cache', 'sallyport')));
    expect(kept.mode & 0o777).to.equal(0o600);
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
    // what was compiled was taken, and not written once more
    expect(statSync(onlyFileIn(join(home, '.cache', 'sallyport'))).ino).to.equal(kept.ino);
    writeFileSync(file, shipped);
  });

  function onlyFileIn(path: string): string {
    const names = readdirSync(path);
    expect(names).to.have.length(1);
    return join(path, names[0] as string);
  }

  it('has its packages built in, and lists their versions and licences', () => {
    const runtime = join(installed, 'dist', 'runtime');
    const scripts = readdirSync(runtime).filter((name) => /\.c?js$/.test(name));
    // the bundler writes above each module where it comes from
    const modules = scripts.flatMap((name) => readFileSync(join(runtime, name), 'utf8').match(/^ *\/\/ .*$/gm) ?? []);
    const places = modules.flatMap(
      (line) => /^ *\/\/ (.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(line)?.slice(1) ?? [],
    );
    const versions: Readonly<Record<string, string>> = JSON.parse(readFileSync(join(runtime, 'packages.json'), 'utf8'));
    expect(versions).to.include.keys(...new Set(places), 'node_modules/koa', 'node_modules/node-forge');
    const licences = readFileSync(join(runtime, 'LICENSES.txt'), 'utf8');
    for (const [place, version] of Object.entries(versions)) {
      const { name, version: installedVersion } = JSON.parse(
        readFileSync(join(projectFolder, place, 'package.json'), 'utf8'),
      );
      expect(version, place).to.equal(installedVersion);
      expect(licences).to.include(`${name} ${version}, `);
    }
    expect(licences)
      .to.include('Copyright (c) 2019 Koa contributors')
      .and.include('Copyright (c) 2010, Digital Bazaar, Inc.');
  });

  it('asks for advisories on the packages that are built in, and tells where node_modules has others', async () => {
    const asked: Record<string, readonly string[]>[] = [];
    const registry = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        // of the package itself nothing is known here
        if (!request.url?.endsWith('/advisories/bulk')) return response.writeHead(404).end('{}');
        asked.push(JSON.parse(gunzipSync(Buffer.concat(chunks)).toString()));
        const advisory = { id: 1, url: 'https://advisories.test/1', title: 'flaw', severity: 'high', cwe: [] };
        response.end(JSON.stringify({ koa: [{ ...advisory, vulnerable_versions: '>=3', cvss: { score: 7 } }] }));
      });
    });
    await new Promise<void>((resolve) => registry.listen(0, '127.0.0.1', resolve));
    const other = join(installed, 'node_modules', 'koa');
    mkdirSync(other, { recursive: true });
    writeFileSync(join(other, 'package.json'), '{ "name": "koa", "version": "2.0.0" }');
    try {
      const { port } = registry.address() as AddressInfo;
      const doctor = spawn(join(installed, 'scripts/sallyport.mjs'), ['doctor', '--json'], {
        env: { ...process.env, npm_config_registry: `http://127.0.0.1:${port}/` },
      });
      let output = '';
      doctor.stdout.setEncoding('utf8').on('data', (text: string) => {
        output += text;
      });
      await once(doctor, 'close');
      const findings = output
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line));
      const told = (check: string) =>
        findings.filter((finding) => finding.check === check).map(({ state, detail }) => `${state} ${detail}`);
      expect(told('advisories')).to.deep.equal(['WARNING the npm registry lists advisories: koa (high)']);
      const { version } = JSON.parse(readFileSync(join(projectFolder, 'node_modules/koa/package.json'), 'utf8'));
      expect(told('packages')).to.deep.equal([
        `WARNING node_modules has koa 2.0.0 in place of ${version}: the built-in versions are used`,
      ]);
      expect(asked).to.have.length(1);
      expect(asked[0]).to.deep.include({ koa: [version] });
    } finally {
      registry.close();
      rmSync(join(installed, 'node_modules'), { recursive: true });
    }
  });

  it('holds no tests and no sources', () => {
    expect(readdirSync(installed)).to.not.include.members(['src', 'test', 'bench']);
    expect(readdirSync(join(installed, 'dist'))).to.have.members(['runtime']);
  });
});
