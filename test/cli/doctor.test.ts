import { execFileSync } from 'node:child_process';
import { chmod, copyFile, mkdir, mkdtemp, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer as createTlsServer } from 'node:tls';
import { expect } from 'chai';
import { FileAuditTrail } from '../../src/access/audit/file-audit-trail.js';
import { checkAuthorities, checkCertificate } from '../../src/cli/doctor/certificate-checks.js';
import type { Finding } from '../../src/cli/doctor/finding.js';
import { checkNode } from '../../src/cli/doctor/machine-checks.js';
import { makeCertificate } from '../support/certificate.js';
import { freePort } from '../support/free-port.js';
import { skipUnless } from '../support/need.js';
import { sallyportInProcess } from './command-in-process.js';
import { SallyportProcess, sallyport } from './sallyport-process.js';

const configuration = (port: number, more = '') => `data: ./state
security: { database: ./state/security.yaml }
directories: { CLI: . }
lines:
  A-HTTP: { listen: 127.0.0.1:${port}, entryPoint: E }
entryPoints: { E: { directory: CLI } }
${more}`;
const NOW = Date.UTC(2026, 10, 22);

describe('sallyport doctor', function () {
  this.timeout(60_000);
  let folder: string;
  let file: string;
  const servers: Server[] = [];

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sallyport-doctor-'));
    file = join(folder, 'sallyport.yaml');
    await mkdir(join(folder, 'state'), { mode: 0o700 });
  });
  afterEach(async () => {
    for (const server of servers.splice(0)) server.close();
    await rm(folder, { recursive: true });
  });

  async function listen(server = createServer((socket) => socket.on('error', () => {}))): Promise<number> {
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return (server.address() as AddressInfo).port;
  }

  async function examine(): Promise<{
    readonly code: number | null;
    readonly found: readonly Finding[];
    readonly text: string;
  }> {
    const { code, stdout, stderr } = await sallyportInProcess(['doctor', '--config', file, '--json', '--offline']);
    expect(stderr).to.equal('');
    return {
      code,
      found: stdout
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line)),
      text: stdout,
    };
  }
  const about = (found: readonly Finding[], check: string, name?: string) =>
    found.filter((one) => one.check === check && (name === undefined || one.about === name));
  const states = (found: readonly Finding[]) => found.map(({ state, detail }) => `${state} ${detail}`);

  it('prints a list with what to do, and exits with 0 where nothing is a fault', async () => {
    await writeFile(file, configuration(await freePort()));
    const { code, stdout } = await sallyport(['doctor', '--offline'], folder);
    expect(stdout).to.match(/^(OK|WARNING) +Node\.js v/);
    expect(stdout).to.match(/^OK {7}configuration sallyport\.yaml: good$/m);
    expect(stdout).to.match(/^OK {7}server .*state: not running$/m);
    expect(stdout).to.match(/^OK {7}port line A-HTTP: \d+ is free$/m);
    expect(stdout).to.match(/^OK {7}folder data: is writable by its owner only \(mode 700\)$/m);
    expect(stdout).to.match(/\n0 faults, \d warnings?\n$/);
    expect(code).to.equal(0);
    expect(await sallyport(['doctor', 'x'], folder)).to.include({ code: 2, stdout: '' });
  });

  it('knows the ports of the server that runs from those that others have', async function () {
    skipUnless(this, process.platform === 'linux', 'the system does not tell when a process began');
    await writeFile(file, configuration(await freePort()));
    const server = new SallyportProcess(['serve', '--config', file], folder);
    await server.prints(/^A-HTTP +(http\S+)/m);
    for (let told = await sallyport(['reload'], folder); told.code !== 0; ) told = await sallyport(['reload'], folder);
    const running = await examine();
    expect(states(about(running.found, 'port'))[0]).to.match(
      new RegExp(`^OK \\d+ is taken by the server, process ${server.child.pid}$`),
    );
    expect(about(running.found, 'file handles')[0]?.about).to.equal(`process ${server.child.pid}`);
    expect(running.code).to.equal(0);
    server.child.kill('SIGTERM');
    await server.finished;

    await writeFile(file, configuration(await listen()));
    const { code, found } = await examine();
    expect(states(about(found, 'port'))[0]).to.match(new RegExp(`^FAULT \\d+ is taken by process ${process.pid} `));
    expect(code).to.equal(1);
  });

  it('says which hosts, services and directory servers do not answer, and no secret', async () => {
    const { cert, key } = makeCertificate();
    const [plain, closed] = [await listen(), await freePort()];
    const secure = await listen(
      createTlsServer({ cert: await readFile(cert), key: await readFile(key) }, (socket) =>
        socket.on('error', () => {}),
      ),
    );
    await writeFile(join(folder, 'bind'), 'hidden-password-4711');
    await writeFile(
      file,
      configuration(0).replace(
        './state/security.yaml }',
        `./state/security.yaml, ldap: { url: "ldap://127.0.0.1:${closed}", bindDn: cn=s, bindPasswordFile: ./bind, userBase: dc=x, groupBase: dc=x } }`,
      ) +
        `hosts:
  PLAIN: { address: 127.0.0.1:${plain} }
  GONE: { address: 127.0.0.1:${closed} }
  STRANGER: { address: 127.0.0.1:${secure}, tls: true }
  TRUSTED: { address: 127.0.0.1:${secure}, tls: { ca: ${cert} } }
`,
    );
    const { code, found, text } = await examine();
    expect(states(about(found, 'host', 'PLAIN'))).to.deep.equal([`OK 127.0.0.1:${plain} answers`]);
    expect(states(about(found, 'host', 'GONE'))[0]).to.match(/^FAULT .*connection refused/);
    expect(states(about(found, 'host', 'STRANGER'))[0]).to.match(/^FAULT .*certificate/);
    expect(states(about(found, 'host', 'TRUSTED'))[0]).to.match(/^OK 127\.0\.0\.1:\d+ answers with TLSv1\.3 /);
    expect(states(about(found, 'directory server'))[0]).to.match(/^FAULT /);
    expect(code).to.equal(1);
    expect(text).not.to.contain('hidden-password');
  });

  it('says how far the clocks of services are from its own, where they tell theirs', async () => {
    const clock = (ahead: number | undefined) =>
      createHttpServer((request, response) => {
        expect(request.method).to.equal('HEAD');
        response.sendDate = false;
        if (ahead !== undefined) response.setHeader('Date', new Date(Date.now() + ahead).toUTCString());
        response.statusCode = 404;
        response.end();
      });
    const clocks = { SAME: 0, AHEAD: 7_200_000, BEHIND: -90_000, SILENT: undefined };
    let lines = '';
    for (const [name, ahead] of Object.entries(clocks)) {
      lines += `  ${name}: { outbound: true, site: '127.0.0.1:${await listen(clock(ahead))}' }\n`;
    }
    // speaks no HTTP, and closes at once
    const mute = createServer((socket) => socket.on('error', () => {}).destroy());
    lines += `  MUTE: { outbound: true, site: '127.0.0.1:${await listen(mute)}' }\n`;
    await writeFile(file, configuration(0).replace('entryPoints:', `${lines}entryPoints:`));
    const { code, found } = await examine();
    const told = about(found, 'clock of service').map(({ about: name, state, detail }) => `${name} ${state} ${detail}`);
    expect(told).to.have.length(3);
    expect(told[0]).to.equal('SAME OK agrees with the clock of this machine to within seconds');
    expect(told[1]).to.match(/^AHEAD WARNING is (2 h|1 h 59 min|\d+ .*) ahead of the clock of this machine$/);
    expect(told[2]).to.match(/^BEHIND WARNING is .* behind the one of this machine$/);
    expect(code).to.equal(0);
  });

  it('finds a wrong configuration, and still says what it knows', async () => {
    await writeFile(file, 'nonsense: 1\nother: 2\n');
    const { code, found } = await examine();
    expect(about(found, 'configuration')[0]).to.deep.include({
      state: 'FAULT',
      advice: `sallyport check-config ${file} lists them with line numbers`,
    });
    expect(about(found, 'Node.js')).to.have.length(1);
    expect(about(found, 'port')).to.deep.equal([]);
    expect(code).to.equal(1);
  });

  it('finds a clock that is behind the trail or the files, and folders that others may read', async () => {
    await writeFile(file, configuration(0));
    await chmod(join(folder, 'state'), 0o755);
    const hour = 3_600_000;
    await utimes(file, new Date(), new Date(Date.now() + hour));
    const first = await examine();
    expect(states(about(first.found, 'clock'))[0]).to.match(
      /^WARNING .*sallyport\.yaml was written at .*, later than the clock$/,
    );
    expect(states(about(first.found, 'folder', 'data'))).to.deep.equal(['WARNING other users can read it (mode 755)']);
    expect(first.code).to.equal(0);
    const trail = new FileAuditTrail({ file: join(folder, 'state', 'audit.jsonl'), now: () => Date.now() + hour });
    await trail.append({ who: 'A', from: 'x', what: 'user.added', subject: 'B' });
    const second = await examine();
    expect(states(about(second.found, 'clock'))[0]).to.match(/^FAULT the last audit entry is of /);
    expect(second.code).to.equal(1);
  });

  it('knows which versions of Node.js fit, and which get no fixes any more', async () => {
    const of = async (version: string) => (await checkNode(version, NOW)).state;
    expect(
      await Promise.all(['v18.20.0', 'v20.18.9', 'v20.19.0', 'v22.0.0', 'v24.11.0', 'v26.0.0'].map(of)),
    ).to.deep.equal(['FAULT', 'FAULT', 'WARNING', 'OK', 'OK', 'OK']);
  });

  describe('certificates', () => {
    const DAY = 86_400_000;
    const checked = async (names: Partial<Parameters<typeof checkCertificate>[0]>, now = Date.now()) =>
      states(
        await checkCertificate({ about: 'line A', cert: '', key: '', names: [], trust: 'browsers', ...names }, now),
      ).join('\n');

    /** An authority, one below it, and a certificate for host.example that the latter issued for 400 days. */
    async function chainIn(place: string): Promise<void> {
      const run = (words: string) => execFileSync('openssl', words.split(' '), { cwd: place, stdio: 'ignore' });
      await writeFile(join(place, 'ca.ext'), 'basicConstraints=CA:TRUE\n');
      await writeFile(join(place, 'own.ext'), 'subjectAltName=DNS:host.example,IP:192.0.2.7\n');
      const key = '-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes';
      run(`req -x509 ${key} -days 900 -subj /CN=Root -keyout root.key -out root.pem`);
      for (const [name, issuer, extensions, subject] of [
        ['middle', 'root', 'ca', 'Middle'],
        ['own', 'middle', 'own', 'host.example'],
      ]) {
        run(`req ${key} -subj /CN=${subject} -keyout ${name}.key -out ${name}.csr`);
        run(
          `x509 -req -in ${name}.csr -CA ${issuer}.pem -CAkey ${issuer}.key -days 400 -extfile ${extensions}.ext -out ${name}.pem`,
        );
      }
    }

    it('are told when they end, and do not begin', async () => {
      const files = makeCertificate();
      expect(await checked(files)).to.match(/^WARNING it expires on .*, in 1 day$/m);
      expect(await checked(files, Date.now() + 1.5 * DAY)).to.match(/^FAULT it expires on .*, within 24 hours$/m);
      expect(await checked(files, Date.now() + 3 * DAY)).to.match(/^FAULT it expired on /m);
      expect(await checked(files, Date.now() - 3 * DAY)).to.match(/^FAULT it is not valid before /m);
      expect(await checked(files)).to.match(/^WARNING it is self-signed, so browsers show a warning/m);
    });

    it('of authorities are told where they end, are none, or can be changed by others', async () => {
      await chainIn(folder);
      const ca = join(folder, 'both.pem');
      const texts = await Promise.all(['middle', 'root'].map((name) => readFile(join(folder, `${name}.pem`), 'utf8')));
      await writeFile(ca, texts.join(''));
      const daysLater = async (days: number, file = ca) =>
        states(await checkAuthorities({ about: 'line O', ca: file }, Date.now() + days * DAY)).join('\n');
      expect(await daysLater(0)).to.equal(`OK ${ca} has 2 certificates`);
      // the one in the middle is of 400 days, the root of 900
      expect(await daysLater(371)).to.match(/^WARNING Middle expires on .*, in (28|29) days$/);
      expect(await daysLater(401)).to.match(/^WARNING Middle expired on [^\n]*$/);
      expect(await daysLater(899.5)).to.match(
        /^WARNING Middle expired on [^\n]*\nFAULT Root expires on .*, within 24 hours, and no other certificate is valid longer$/,
      );
      expect(await daysLater(901)).to.equal(
        `FAULT all certificates in ${ca} have expired, so no server can be verified`,
      );
      await chmod(ca, 0o664);
      expect(await daysLater(0)).to.equal(`WARNING other users can modify ${ca} (mode 664)`);
      expect(await daysLater(0, join(folder, 'root.key'))).to.match(/^FAULT .*root\.key contains no certificate$/);
      expect(await daysLater(0, join(folder, 'absent'))).to.match(/^FAULT .*absent cannot be read/);
    });

    it('are looked at wherever the configuration names one', async () => {
      const { cert, key } = makeCertificate();
      const tls = `tls: { cert: ${cert}, key: ${key}, ca: ${cert} }`;
      const hostName = 'localhost';
      const clusterPort = await freePort();
      await writeFile(join(folder, 'password'), 'hidden-password-4711', { mode: 0o600 });
      await writeFile(
        file,
        configuration(0)
          .replace(
            'entryPoints:',
            `  S-HTTP: { listen: 127.0.0.1:0, entryPoint: E, tls: { cert: ${cert}, key: ${key} } }
  O-HTTP: { outbound: true, site: $SITE$, ${tls} }
hosts: { H: { address: '127.0.0.1:9', connectSeconds: 1, ${tls} } }
store: { postgresql: 'postgres://u@127.0.0.1:9/d?sslmode=verify-full', ca: ${cert}, password: { file: ./password } }
cluster: { node: a, listen: '127.0.0.1:${clusterPort}', tls: { cert: ${cert}, key: ${key}, ca: ${cert}, name: ${hostName} } }
entryPoints:`,
          )
          .replace(
            './state/security.yaml }',
            `./state/security.yaml, ldap: { url: "ldaps://127.0.0.1:9", ca: ${cert}, bindDn: cn=s, bindPasswordFile: ./password, userBase: dc=x, groupBase: dc=x } }`,
          ),
      );
      const { found } = await examine();
      expect(states(about(found, 'port', 'cluster'))).to.deep.equal([`OK ${clusterPort} is free`]);
      const of = (check: string) => new Set(about(found, check).map((finding) => finding.about));
      expect([...of('certificate')]).to.have.members(['line S-HTTP', 'line O-HTTP', 'host H', 'cluster']);
      expect([...of('authorities')]).to.have.members([
        'line O-HTTP',
        'host H',
        'cluster',
        'directory server',
        'PostgreSQL',
      ]);
    });

    it('are told where the key, the chain or a name is wrong', async () => {
      await chainIn(folder);
      const at = (name: string) => join(folder, name);
      const [own, middle, root] = await Promise.all(
        ['own.pem', 'middle.pem', 'root.pem'].map((name) => readFile(at(name), 'utf8')),
      );
      await writeFile(at('good.pem'), `${own}${middle}${root}`);
      await writeFile(at('mixed.pem'), `${own}${root}${middle}`);
      const files = { cert: at('good.pem'), key: at('own.key') };
      expect(await checked({ ...files, names: ['host.example', '192.0.2.7'] })).to.match(
        /^OK valid until \d{4}-\d\d-\d\d$/,
      );
      expect(await checked({ ...files, names: ['other.example'] })).to.equal('FAULT it is not valid for other.example');
      expect(await checked({ ...files, key: at('root.key') })).to.equal(
        `FAULT ${at('root.key')} is the key of another certificate`,
      );
      expect(await checked({ ...files, cert: at('mixed.pem') })).to.match(
        /^FAULT certificate 2 of its file did not issue the certificate before it$/,
      );
      expect(await checked({ ...files, cert: at('own.pem') })).to.match(
        /^WARNING its issuer Middle is neither in its file/,
      );
      expect(await checked({ ...files, cert: at('own.key') })).to.match(/contains no certificate$/);
      expect(await checked({ ...files, cert: at('absent') })).to.match(/^FAULT .*absent cannot be read/);
      await writeFile(at('broken.key'), '-----BEGIN PRIVATE KEY-----\ncanary4711\n-----END PRIVATE KEY-----\n', {
        mode: 0o600,
      });
      expect(await checked({ ...files, key: at('broken.key') })).to.equal(
        `FAULT ${at('broken.key')} cannot be used as a key`,
      );
      // who trusts it elsewhere is not known; in the cluster it is
      expect(await checked({ ...files, cert: at('own.pem'), trust: 'services' })).to.match(/^OK /);
      expect(await checked({ ...files, cert: at('own.pem'), trust: { ca: at('middle.pem') } })).to.match(/^OK /);
      expect(await checked({ ...files, cert: at('own.pem'), trust: { ca: at('root.pem') } })).to.equal(
        `FAULT no authority in ${at('root.pem')} issued it, so the other nodes reject it`,
      );
      await copyFile(at('own.key'), at('open.key'));
      await chmod(at('open.key'), 0o644);
      expect(await checked({ ...files, key: at('open.key') })).to.equal(
        'WARNING other users can read its key (mode 644)',
      );
    });
  });
});
