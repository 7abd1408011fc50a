import { once } from 'node:events';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Browser } from 'playwright-core';
import { openUsers } from '../../../src/config/open-users.js';
import { startServer } from '../../../src/server/server.js';
import { PortalPage } from '../../browser/portal-page.js';
import { browserFor, leaveBrowser } from '../../browser/shared-browser.js';
import { named, TerminalPage } from '../../browser/terminal-page.js';
import { recordingLog } from '../../lines/listener/recording-log.js';
import { awaited } from '../../support/awaited.js';
import { CookieClient } from '../../support/cookie-client.js';
import { eventually } from '../../support/eventually.js';
import { need } from '../../support/need.js';
import { PostgresqlServer, postgresqlFolder } from '../../support/postgresql.js';
import { setClock, setClockBack } from '../../support/set-clock.js';
import { SignOnClient } from '../../support/sign-on-client.js';
import { WatchedServer } from '../../support/watched-server.js';
import { ADMINISTRATOR, at, begun, ClusterOfTwo, type Node } from './cluster-of-two.js';
import { itHasConsoles } from './consoles.js';
import { itPassesOn } from './forwarding.js';
import { itHasAnInternalLine } from './internal-line.js';

const DAY = 86_400_000;

describe('a cluster of two servers', () => {
  let database: PostgresqlServer;
  let cluster: ClusterOfTwo;
  let a: Node;
  let b: Node;

  before(async function () {
    need(this, postgresqlFolder() !== undefined, 'PostgreSQL is not installed');
    database = await PostgresqlServer.start();
    cluster = new ClusterOfTwo(database);
    await cluster.addAdministrator();
    a = await cluster.begin('a', { line: ', limits: { bodyBytes: 4096, connectionsPerAddress: 2000 }' });
    b = await cluster.begin('b', { line: ', limits: { bodyBytes: 4096 }' });
  });
  after(async () => {
    await cluster?.remove();
    await database?.remove();
  });

  const running = () => ({ database, cluster, a, b });

  describe('passes on', () => itPassesOn(running));
  describe('has an internal line', () => itHasAnInternalLine(running));

  it('has no two servers with one code', async () => {
    const refused = await cluster.begin('b').then(
      () => 'it began',
      (error: Error) => error.message,
    );
    expect(refused).to.equal('another server has the node code "b": give each server a unique code');
    // whoever has lost its code while it could not say that it was there is told
    const owner = "(select owner from sallyport.nodes where code = 'a')";
    const conditions = () => fetch(`${b.server.listeners.find(({ name }) => name === 'management')?.url}/health`);
    await database.run(`update sallyport.nodes set owner = ${owner}, heartbeat = heartbeat + 60000 where code = 'b'`);
    try {
      await eventually(async () => (b.log().includes('another server has the node code') ? true : undefined));
      expect(await (await conditions()).text()).to.include('another server has the node code');
    } finally {
      await database.run("delete from sallyport.nodes where code = 'b'");
    }
    await eventually(
      async () => ((await (await conditions()).json()) as { status: string }).status === 'UP' || undefined,
    );
  });

  it('takes its times from the database, whatever the clock of a server says', async () => {
    const users = await openUsers(await cluster.configuration('x'));
    const actor = { who: 'test', from: 'test' };
    const added = { name: 'DAY', scopes: ['operation'], days: 1 };
    const token = await users.tokens.add(actor, added);
    await users.close();
    setClock(2 * DAY);
    try {
      const ahead = await cluster.begin('c');
      setClock(-2 * DAY);
      const behind = await cluster.begin('d');
      const act = async ({ portal }: Node) => {
        const reply = await fetch(`${portal}/api/admin/v1/lines/C-HTTP/drain`, {
          method: 'POST',
          headers: { Authorization: `Bearer ${token}` },
        });
        return reply.status;
      };
      expect([await act(ahead), await act(behind)]).to.deep.equal([200, 200]);
      const [{ apart } = { apart: 0 }] = await database.run<{ apart: number }>(
        `select max(abs(extract(epoch from now() - (line::json ->> 'time')::timestamptz)))::float8 as apart
         from (select line from sallyport.audit_entries order by sequence desc limit 4) as last`,
      );
      expect(apart).to.be.below(DAY / 1_000);
      await database.run("update sallyport.tokens set expires = '2026-01-01T00:00:00.000Z'");
      expect([await act(ahead), await act(behind)]).to.deep.equal([401, 401]);
      await cluster.end(ahead);
      await cluster.end(behind);
    } finally {
      setClockBack();
    }
  });

  it('has its reloads on record, or none of them, where it stops meanwhile', async () => {
    const node = await cluster.begin('e');
    const reloads = Array.from({ length: 8 }, () => node.server.reload({ who: 'SIGHUP', from: 'test' }));
    await Promise.all([cluster.end(node), ...reloads]);
    expect(node.log()).to.include('the server stops').and.to.not.include('audit trail cannot be written');
  });

  it('hints at the internal line where a server has none and another one uses its database', async () => {
    const { log, texts } = recordingLog();
    const alone = await startServer({ ...(await cluster.configuration('q')), internalLine: undefined }, log);
    await alone.stop();
    expect(texts.join('\n')).to.include('other servers use this database, but there is no internal line');
    for (const { log: ofOther } of [a, b]) expect(ofOther()).to.not.include('there is no internal line');
  });

  it('goes on with sessions of both while the database is gone', async () => {
    const { browser, action } = await begun(b);
    // the test before this one has taken away for a moment that there is such a server
    await eventually(async () => ((await at(a, browser).get(action)).status === 200 ? true : undefined));
    await database.end();
    try {
      for (const node of [a, b]) expect((await at(node, browser).get(action)).status).to.equal(200);
    } finally {
      await database.begin();
    }
  });

  it('finds a server whose word that it is there has not arrived, for whoever asks for it just after another one', async () => {
    const { browser } = await begun(a);
    const codeOf = async (node: string) => {
      const reply = at(a, browser).get(`/w2h-${node}/TERMINAL.HTML++SvcSession=${node}.x`);
      const { text } = await awaited('server a', `end its look for server ${node} and answer`, reply);
      return (JSON.parse(text) as { code: string }).code;
    };
    // the server has looked by then
    expect(await codeOf('nobody')).to.equal('SVC_ERR_NODE_GONE');
    // the same server by another name, of which nobody is told; its own word may be old, as the database was gone
    await database.run(
      "insert into sallyport.nodes select 'e', 1, address, version, 'up', 7, (extract(epoch from now()) * 1000)::bigint from sallyport.nodes where code = 'b'",
    );
    try {
      expect(await codeOf('e')).to.equal('SVC_ERR_SESSION_UNKNOWN');
    } finally {
      await database.run("delete from sallyport.nodes where code = 'e'");
    }
  });

  it('answers with a page that leads to the menu where the other one was killed', async () => {
    await cluster.configuration('c');
    const server = new WatchedServer(cluster.folder, join(cluster.folder, 'c.yaml'));
    let action: string;
    const browser = new CookieClient(await server.urlOf('C-HTTP'));
    try {
      action = await browser.open('/TERMINAL.HTML+TSO');
      expect((await at(a, browser).get(action)).status).to.equal(200);
    } finally {
      await server.kill('SIGKILL');
    }
    const page = await eventually(async () => {
      const response = await fetch(a.client + action, { headers: { Accept: 'text/html' } });
      expect(response.status).to.be.oneOf([404, 503]);
      return response.status === 404 ? response.text() : undefined;
    });
    expect(page).to.include('The server of this session has failed').and.to.include('href="/"');
    await server.kill();
  });

  it('answers a request that is under way with a machine that vanishes', async () => {
    await cluster.configuration('v');
    const server = new WatchedServer(cluster.folder, join(cluster.folder, 'v.yaml'));
    const browser = new CookieClient(await server.urlOf('C-HTTP'));
    const action = await browser.open('/TERMINAL.HTML+TSO');
    expect((await at(a, browser).get(action)).status).to.equal(200);
    // its connections stay, and it says nothing more
    server.signal('SIGSTOP');
    try {
      const { status, text } = await at(a, browser).get(action);
      expect([status, (JSON.parse(text) as { code: string }).code]).to.deep.equal([404, 'SVC_ERR_NODE_GONE']);
    } finally {
      await server.kill('SIGKILL');
    }
  });

  it('shows no code of a session in a log or in the database', async () => {
    const { browser, action } = await begun(b);
    const [, code = ''] = action.split('SvcSession=b.');
    await at(a, browser).get(action);
    await eventually(async () => (a.log().includes('C-HTTP') ? true : undefined));
    const rows = await database.run('select * from sallyport.nodes, sallyport.node_sessions');
    for (const text of [a.log(), b.log(), JSON.stringify(rows)]) expect(text).to.not.include(code);
  });

  describe('consoles', () => itHasConsoles(running));

  describe('in Chromium', () => {
    let browser: Browser;
    const balancers: Server[] = [];
    before(async function () {
      browser = await browserFor(this);
    });
    after(() => {
      for (const balancer of balancers) balancer.close().closeAllConnections();
      return leaveBrowser();
    });

    it('has a page of the portal updated by the server that made it, where a balancer leads to another one', async () => {
      const balancer = createServer(({ method, url = '', headers }, response) => {
        const to = url.startsWith('/console/events') ? b.portal : a.portal;
        const passed = request(to + url, { method, headers }, (answer) => {
          response.writeHead(answer.statusCode ?? 502, answer.headers);
          answer.pipe(response);
        }).end();
        response.once('close', () => passed.destroy());
      }).listen(0, '127.0.0.1');
      await once(balancer, 'listening');
      balancers.push(balancer);
      const console = new SignOnClient(a.portal);
      await console.signOn('/lines', ADMINISTRATOR.name, ADMINISTRATOR.password);
      const url = `http://127.0.0.1:${(balancer.address() as AddressInfo).port}`;
      const { page, context, complaints } = await PortalPage.open(browser, { portalUrl: url });
      await context.addCookies([...console.cookies].map(([name, value]) => ({ name, value, url })));
      await page.goto(`${url}/lines`);
      await page.locator('#as-of').waitFor({ state: 'hidden' });
      const row = page.locator('section[data-live="inbound-lines"] tr', { hasText: a.client });
      const requests = async () => Number(await row.locator('[data-label="Requests"]').textContent());
      const before = await requests();
      await fetch(`${a.client}/`);
      await eventually(async () => ((await requests()) > before ? true : undefined));
      expect(complaints).to.deep.equal([]);
      await page.close();
    });

    it('has a session go on at the wrong server, encrypted fields and all', async () => {
      const opened = await TerminalPage.open(browser, named(b.client, '/TERMINAL.HTML+TSO'));
      await opened.shows('Type your userid');
      await opened.page.goto(named(a.client, new URL(opened.page.url()).pathname));
      await opened.shows('Type your userid');
      await opened.signOn();
      await opened.shows('Option ===>');
      expect(opened.complaints).to.deep.equal([]);
      await opened.close();
    });
  });
});
