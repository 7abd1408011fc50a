import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import { request } from 'node:https';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { ScreenClient } from '../session/screen-client.js';
import { makeCertificate } from '../support/certificate.js';
import { eventually } from '../support/eventually.js';
import { need } from '../support/need.js';
import { type PortalSite, startPortalSite } from '../support/portal-site.js';
import { projectFolder } from '../support/project.js';

const PROXY = '127.0.0.1';
const TSO = '      TSO: { applicationType: 1, application: SIM, page: TERMINAL.HTML }';
/** What a client says of itself that is not so. */
const FORGED = { 'X-Forwarded-For': '203.0.113.66', 'X-Forwarded-Proto': 'http', Accept: 'application/json' };

interface Reply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

function ask(port: number, path: string, from: string): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const where = { host: PROXY, port, path, localAddress: from };
    const outgoing = request({ ...where, headers: FORGED, agent: false, rejectUnauthorized: false }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (piece: string) => {
        text += piece;
      });
      response.once('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }));
    });
    outgoing.once('error', reject).end();
  });
}

/** Ports that are free now, each another one. */
async function freePorts(count: number): Promise<readonly number[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, PROXY));
  await Promise.all(servers.map((server) => once(server, 'listening')));
  const ports = servers.map((server) => (server.address() as AddressInfo).port);
  await Promise.all(servers.map((server) => once(server.close(), 'close')));
  return ports;
}

/** Debian keeps servers where the PATH of an ordinary user does not lead. */
const env = { ...process.env, PATH: `${process.env.PATH}:/usr/sbin` };

function isInstalled(command: string): boolean {
  return spawnSync(command, ['-v'], { env, stdio: 'ignore' }).error === undefined;
}

/** A file of operation/ with what is different here; each of it must stand there. */
function changed(name: string, changes: readonly (readonly [from: string, to: string])[]): string {
  return changes.reduce(
    (text, [from, to]) => {
      expect(text, name).to.include(from);
      return text.replaceAll(from, to);
    },
    readFileSync(join(projectFolder, 'operation', name), 'utf8'),
  );
}

/** The proxies of docs/production.md, with the very files that it shows. */
describe('a proxy in front', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sallyport-proxy-'));
  const { cert, key } = makeCertificate();
  let site: PortalSite;
  let [management, tlsLine, terminating, passing, nginx]: readonly number[] = [];
  let asked = 0;
  const running: ChildProcess[] = [];

  before(async () => {
    [management, tlsLine, terminating, passing, nginx] = await freePorts(5);
    site = await startPortalSite({
      clientLine: `trustedProxies: [${PROXY}]`,
      lines: `  S-HTTP: { listen: '${PROXY}:${tlsLine}', entryPoint: CLIWHOST, tls: { cert: ${cert}, key: ${key} } }`,
      yaml: `management: { listen: '${PROXY}:${management}' }`,
      transactions: TSO,
    });
  });
  after(async () => {
    for (const proxy of running) {
      if (proxy.exitCode !== null || proxy.signalCode !== null) continue;
      const ended = once(proxy, 'exit');
      proxy.kill('SIGTERM');
      await ended;
    }
    await site.stop();
    rmSync(folder, { recursive: true });
  });

  async function start(command: string, args: readonly string[]): Promise<void> {
    const proxy = spawn(command, args, { env, stdio: ['ignore', 'ignore', 'inherit'] });
    await once(proxy, 'spawn');
    running.push(proxy);
  }

  /** Until the proxy is there and has seen that the server is. */
  const served = (port = 0, from = PROXY) =>
    eventually(async () => {
      const reply = await ask(port, '/TERMINAL.HTML+TSO', from).catch(() => undefined);
      return reply?.status === 200 ? reply : undefined;
    });

  /** What the log says of who has sent a request. */
  async function sender(port = 0, from = PROXY): Promise<unknown> {
    const page = `CASE${++asked}.HTML`;
    await ask(port, `/${page}`, from);
    const line = await eventually(() =>
      site
        .log()
        .split('\n')
        .find((text) => text.includes(`"template":"${page}"`)),
    );
    return (JSON.parse(line) as { remoteAddress: unknown }).remoteAddress;
  }

  /** A terminal over the WebSocket that the proxy lets through. */
  async function hasTerminal({ headers, text }: Reply, port = 0): Promise<void> {
    const { action } = JSON.parse(text) as { action: string };
    const cookie = (headers['set-cookie'] ?? []).map((one) => one.split(';')[0]).join('; ');
    const client = new ScreenClient(`https://${PROXY}:${port}`, action, cookie, { rejectUnauthorized: false });
    await client.connect();
    await client.message(({ k }) => k === 's');
    client.key(1, 'DISCONNECT');
    await eventually(() => client.closed);
  }

  describe('is HAProxy', () => {
    before(async function () {
      need(this, isInstalled('haproxy'), 'HAProxy is not installed');
      const both = join(folder, 'both.pem');
      writeFileSync(both, readFileSync(cert, 'utf8') + readFileSync(key, 'utf8'));
      const file = join(folder, 'haproxy.cfg');
      const text = changed('haproxy.cfg', [
        ['bind :443', `bind ${PROXY}:${terminating}`],
        ['bind :8443', `bind ${PROXY}:${passing}`],
        ['/etc/haproxy/sallyport.pem', both],
        ['127.0.0.1:41002 cookie', `${new URL(site.clientUrl).host} cookie`],
        ['check port 41003', `check port ${management}`],
        ['server one 127.0.0.1:41443', `server one ${PROXY}:${tlsLine}`],
      ]);
      writeFileSync(file, text);
      await start('haproxy', ['-db', '-q', '-f', file]);
    });

    it('that has the TLS: the sender is whom HAProxy names, and cookies are for TLS alone', async () => {
      const reply = await served(terminating, '127.0.0.3');
      expect(reply.headers['set-cookie']?.join('\n')).to.match(/^__Host-SvcSession-.*; Secure$/m);
      expect(await sender(terminating, '127.0.0.3')).to.equal('127.0.0.3');
      await hasTerminal(reply, terminating);
    });

    it('that passes TLS on: the line has the TLS, and HAProxy is the sender whatever the client says', async () => {
      const reply = await served(passing, '127.0.0.3');
      expect(reply.headers['set-cookie']?.join('\n')).to.match(/^__Host-SvcSession-.*; Secure$/m);
      expect(await sender(passing, '127.0.0.3')).to.equal(PROXY);
      await hasTerminal(reply, passing);
    });
  });

  describe('is nginx', () => {
    before(async function () {
      need(this, isInstalled('nginx'), 'nginx is not installed');
      mkdirSync(join(folder, 'logs'), { recursive: true });
      const text = changed('nginx.conf', [
        ['listen 443', `listen ${PROXY}:${nginx}`],
        ['/etc/nginx/sallyport.pem', cert],
        ['/etc/nginx/sallyport.key', key],
        ['http://127.0.0.1:41002;', `http://${new URL(site.clientUrl).host};`],
      ]);
      writeFileSync(join(folder, 'sallyport.conf'), text);
      const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
        (of) => `${of}_temp_path ${folder}/${of};`,
      );
      const file = join(folder, 'nginx.conf');
      writeFileSync(
        file,
        `daemon off; pid ${folder}/nginx.pid; error_log ${folder}/error.log; ${process.getuid?.() === 0 ? 'user root;' : ''}
events {}
http { access_log off; ${temporary.join(' ')} include ${folder}/sallyport.conf; }
`,
      );
      await start('nginx', ['-p', folder, '-c', file, '-e', join(folder, 'error.log')]);
    });

    it('that has the TLS: the sender is whom nginx names, and cookies are for TLS alone', async () => {
      const reply = await served(nginx, '127.0.0.4');
      expect(reply.headers['set-cookie']?.[0]).to.match(/^__Host-SvcSession-.*; Secure$/);
      expect(await sender(nginx, '127.0.0.4')).to.equal('127.0.0.4');
      await hasTerminal(reply, nginx);
    });
  });
});
