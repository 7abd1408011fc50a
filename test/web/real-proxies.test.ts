import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { ScreenClient } from '../sessions/screen-client.js';
import { makeCertificate } from '../support/certificate.js';
import { eventually } from '../support/eventually.js';
import { freePorts } from '../support/free-port.js';
import { need } from '../support/need.js';
import { type PortalSite, startPortalSite } from '../support/portal-site.js';
import { changedConfiguration, isInstalled, LOOPBACK, RealProxies } from '../support/real-proxy.js';

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
    const where = { host: LOOPBACK, port, path, localAddress: from };
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

/** The proxies of docs/run/production.md, with the very files that it shows. */
describe('a proxy in front', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sallyport-proxy-'));
  const { cert, key } = makeCertificate();
  let site: PortalSite;
  let [management, tlsLine, terminating, passing, nginx]: readonly number[] = [];
  let asked = 0;
  const proxies = new RealProxies();

  before(async () => {
    [management, tlsLine, terminating, passing, nginx] = await freePorts(5);
    site = await startPortalSite({
      clientLine: `trustedProxies: [${LOOPBACK}]`,
      lines: `  S-HTTP: { listen: '${LOOPBACK}:${tlsLine}', entryPoint: CLIWHOST, tls: { cert: ${cert}, key: ${key} } }`,
      yaml: `management: { listen: '${LOOPBACK}:${management}' }`,
      transactions: TSO,
    });
  });
  after(async () => {
    await proxies.stop();
    await site.stop();
    rmSync(folder, { recursive: true });
  });

  /** Until the proxy is there and has seen that the server is. */
  const served = (port = 0, from = LOOPBACK) =>
    eventually(async () => {
      const reply = await ask(port, '/TERMINAL.HTML+TSO', from).catch(() => undefined);
      return reply?.status === 200 ? reply : undefined;
    });

  /** What the log says of who has sent a request. */
  async function sender(port = 0, from = LOOPBACK): Promise<unknown> {
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
    const client = new ScreenClient(`https://${LOOPBACK}:${port}`, action, cookie, { rejectUnauthorized: false });
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
      const text = changedConfiguration('haproxy.cfg', [
        ['bind :443', `bind ${LOOPBACK}:${terminating}`],
        ['bind :8443', `bind ${LOOPBACK}:${passing}`],
        ['/etc/haproxy/sallyport.pem', both],
        ['127.0.0.1:41002 cookie', `${new URL(site.clientUrl).host} cookie`],
        ['check port 41003', `check port ${management}`],
        ['server one 127.0.0.1:41443', `server one ${LOOPBACK}:${tlsLine}`],
      ]);
      writeFileSync(file, text);
      await proxies.startHaproxy(file);
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
      expect(await sender(passing, '127.0.0.3')).to.equal(LOOPBACK);
      await hasTerminal(reply, passing);
    });
  });

  describe('is nginx', () => {
    before(async function () {
      need(this, isInstalled('nginx'), 'nginx is not installed');
      const text = changedConfiguration('nginx.conf', [
        ['listen 443', `listen ${LOOPBACK}:${nginx}`],
        ['/etc/nginx/sallyport.pem', cert],
        ['/etc/nginx/sallyport.key', key],
        ['http://127.0.0.1:41002;', `http://${new URL(site.clientUrl).host};`],
      ]);
      writeFileSync(join(folder, 'sallyport.conf'), text);
      await proxies.startNginx(folder);
    });

    it('that has the TLS: the sender is whom nginx names, and cookies are for TLS alone', async () => {
      const reply = await served(nginx, '127.0.0.4');
      expect(reply.headers['set-cookie']?.[0]).to.match(/^__Host-SvcSession-.*; Secure$/);
      expect(await sender(nginx, '127.0.0.4')).to.equal('127.0.0.4');
      await hasTerminal(reply, nginx);
    });
  });
});
