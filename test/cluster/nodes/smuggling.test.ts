import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { SallyportProcess } from '../../cli/sallyport-process.js';
import { eventually } from '../../support/eventually.js';
import { freePort } from '../../support/free-port.js';
import { need } from '../../support/need.js';
import { changedConfiguration, isInstalled, LOOPBACK, RealProxies } from '../../support/real-proxy.js';
import { FORGED_ADDRESS, SMUGGLED_PAGE, sendSmuggled, smuggledRequests } from '../../support/smuggled-request.js';

const PAGE = '<!--SVC start="{{{" end="}}}" -->/{{{VIRPLEX-CODE}}}SCREEN.HTML++{{{AJAX-SESSION-CODE}}} ';
const WORKERS = ['a1', 'a2'] as const;

interface OpenSession {
  readonly path: string;
  readonly cookie: string;
}

/** Attack 1 of the audit of 2026-11-27, on a server with two processes: whichever worker a connection reaches, one session is elsewhere. */
describe('a request in the body of another one', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sallyport-smuggling-'));
  const proxies = new RealProxies();
  const sessions = new Map<string, OpenSession>();
  let server: SallyportProcess;
  let line: URL;
  let managementPort = 0;

  before(async () => {
    managementPort = await freePort();
    writeFileSync(join(folder, 'SCREEN.HTML'), PAGE);
    writeFileSync(
      join(folder, 'sallyport.yaml'),
      `directories: { CLI: . }
processes: 2
cluster: { node: a }
sessions: { keysReady: 0 }
management: { listen: '${LOOPBACK}:${managementPort}' }
lines:
  C-HTTP: { listen: '${LOOPBACK}:0', entryPoint: E, trustedProxies: [${LOOPBACK}] }
hosts: { SIM: { simulated: true, users: { DEMO: demo } } }
entryPoints: { E: { directory: CLI, transactions: { TSO: { applicationType: 1, application: SIM } } } }
`,
    );
    server = new SallyportProcess(['serve', '--config', join(folder, 'sallyport.yaml')], folder);
    const [, url = ''] = await server.prints(/^C-HTTP +(http:\/\/127\.0\.0\.1:\d+)/m);
    line = new URL(url);
    while (WORKERS.some((worker) => !sessions.has(worker))) await open();
  });
  after(async () => {
    await proxies.stop();
    server?.child.kill('SIGTERM');
    await server?.finished;
    rmSync(folder, { recursive: true });
  });

  async function open(): Promise<void> {
    const reply = await fetch(new URL('/SCREEN.HTML+TSO', line), { headers: { Connection: 'close' } });
    const [path = ''] = (await reply.text()).split(' ');
    const cookie = reply.headers.getSetCookie()[0]?.split(';')[0] ?? '';
    sessions.set(/SvcSession=(\w+)\./.exec(path)?.[1] ?? '', { path, cookie });
  }

  /** All 16 forms against the sessions of both workers. */
  async function attack(port: number): Promise<readonly number[]> {
    const before = server.stdout.length;
    const statuses: number[] = [];
    for (const smuggled of smuggledRequests) {
      for (const { path, cookie } of sessions.values()) {
        // workers get connections in turn: one of two is not that of the session
        for (const _ of WORKERS) statuses.push(await sendSmuggled(port, smuggled, path, cookie));
      }
    }
    // both workers have written what they did before
    const mark = `/MARK-${before}.HTML`;
    for (let asked = 0; asked < 2; asked++) await fetch(new URL(mark, line), { headers: { Connection: 'close' } });
    await eventually(() => (server.stdout.slice(before).split(mark.slice(1)).length >= 3 ? true : undefined));
    const log = server.stdout.slice(before);
    expect(log).to.not.include(FORGED_ADDRESS);
    expect(log).to.not.include(SMUGGLED_PAGE.slice(1));
    return statuses;
  }

  it('reaches nothing through a line', async () => {
    const statuses = await attack(Number(line.port));
    expect(statuses).to.have.length(64);
    expect(new Set(statuses)).to.deep.equal(new Set([400]));
  });

  it('reaches nothing through HAProxy', async function () {
    need(this, isInstalled('haproxy'), 'haproxy is not installed');
    const port = await freePort();
    const text = changedConfiguration('haproxy.cfg', [
      ['bind :443 ssl crt /etc/haproxy/sallyport.pem alpn http/1.1', `bind ${LOOPBACK}:${port}`],
      ['bind :8443', `bind ${LOOPBACK}:${await freePort()}`],
      ['check port 41003 ', `check port ${managementPort} `],
      ['127.0.0.1:41002', line.host],
    ]);
    writeFileSync(join(folder, 'haproxy.cfg'), text);
    await proxies.startHaproxy(join(folder, 'haproxy.cfg'));
    await isServed(port);
    expect(new Set(await attack(port))).to.deep.equal(new Set([400]));
    await isServed(port);
  });

  it('reaches nothing through nginx', async function () {
    need(this, isInstalled('nginx'), 'nginx is not installed');
    const port = await freePort();
    const own = join(folder, 'nginx');
    mkdirSync(own);
    const text = changedConfiguration('nginx.conf', [
      ['listen 443 ssl', `listen ${LOOPBACK}:${port}`],
      ['  ssl_certificate /etc/nginx/sallyport.pem;\n  ssl_certificate_key /etc/nginx/sallyport.key;\n', ''],
      ['127.0.0.1:41002', line.host],
    ]);
    writeFileSync(join(own, 'sallyport.conf'), text);
    await proxies.startNginx(own);
    await isServed(port);
    expect(new Set(await attack(port))).to.deep.equal(new Set([400]));
    await isServed(port);
  });

  /** Sessions of both workers are shown. */
  async function isServed(port: number): Promise<void> {
    for (const { path, cookie } of sessions.values()) {
      await eventually(async () => {
        const reply = await fetch(`http://${LOOPBACK}:${port}${path}`, { headers: { Cookie: cookie } }).catch(
          () => undefined,
        );
        return reply?.status === 200 ? true : undefined;
      });
    }
  }
});
