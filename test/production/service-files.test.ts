import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { parse } from 'yaml';
import { sallyportInProcess } from '../cli/command-in-process.js';
import { makeCertificate } from '../support/certificate.js';
import { skipUnless } from '../support/need.js';
import { projectFolder } from '../support/project.js';

interface ClusterService {
  readonly environment: Readonly<Record<string, string>>;
  readonly networks: { readonly cluster?: { readonly ipv4_address?: string } };
  readonly volumes?: readonly string[];
  readonly ports?: readonly string[];
  readonly read_only?: boolean;
}

const unit = join(projectFolder, 'operation', 'sallyport.service');
/** Of 0 to 100 as systemd-analyze counts; what most services of a Debian have is above 90. */
const HIGHEST_EXPOSURE = 20;

const inProject = (...names: readonly string[]) => join(projectFolder, ...names);
const textOf = (...names: readonly string[]) => readFileSync(inProject(...names), 'utf8');

/** What docs/run/production.md has people install. */
describe('files for production', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sallyport-production-'));
  after(() => rmSync(folder, { recursive: true }));

  describe('the unit of systemd', () => {
    const analyzes = (...args: readonly string[]) => spawnSync('systemd-analyze', args, { encoding: 'utf8' });

    before(function () {
      skipUnless(this, analyzes('--version').error === undefined, 'systemd-analyze is not here');
    });

    it('has no fault that systemd finds', () => {
      // the program lies somewhere else here
      const there = join(folder, 'sallyport.service');
      const text = readFileSync(unit, 'utf8').replaceAll('/usr/bin/node', process.execPath);
      writeFileSync(there, text.replaceAll('/opt/sallyport/', `${projectFolder}/`));
      const { status, stdout, stderr } = analyzes('verify', '--man=no', there);
      expect([status, stdout + stderr]).to.deep.equal([0, '']);
    });

    it('exposes little of the machine', () => {
      const { status, stdout } = analyzes('security', '--offline=true', `--threshold=${HIGHEST_EXPOSURE}`, unit);
      expect(status, stdout).to.equal(0);
    });
  });

  it('the unit and the image name files that are shipped', () => {
    const { files } = JSON.parse(textOf('package.json')) as { files: readonly string[] };
    const named = [unit, inProject('Dockerfile'), inProject('operation/container/sallyport.yaml')].flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(/\/opt\/sallyport\/([\w./-]+)/g)].map(([, path = '']) => path),
    );
    expect(named).to.include('operation/is-healthy.mjs');
    for (const path of named) {
      expect(existsSync(inProject(path)), path).to.equal(true);
      expect(
        files.some((one) => path === one || path.startsWith(`${one}/`) || one.startsWith(`${path}/`)),
        path,
      ).to.equal(true);
    }
  });

  it('the configuration of the image is valid, and listens beyond loopback', async () => {
    const file = join(folder, 'sallyport.yaml');
    const text = textOf('operation', 'container', 'sallyport.yaml');
    writeFileSync(
      file,
      text.replaceAll('/opt/sallyport/', `${projectFolder}/`).replaceAll('/var/lib/sallyport', folder),
    );
    const { code, stdout, stderr } = await sallyportInProcess(['check-config', file]);
    expect(code, stdout + stderr).to.equal(0);
    const listening = [...text.replaceAll(/^ *#.*$/gm, '').matchAll(/listen: '?([^',} ]+)/g)].map(([, where]) => where);
    expect(listening).to.deep.equal(['0:41023', '0:41001', '0:41002', '0:41003']);
    const { security, management, ...rest } = parse(textOf('sallyport.yaml')) as Record<string, unknown>;
    expect(Object.keys(parse(text) as object)).to.have.members(['security', 'management', ...Object.keys(rest)]);
    expect([security, management]).to.not.include(undefined);
  });

  it('the container of the compose file has a root that it cannot write, and ports on loopback alone', () => {
    const { services } = parse(textOf('operation', 'container', 'compose.yaml')) as {
      services: { sallyport: { ports: readonly string[]; read_only: boolean; cap_drop: readonly string[] } };
    };
    const { ports, read_only: isReadOnly, cap_drop: dropped } = services.sallyport;
    expect([isReadOnly, dropped]).to.deep.equal([true, ['ALL']]);
    for (const port of ports) expect(port).to.match(/^127\.0\.0\.1:/);
  });

  describe('the cluster of compose.yaml', () => {
    const ofCluster = (name: string) => textOf('operation', 'cluster', name);
    const { services } = parse(ofCluster('compose.yaml'), { merge: true }) as {
      services: Readonly<Record<string, ClusterService>>;
    };

    it('has two servers whose configuration has no fault, and differs in the code of the node', async () => {
      const codes = ['a', 'b'].map((name) => services[name]?.environment.NODE);
      expect(codes).to.deep.equal(['a', 'b']);
      // as its first lines say; the second authority signs the certificate of the servers
      for (const [, line = ''] of ofCluster('compose.yaml').matchAll(/^# {3}(openssl .*)$/gm))
        execFileSync('sh', ['-c', line], { cwd: folder, stdio: 'ignore' });
      for (const code of codes) {
        const file = join(folder, `cluster-${code}.yaml`);
        const text = ofCluster('sallyport.yaml').replaceAll('/opt/sallyport/', `${projectFolder}/`);
        const here = text.replaceAll(/\/var\/lib\/sallyport|\/etc\/sallyport/g, folder);
        writeFileSync(file, here.replaceAll('@NODE@', `${code}`));
        const environment = { ...process.env, DATABASE_PASSWORD: 'secret' };
        const { code: exit, stdout, stderr } = await sallyportInProcess(['check-config', file], { environment });
        expect(exit, stdout + stderr).to.equal(0);
        expect(stdout + stderr).to.not.include('warning');
      }
    });

    it('has the addresses that HAProxy leads to, and that the lines trust', () => {
      const addressOf = (name: string) => services[name]?.networks.cluster?.ipv4_address;
      const led = [...ofCluster('haproxy.cfg').matchAll(/^ {2}server (\w+) ([\d.]+):41002$/gm)];
      // those that live, for their sessions; those that are ready; all of them where none is
      const both = [
        ['a', addressOf('a')],
        ['b', addressOf('b')],
      ];
      expect(led.map(([, name, address]) => [name, address])).to.deep.equal([...both, ...both, ...both]);
      expect(ofCluster('sallyport.yaml')).to.include(`trustedProxies: [${addressOf('haproxy')}]`);
    });

    it('mounts files that are there, has ports on loopback alone, and roots that servers cannot write', () => {
      const mounted = Object.values(services).flatMap(({ volumes = [] }) =>
        volumes.map((one) => one.split(':')[0] ?? ''),
      );
      // made by the commands at the top
      const shipped = mounted.filter((path) => path.startsWith('./') && !path.endsWith('.pem'));
      expect(shipped).to.include.members(['./haproxy.cfg', './sallyport.yaml', './roles.sh']);
      expect(mounted).to.include.members(['./sallyport.pem', './node.pem', './cluster-ca.pem']);
      for (const path of shipped) expect(existsSync(inProject('operation', 'cluster', path)), path).to.equal(true);
      for (const { ports = [] } of Object.values(services))
        for (const port of ports) expect(port).to.match(/^127\.0\.0\.1:/);
      for (const name of ['a', 'b', 'schema']) expect(services[name]?.read_only).to.equal(true);
    });
  });

  it('the page on production says what to do about each alarm', () => {
    const alarms = [...textOf('operation', 'prometheus-rules.yaml').matchAll(/alert: (\w+)/g)].map(([, name]) => name);
    const rows = [...textOf('docs', 'run', 'production.md').matchAll(/^\| `(Sallyport\w+)` \|/gm)].map(
      ([, name]) => name,
    );
    expect(rows).to.have.members(alarms);
  });

  describe('the configurations of the sizing sheet', () => {
    const { cert, key } = makeCertificate();
    const both = [key, cert].map((one) => readFileSync(one, 'utf8')).join('');
    /** As docs/run/scale.md has them. */
    const sizes = [
      { users: 1_000, servers: 2, processes: 1, databaseConnections: 22 },
      { users: 5_000, servers: 2, processes: 2, databaseConnections: 44 },
      { users: 20_000, servers: 4, processes: 3, databaseConnections: 84 },
    ];
    interface Sized {
      readonly processes?: number;
      readonly store: { readonly connections?: number };
      readonly lines: {
        readonly 'C-HTTP': { readonly limits: { readonly connections: number; readonly sessions: number } };
      };
    }

    for (const { users, servers, processes, databaseConnections } of sizes) {
      it(`of ${users} users has no fault, and room for all of them when a server has failed`, async () => {
        const text = textOf('operation', 'sizing', `${users}-users.yaml`);
        const file = join(folder, `${users}-users.yaml`);
        const here = text.replaceAll('/opt/sallyport/', `${projectFolder}/`);
        for (const name of ['node.pem', 'cluster-ca.pem']) writeFileSync(join(folder, name), both);
        writeFileSync(file, here.replaceAll(/\/var\/lib\/sallyport|\/etc\/sallyport/g, folder));
        const environment = { ...process.env, DATABASE_PASSWORD: 'secret' };
        const { code, stdout, stderr } = await sallyportInProcess(['check-config', file], { environment });
        expect(code, stdout + stderr).to.equal(0);
        const sized = parse(text) as Sized;
        expect(sized.processes ?? 1).to.equal(processes);
        const { limits } = sized.lines['C-HTTP'];
        expect((servers - 1) * processes * limits.sessions).to.be.at.least(1.5 * users);
        expect(limits.connections).to.be.above(limits.sessions);
        const { connections = 8 } = sized.store;
        const ofProcess = connections + Math.max(2, Math.ceil(connections / 4)) + 1;
        expect(servers * processes * ofProcess).to.equal(databaseConnections);
        expect(textOf('docs', 'run', 'scale.md')).to.include(`](../../operation/sizing/${users}-users.yaml)`);
      });
    }
  });

  describe('the health check', () => {
    let status = 503;
    const server = createServer((_, response) => response.writeHead(status).end('{"status":"DOWN"}'));
    let url = '';

    before(async () => {
      await once(server.listen(0, '127.0.0.1'), 'listening');
      url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/health/ready`;
    });
    after(() => server.close());

    function check(...args: readonly string[]) {
      const child = spawn(process.execPath, [inProject('operation', 'is-healthy.mjs'), ...args]);
      let said = '';
      child.stderr.setEncoding('utf8').on('data', (text: string) => {
        said += text;
      });
      return once(child, 'close').then(([code]) => ({ code: code as number, said }));
    }

    it('fails with what the server says while it is not ready, and where there is none', async () => {
      expect(await check(url)).to.deep.equal({ code: 1, said: '503 {"status":"DOWN"}\n' });
      const gone = createServer();
      await once(gone.listen(0, '127.0.0.1'), 'listening');
      const where = `127.0.0.1:${(gone.address() as AddressInfo).port}`;
      await once(gone.close(), 'close');
      const { code, said } = await check(`http://${where}/`);
      expect([code, said]).to.deep.equal([1, `http://${where}/: connect ECONNREFUSED ${where}\n`]);
    });

    it('is fine once the server is, and waits for that where it is told to', async () => {
      const waiting = check(url, '--wait', '600');
      await once(server, 'request');
      status = 200;
      expect(await waiting).to.deep.equal({ code: 0, said: '' });
      expect(await check(url)).to.deep.equal({ code: 0, said: '' });
    });

    it('takes nothing that it does not know', async () => {
      expect((await check(url, '--wait', 'long')).code).to.equal(2);
      expect((await check('nowhere')).code).to.equal(2);
    });
  });
});
