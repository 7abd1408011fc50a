import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { expect } from 'chai';
import { ExchangeSite } from '../server/exchange-site.js';
import { makeCertificate } from '../support/certificate.js';
import { eventually } from '../support/eventually.js';
import { freePorts } from '../support/free-port.js';
import { need } from '../support/need.js';
import { changedConfiguration, isInstalled, LOOPBACK, RealProxies } from '../support/real-proxy.js';

const OPERATOR = { who: 'OPERA', from: 'test' };
const PAGE = '<!--SVC start="{{{" end="}}}" -->{{{VIRPLEX-CODE}}}|{{{AJAX-SESSION-CODE}}}';

interface Reply {
  readonly status: number;
  readonly text: string;
}

/** A session, as its page names it. */
interface Opened {
  readonly node: string;
  readonly cookie: string;
  /** Of its page: with the prefix of its node, and without. */
  readonly paths: readonly string[];
}

/** The files of operation/cluster, in front of two servers that pass nothing on to each other. */
describe('a balancer in front of two servers', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sallyport-balancer-'));
  const { cert, key } = makeCertificate();
  const proxies = new RealProxies();
  let sites: Readonly<Record<'a' | 'b', ExchangeSite>>;
  let management: readonly number[] = [];
  let front = 0;

  beforeEach(async () => {
    const [managementOfA = 0, managementOfB = 0, port = 0] = await freePorts(3);
    management = [managementOfA, managementOfB];
    front = port;
    const start = async (node: string, healthPort: number) => {
      const site = new ExchangeSite();
      site.write('old', 'pages/SCREEN.HTML', PAGE);
      await site.start({
        hosts: 'SIM: { simulated: true, users: { DEMO: demo } }',
        transactions: 'TSO: { applicationType: 1, application: SIM }',
        line: `trustedProxies: [${LOOPBACK}]`,
        sessions: '{ keysReady: 0 }',
        more: `cluster: { node: ${node} }\nmanagement: { listen: '${LOOPBACK}:${healthPort}' }`,
      });
      return site;
    };
    sites = { a: await start('a', managementOfA), b: await start('b', managementOfB) };
  });
  afterEach(async () => {
    await proxies.stop();
    await Promise.all(Object.values(sites).map((site) => site.stop()));
  });
  after(() => rmSync(folder, { recursive: true }));

  function ask(path: string, cookie = '', method = 'GET'): Promise<Reply & { readonly cookie: string }> {
    return new Promise((resolve, reject) => {
      const where = { host: LOOPBACK, port: front, path, method, agent: false, rejectUnauthorized: false };
      const headers = { Accept: 'text/html', Cookie: cookie };
      const outgoing = request({ ...where, headers }, (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (piece: string) => {
          text += piece;
        });
        const [set = ''] = response.headers['set-cookie'] ?? [];
        const done = () => resolve({ status: response.statusCode ?? 0, text, cookie: set.split(';')[0] ?? '' });
        response.once('end', done);
      });
      outgoing.once('error', reject).end();
    });
  }

  async function open(cookieBefore = ''): Promise<Opened> {
    const { status, text, cookie } = await ask('/SCREEN.HTML+TSO', cookieBefore);
    expect([status, text]).to.deep.equal([200, text]);
    const [prefix = '', code = ''] = text.trim().split('|');
    const node = /^w2h-(\w+)\/$/.exec(prefix)?.[1] ?? '';
    return { node, cookie, paths: [`/${prefix}SCREEN.HTML++${code}`, `/SCREEN.HTML++${code}`] };
  }

  /** Every request of every session finds it, however often they are asked for in turn. */
  async function allServed(sessions: readonly Opened[]): Promise<void> {
    for (let round = 0; round < 3; round++) {
      for (const { node, cookie, paths } of sessions) {
        for (const path of paths) expect((await ask(path, cookie)).status, `${node} ${path}`).to.equal(200);
      }
    }
  }

  const served = () =>
    eventually(async () => ((await ask('/SCREEN.HTML').catch(() => undefined))?.status === 200 ? true : undefined));

  /** @returns the session of a server that is gone at the end */
  async function pinsAndDrains(): Promise<Opened> {
    const sessions: Opened[] = [];
    while (!(['a', 'b'] as const).every((node) => sessions.some((session) => session.node === node))) {
      sessions.push(await open());
    }
    await allServed(sessions);
    expect((await ask('/w2h-nobody/SCREEN.HTML')).status, 'a node that there is none of').to.equal(404);
    // a server that takes no new sessions
    await sites.a.operations.server.drain(OPERATOR);
    const ofA = sessions.find(({ node }) => node === 'a');
    for (let opened = 0; opened < 4; opened++) {
      const session = await open(ofA?.cookie);
      expect(session.node).to.equal('b');
      sessions.push(session);
    }
    await allServed(sessions);
    // one that is gone
    await sites.a.stopServer();
    expect((await ask(ofA?.paths[0] ?? '', ofA?.cookie)).status).to.equal(404);
    await allServed(sessions.filter(({ node }) => node === 'b'));
    if (ofA === undefined) throw new Error('no session began at a');
    return ofA;
  }

  /** The page of a server: the balancer has none. */
  async function saysThatItIsOver({ paths, cookie }: Opened): Promise<void> {
    for (let round = 0; round < 4; round++) {
      const { status, text: page } = await ask(paths[0] ?? '', cookie);
      expect([status, page]).to.deep.equal([404, page]);
      expect(page).to.include('<html lang="en">');
    }
  }

  /** The last server that is there begins no session either, and says so, however often. */
  async function refusesByItself(): Promise<void> {
    for (let round = 0; round < 3; round++) {
      const { status, text: page } = await ask('/SCREEN.HTML+TSO');
      expect(status).to.equal(503);
      expect(page).to.include('No new sessions can be started here at the moment');
      expect((await ask('/SCREEN.HTML')).status).to.equal(200);
    }
  }

  const urlOf = (node: 'a' | 'b') => new URL(sites[node].url).host;

  it('that is HAProxy keeps sessions where they are, and begins none where there is a drain', async function () {
    need(this, isInstalled('haproxy'), 'HAProxy is not installed');
    const both = join(folder, 'both.pem');
    writeFileSync(both, readFileSync(cert, 'utf8') + readFileSync(key, 'utf8'));
    const file = join(folder, 'haproxy.cfg');
    const control = join(folder, 'haproxy.sock');
    const text = changedConfiguration('cluster/haproxy.cfg', [
      ['global\n', `global\n  stats socket ${control}\n`],
      ['bind :443', `bind ${LOOPBACK}:${front}`],
      ['/etc/haproxy/sallyport.pem', both],
      ['check port 41003 ', 'check '],
      ['10.0.0.11:41002\n', `${urlOf('a')} port ${management[0]}\n`],
      ['10.0.0.12:41002\n', `${urlOf('b')} port ${management[1]}\n`],
    ]);
    writeFileSync(file, text);
    await proxies.startHaproxy(file);
    await served();
    const ofA = await pinsAndDrains();
    // the last one is not ready either: what it can do is asked of it, and what it cannot it says itself
    await sites.b.operations.server.drain(OPERATOR);
    await eventually(async () => {
      const states = await textOf(connect(control).end('show stat\n'));
      return /^sallyport,b,.*,DOWN,/m.test(states) ? true : undefined;
    });
    await refusesByItself();
    await saysThatItIsOver(ofA);
  });

  it('that is nginx does the same', async function () {
    need(this, isInstalled('nginx'), 'nginx is not installed');
    const text = changedConfiguration('cluster/nginx.conf', [
      ['listen 443', `listen ${LOOPBACK}:${front}`],
      ['/etc/nginx/sallyport.pem', cert],
      ['/etc/nginx/sallyport.key', key],
      ['10.0.0.11:41002 ', `${urlOf('a')} `],
      ['10.0.0.12:41002 ', `${urlOf('b')} `],
    ]);
    writeFileSync(join(folder, 'sallyport.conf'), text);
    await proxies.startNginx(folder);
    await served();
    const ofA = await pinsAndDrains();
    await sites.b.operations.server.drain(OPERATOR);
    await refusesByItself();
    await saysThatItIsOver(ofA);
  });
});
