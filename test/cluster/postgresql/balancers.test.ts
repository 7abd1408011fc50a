import { mkdirSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { expect } from 'chai';
import { CookieClient } from '../../support/cookie-client.js';
import { eventually } from '../../support/eventually.js';
import { freePorts } from '../../support/free-port.js';
import { need } from '../../support/need.js';
import { PostgresqlServer, postgresqlFolder } from '../../support/postgresql.js';
import { changedConfiguration, isInstalled, LOOPBACK, RealProxies } from '../../support/real-proxy.js';
import { SignOnClient } from '../../support/sign-on-client.js';
import {
  FORGED_ADDRESS,
  plainRequests,
  SMUGGLED_PAGE,
  sendSmuggled,
  smuggledRequests,
} from '../../support/smuggled-request.js';
import { ADMINISTRATOR, ClusterOfTwo, type Node } from './cluster-of-two.js';
import { ask, upload } from './portal-requests.js';

const BALANCERS = ['HAProxy', 'nginx'] as const;
const { name: user, password } = ADMINISTRATOR;
/** More than there are servers, so that each one is asked, and asked again after it has refused something. */
const ROUNDS = 3;

/** The files of operation/cluster, in front of servers whose PostgreSQL is gone for a while. */
describe('a balancer in front of two servers whose database is gone', () => {
  const proxies = new RealProxies();
  let database: PostgresqlServer;
  let cluster: ClusterOfTwo;
  let nodes: readonly Node[];

  before(async function () {
    need(this, postgresqlFolder() !== undefined, 'PostgreSQL is not installed');
    database = await PostgresqlServer.start();
    cluster = new ClusterOfTwo(database);
    await cluster.addAdministrator();
    const changes = { line: `, trustedProxies: [${LOOPBACK}]`, settings: 'macros: ./data/macros' };
    nodes = [await cluster.begin('a', changes), await cluster.begin('b', changes)];
  });
  after(async () => {
    await proxies.stop();
    await cluster?.remove();
    await database?.remove();
  });

  const management = (node: Node) => node.server.listeners.find(({ name }) => name === 'management')?.url ?? '';
  const isReady = (ready: boolean) =>
    eventually(async () => {
      const replies = await Promise.all(nodes.map((node) => fetch(`${management(node)}/health/ready`)));
      return replies.every(({ ok }) => ok === ready) || undefined;
    });

  let control = '';

  async function startHaproxy(folder: string, hosts: readonly string[], port: number): Promise<void> {
    const server = (line: string, change: (host: string, at: number) => string) =>
      hosts.map((host, at): [string, string] => [`10.0.0.1${at + 1}:41002${line}`, change(host, at)]);
    control = join(folder, 'haproxy.sock');
    const text = changedConfiguration('cluster/haproxy.cfg', [
      ['global\n', `global\n  stats socket ${control}\n`],
      ['bind :443 ssl crt /etc/haproxy/sallyport.pem alpn http/1.1', `bind ${LOOPBACK}:${port}`],
      ['X-Forwarded-Proto https', 'X-Forwarded-Proto http'],
      ['check port 41003 ', 'check '],
      ...server('\n', (host, at) => `${host} port ${new URL(management(nodes[at] as Node)).port}\n`),
    ]);
    writeFileSync(join(folder, 'haproxy.cfg'), text);
    await proxies.startHaproxy(join(folder, 'haproxy.cfg'));
  }

  async function startNginx(folder: string, hosts: readonly string[], port: number): Promise<void> {
    const text = changedConfiguration('cluster/nginx.conf', [
      ['listen 443 ssl', `listen ${LOOPBACK}:${port}`],
      ['  ssl_certificate /etc/nginx/sallyport.pem;\n  ssl_certificate_key /etc/nginx/sallyport.key;\n', ''],
      ...hosts.map((host, at): [string, string] => [`10.0.0.1${at + 1}:41002`, host]),
    ]);
    writeFileSync(join(folder, 'sallyport.conf'), text);
    await proxies.startNginx(folder);
  }

  /** @returns where the lines of that kind are reached, which are the same at both servers */
  async function inFront(
    balancer: (typeof BALANCERS)[number],
    line: 'client' | 'portal',
    of = 'trouble',
  ): Promise<string> {
    const folder = join(cluster.folder, `${balancer}-${line}-${of}`);
    mkdirSync(folder);
    const [port = 0] = await freePorts(1);
    const start = { HAProxy: startHaproxy, nginx: startNginx }[balancer];
    const hosts = nodes.map((node) => new URL(node[line]).host);
    await start(folder, hosts, port);
    const url = `http://${LOOPBACK}:${port}`;
    await eventually(async () => ((await fetch(url).catch(() => undefined)) === undefined ? undefined : true));
    return url;
  }

  const pathOf = (text: string) =>
    /<form method="post" action="([^"]*)"/.exec(text)?.[1]?.replaceAll('&amp;', '&') ?? '';
  const posts = (node: Node) => node.log().match(/"method":"POST"/g)?.length ?? 0;

  for (const balancer of BALANCERS) {
    it(`leads the answer to a sign-on form to the server that made it: ${balancer}`, async function () {
      need(this, isInstalled(balancer.toLowerCase()), `${balancer} is not installed`);
      const client = await inFront(balancer, 'client', 'forms');
      const query = '?A=1&B=%22%3E';
      const shownBy = new Set<string>();
      for (let round = 0; round < 2 * nodes.length || shownBy.size < nodes.length; round += 1) {
        const browser = new SignOnClient(client);
        const { text } = await browser.request(`/TERMINAL.HTML+FORM${query}`, { headers: { Connection: 'close' } });
        const action = pathOf(text);
        const [, code = ''] = /^\?A=1&B=%22%3E&SvcNode=([ab])$/.exec(action) ?? [];
        shownBy.add(code);
        const before = nodes.map(posts);
        const reply = await browser.post(`/TERMINAL.HTML+FORM${action}`, browser.fieldsFor(text, user, password));
        expect([reply.status, reply.headers.get('location')]).to.deep.equal([303, `/TERMINAL.HTML+FORM${query}`]);
        // no other server has passed it on
        expect(nodes.map((node, at) => posts(node) - (before[at] ?? 0))).to.deep.equal(
          nodes.map((node) => (node.code === code ? 1 : 0)),
        );
      }
    });

    it(`passes no request in the body of another one on: ${balancer}`, async function () {
      need(this, isInstalled(balancer.toLowerCase()), `${balancer} is not installed`);
      const client = await inFront(balancer, 'client', 'smuggling');
      const port = Number(new URL(client).port);
      for (const node of nodes) {
        const browser = new CookieClient(node.client);
        const action = await browser.open('/TERMINAL.HTML+TSO');
        const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
        // by the path, the balancer knows the node; the cookie is read by the node, which passes the request on
        for (const path of [
          action,
          `${action.slice(action.indexOf('/', 1), action.indexOf('++'))}++$UseCookieSession$`,
        ]) {
          for (const smuggled of smuggledRequests) {
            for (const _ of nodes) {
              expect(await sendSmuggled(port, smuggled, path, cookie), `${smuggled.name} ${path}`).to.equal(400);
            }
          }
          for (const { name, plain } of plainRequests) {
            expect(await sendSmuggled(port, { name, bytes: plain }, path, cookie), `${name} ${path}`).to.equal(400);
          }
          const reply = await fetch(client + path, { headers: { Cookie: cookie, Accept: 'application/json' } });
          expect(reply.status, path).to.equal(200);
        }
      }
      for (const node of nodes) {
        expect(node.log()).to.not.include(FORGED_ADDRESS);
        expect(node.log()).to.not.include(SMUGGLED_PAGE.slice(1));
      }
    });

    it(`has what servers say of it reach users: ${balancer}`, async function () {
      need(this, isInstalled(balancer.toLowerCase()), `${balancer} is not installed`);
      const [client, portal] = [await inFront(balancer, 'client'), await inFront(balancer, 'portal')];
      const sessions: { readonly browser: CookieClient; readonly action: string }[] = [];
      while (!['a', 'b'].every((code) => sessions.some(({ action }) => action.includes(`SvcSession=${code}.`)))) {
        const browser = new CookieClient(client);
        sessions.push({ browser, action: await browser.open('/TERMINAL.HTML+TSO') });
      }
      expect((await upload(portal, 'kept')).status).to.equal(200);
      await database.end();
      try {
        await isReady(false);
        for (let round = 0; round < ROUNDS; round += 1) {
          const signedOn = await new SignOnClient(portal).signOn('/', user, password);
          for (const [what, { status, headers }] of Object.entries({
            reading: await ask(portal),
            upload: await upload(portal, 'refused'),
            'sign-on': signedOn,
          })) {
            expect([what, status, headers.get('retry-after')]).to.deep.equal([what, 503, '5']);
          }
          for (const { browser, action } of sessions) expect((await browser.get(action)).status).to.equal(200);
          expect((await new CookieClient(client).get('/TERMINAL.HTML+TSO')).status).to.equal(200);
        }
      } finally {
        await database.begin();
      }
      await isReady(true);
      for (const _ of nodes) {
        await eventually(async () => ((await ask(portal)).status === 200 ? true : undefined));
        await eventually(async () => ((await upload(portal, 'again')).status === 200 ? true : undefined));
        expect((await new SignOnClient(portal).signOn('/', user, password)).status).to.equal(303);
      }
      for (const { browser, action } of sessions) expect((await browser.get(action)).status).to.equal(200);
    });
  }

  it('answers requests of a server that is dead with the page of another one, whose database is gone: HAProxy', async function () {
    need(this, isInstalled('haproxy'), 'HAProxy is not installed');
    const client = await inFront('HAProxy', 'client', 'death');
    const [dead, living] = nodes as [Node, Node];
    const browser = new CookieClient(client);
    const action = await browser.open('/TERMINAL.HTML+TSO').then(async (first) => {
      let found = first;
      while (!found.includes(`SvcSession=${dead.code}.`))
        found = await new CookieClient(client).open('/TERMINAL.HTML+TSO');
      return found;
    });
    await cluster.end(dead);
    await database.end();
    try {
      await eventually(async () => {
        const states = await textOf(connect(control).end('show stat\n'));
        return new RegExp(`^sallyport,${living.code},.*,DOWN,`, 'm').test(states) || undefined;
      });
      for (let round = 0; round < 4; round += 1) {
        const { status, text } = await new SignOnClient(client).request(action);
        expect(status).to.be.oneOf([404, 503]);
        expect(text).to.include('<html lang="en">');
      }
    } finally {
      await database.begin();
    }
  });
});
