import { once } from 'node:events';
import { copyFileSync, readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { connect as connectTls } from 'node:tls';
import { expect } from 'chai';
import type { Browser } from 'playwright-core';
import { WebSocket } from 'ws';
import { browserFor, leaveBrowser } from '../browser/shared-browser.js';
import { named, TerminalPage } from '../browser/terminal-page.js';
import { sallyportInProcess } from '../cli/command-in-process.js';
import { openScreen } from '../session/screen-client.js';
import { CookieClient } from '../support/cookie-client.js';
import { eventually } from '../support/eventually.js';
import { need } from '../support/need.js';
import { PostgresqlServer, postgresqlFolder } from '../support/postgresql.js';
import { SignOnClient } from '../support/sign-on-client.js';
import { WatchedServer } from '../support/watched-server.js';
import { EventClient } from '../web/event-client.js';
import { ADMINISTRATOR, ClusterOfTwo, type Node } from './cluster-of-two.js';

/** Requests that may be under way with one node. */
const MOST_REQUESTS = 256;

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

  /** The same browser at another node. */
  function at(node: Node, { cookies }: CookieClient): CookieClient {
    const client = new CookieClient(node.client);
    for (const [name, value] of cookies) client.cookies.set(name, value);
    return client;
  }
  async function begun(node: Node): Promise<{ browser: CookieClient; action: string }> {
    const browser = new CookieClient(node.client);
    return { browser, action: await browser.open('/TERMINAL.HTML+TSO') };
  }
  const errorOf = (text: string) => (JSON.parse(text) as { code: string }).code;
  const addressOf = async (code: string) => {
    const rows = await database.run<{ address: string }>(`select address from sallyport.nodes where code = '${code}'`);
    const [, host = '', port = ''] = /^(.*):(\d+)$/.exec(rows[0]?.address ?? '') ?? [];
    return { host, port: Number(port) };
  };

  describe('passes on', () => {
    it('requests for sessions of the other one, which answers as it does its own clients', async () => {
      const { browser, action } = await begun(b);
      expect(action).to.match(/^\/w2h-b\/TERMINAL\.HTML\+\+SvcSession=b\./);
      const elsewhere = at(a, browser);
      const [here, there] = [await browser.get(action), await elsewhere.get(action)];
      expect(there.status, there.text).to.equal(200);
      expect(Object.keys(there.headers)).to.deep.equal(Object.keys(here.headers));
      const { label } = { label: [...browser.cookies.keys()][0]?.slice('SvcSession-'.length) ?? '' };
      const page = action.slice(0, action.indexOf('++'));
      for (const way of ['$UseCookieSession$', `$UseCookieSession$=${label}`]) {
        expect((await elsewhere.get(`${page}++${way}`)).status, way).to.equal(200);
      }
      expect((await new CookieClient(a.client).get(action)).status, 'without its cookie').to.equal(404);
      const ended = await elsewhere.post(action, { pf: 'DISCONNECT' });
      expect([ended.status, ended.text]).to.deep.equal([200, '{"ended":"disconnected"}']);
      expect(elsewhere.cookies.size).to.equal(0);
      expect((await browser.get(action)).status).to.equal(404);
      // each request under one number in both logs
      const id = there.headers['x-request-id'];
      for (const node of [a, b]) expect(node.log()).to.include(`"requestId":"${id}"`);
    });

    it('whom a request comes from, which nobody but a node can say', async () => {
      const { action, browser } = await begun(b);
      const said = encodeURIComponent(
        JSON.stringify({ line: 'C-HTTP', client: '192.0.2.66', isOverTls: true, reached: '192.0.2.1' }),
      );
      const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
      for (const node of [a, b]) {
        const response = await fetch(node.client + action, { headers: { 'Sallyport-Carried': said, Cookie: cookie } });
        expect(response.status).to.equal(200);
      }
      for (const node of [a, b]) expect(node.log()).to.not.include('192.0.2.66');
    });

    it('bodies as they come, up to the limit of the line, and no further', async () => {
      const { browser, action } = await begun(b);
      const elsewhere = at(a, browser);
      const form = (length: number) => ({ pf: 'x'.repeat(length - 'pf='.length) });
      expect(errorOf((await elsewhere.post(action, form(4096))).text)).to.equal('SVC_ERR_SUBMIT_KEY');
      expect(errorOf((await elsewhere.post(action, form(4097))).text)).to.equal('SVC_ERR_REQUEST_BODY_SIZE');
      const chunked = await fetch(a.client + action, {
        method: 'POST',
        headers: { 'Content-Type': 'application/x-www-form-urlencoded', Accept: 'application/json' },
        body: new Blob(['pf=', 'x'.repeat(100_000)]).stream(),
        duplex: 'half',
      } as RequestInit);
      expect(errorOf(await chunked.text())).to.equal('SVC_ERR_REQUEST_BODY_SIZE');
    });

    it(`${MOST_REQUESTS} requests to one node at a time, and answers the next one itself`, async () => {
      const { browser, action } = await begun(b);
      const { port } = new URL(a.client);
      const sockets: Socket[] = [];
      let isOver = false;
      const hold = (at: number) => {
        if (isOver) return;
        const socket = connect(Number(port), '127.0.0.1').on('error', () => {});
        sockets[at] = socket;
        socket.write(`POST ${action} HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\npf`);
        // on a busy machine one may come too late
        socket.resume().once('close', () => hold(at));
      };
      try {
        for (let at = 0; at < MOST_REQUESTS; at++) hold(at);
        const answer = await eventually(async () => {
          const reply = await at(a, browser).get(action);
          return reply.status === 200 ? undefined : reply;
        });
        expect([answer.status, errorOf(answer.text)]).to.deep.equal([503, 'SVC_ERR_SERVICE_BUSY']);
        // its own sessions do not suffer
        await begun(a);
      } finally {
        isOver = true;
        for (const socket of sockets) socket.destroy();
      }
      await eventually(async () => ((await at(a, browser).get(action)).status === 200 ? true : undefined));
    });

    it('WebSockets, both ways, until one end is gone; those that are refused are told so', async () => {
      const { browser, action } = await begun(b);
      const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
      const open = (headers: object) =>
        new WebSocket(a.client.replace('http', 'ws') + action, { headers: { Origin: a.client, ...headers } });
      const socket = open({ Cookie: cookie });
      await once(socket, 'open');
      const welcome = once(socket, 'message');
      socket.send('{"k":"h"}');
      expect(String((await welcome)[0])).to.include('"k":"w"');
      for (const headers of [{}, { Cookie: cookie, Origin: 'http://elsewhere.example' }]) {
        const refused = open(headers);
        refused.on('error', () => {});
        const [, response] = await once(refused, 'unexpected-response');
        expect(response.statusCode).to.be.oneOf([403, 404]);
        refused.terminate();
      }
      const closed = once(socket, 'close');
      await browser.post(action, { pf: 'DISCONNECT' });
      await closed;
    });

    it('answers to sign-on forms that the other one has shown', async () => {
      const { name, password } = ADMINISTRATOR;
      const shown = new SignOnClient(a.portal);
      const { text } = await shown.request('/users');
      const answered = new SignOnClient(b.portal);
      const reply = await answered.post('/users', answered.fieldsFor(text, name, password));
      expect([reply.status, reply.headers.get('location')]).to.deep.equal([303, '/users']);
      for (const [cookie, value] of answered.cookies) shown.cookies.set(cookie, value);
      expect((await shown.request('/users')).status).to.equal(200);
      // so are the passwords of its other forms
      const form = (await shown.request('/users/root/password')).text;
      const fields = {
        TOKEN: /name="TOKEN" value="([^"]*)"/.exec(form)?.[1] ?? '',
        'SIGNON-CODE': /name="SIGNON-CODE" value="([^"]*)"/.exec(form)?.[1] ?? '',
        MAKE: 'yes',
      };
      expect(fields['SIGNON-CODE']).to.match(/^a\./);
      const refused = await answered.post('/users/root/password', fields);
      expect(refused.text).to.include('This line has no TLS');
    });

    it('the end of a sign-on: its sessions end on all servers', async () => {
      const { name, password } = ADMINISTRATOR;
      const user = new SignOnClient(a.client);
      expect((await user.signOn('/TERMINAL.HTML+FORM', name, password)).status).to.equal(303);
      const elsewhere = new SignOnClient(b.client);
      for (const [cookie, value] of user.cookies) elsewhere.cookies.set(cookie, value);
      const json = { headers: { Accept: 'application/json' } };
      const begun = await elsewhere.request('/TERMINAL.HTML+FORM', json);
      expect(begun.status, begun.text).to.equal(200);
      const { action } = JSON.parse(begun.text) as { action: string };
      expect(action).to.include('SvcSession=b.');
      expect((await elsewhere.request(action, json)).status).to.equal(200);
      expect((await user.request('/signoff', { method: 'POST', headers: { Origin: a.client } })).status).to.equal(303);
      await eventually(async () => ((await elsewhere.request(action, json)).status === 404 ? true : undefined));
    });

    it('what browsers do with their sessions: each server lists those of all, and names and ends them', async () => {
      const browser = new CookieClient(a.client);
      await browser.open('/TERMINAL.HTML+TSO');
      const elsewhere = at(b, browser);
      const action = await elsewhere.open('/TERMINAL.HTML+TSO');
      for (const [name, value] of elsewhere.cookies) browser.cookies.set(name, value);
      const listed = async (client: CookieClient) => {
        const { sessions } = JSON.parse((await client.get('/w2h/sessions')).text) as {
          sessions: { label: string; path: string }[];
        };
        return sessions.map(({ label }) => label.slice(0, 2)).sort();
      };
      for (const client of [browser, elsewhere]) expect(await listed(client)).to.deep.equal(['a.', 'b.']);
      expect((await browser.get(action)).status).to.equal(200);
      const label = [...browser.cookies.keys()].find((name) => name.includes('-b.'))?.slice('SvcSession-'.length) ?? '';
      const headers = {
        Cookie: [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        Origin: a.client,
      };
      const ended = await fetch(`${a.client}/w2h/sessions`, {
        method: 'POST',
        redirect: 'manual',
        headers,
        body: new URLSearchParams({ SESSION: label, ACTION: 'END' }),
      });
      expect(ended.status).to.equal(303);
      expect(await listed(browser)).to.deep.equal(['a.']);
      expect((await browser.get(action)).status).to.equal(404);
    });

    it('nothing that was passed on already', async () => {
      const { action } = await begun(a);
      const answered = await askInternal(await addressOf('b'), 'node', action);
      expect(answered)
        .to.match(/^HTTP\/1\.1 404 /)
        .and.to.include('SVC_ERR_SESSION_UNKNOWN');
    });
  });

  /** What a node answers over the internal line to whoever has that certificate; empty: nothing. */
  async function askInternal(where: { host: string; port: number }, certificate: string, path = '/'): Promise<string> {
    const file = (name: string) => readFileSync(join(cluster.folder, name));
    const own = certificate === '' ? {} : { cert: file(`${certificate}.pem`), key: file(`${certificate}.key`) };
    const socket = connectTls({ ...where, ...own, ca: file('authority.pem'), servername: 'nodes.example' });
    let text = '';
    socket.setEncoding('utf8').on('data', (piece: string) => {
      text += piece;
    });
    socket.on('error', () => {});
    const closed = new Promise((resolve) => socket.once('close', resolve));
    const carried = { line: 'C-HTTP', client: '127.0.0.1', isOverTls: false, reached: '127.0.0.1' };
    const header = path === '/' ? '' : `Sallyport-Carried: ${encodeURIComponent(JSON.stringify(carried))}\r\n`;
    socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nAccept: application/json\r\n${header}Connection: close\r\n\r\n`);
    await closed;
    return text;
  }

  it('lets nobody into its internal line but whoever has a certificate of its authority with its name', async () => {
    cluster.certificate('stranger');
    cluster.signed('of-stranger', 'stranger', 'nodes.example');
    cluster.signed('other-name', 'authority', 'users.example');
    const where = await addressOf('b');
    expect(await askInternal(where, 'node')).to.match(/^HTTP\/1\.1 204 /);
    for (const certificate of ['', 'stranger', 'of-stranger', 'other-name']) {
      expect(await askInternal(where, certificate), certificate).to.equal('');
    }
    expect(b.log()).to.include('the internal line has refused a connection');
    // nor does it take anybody else for a node
    const c = await cluster.begin('c', { certificate: 'other-name' });
    const { action, browser } = await begun(c);
    expect((await at(a, browser).get(action)).status).to.equal(503);
    await cluster.end(c);
    await eventually(async () => ((await at(a, browser).get(action)).status === 404 ? true : undefined));
  });

  it('uses other certificates when the files have others, and none that other servers would refuse', async () => {
    const where = await addressOf('b');
    const put = (names: Record<string, string>) => {
      for (const [to, from] of Object.entries(names)) {
        for (const end of ['pem', 'key'])
          copyFileSync(join(cluster.folder, `${from}.${end}`), join(cluster.folder, `${to}.${end}`));
      }
    };
    put({ before: 'node', 'authority-before': 'authority' });
    const health = async () =>
      (await fetch(`${b.server.listeners.find(({ name }) => name === 'management')?.url}/health`)).text();
    cluster.signed('other-name', 'authority', 'users.example');
    put({ node: 'other-name' });
    await eventually(async () => ((await health()).includes('is not for nodes.example') ? true : undefined));
    expect(await askInternal(where, 'before')).to.match(/^HTTP\/1\.1 204 /);
    // another authority altogether, at all servers
    cluster.certificate('next');
    cluster.signed('of-next', 'next', 'nodes.example');
    put({ authority: 'next', node: 'of-next' });
    await eventually(async () => ((await askInternal(where, 'of-next')).startsWith('HTTP/1.1 204') ? true : undefined));
    expect(await askInternal(where, 'before')).to.equal('');
    await eventually(async () => ((await health()).includes('"DOWN"') ? undefined : true));
    const { action, browser } = await begun(b);
    // at once, so that most of them need a connection of their own
    const together = () => Promise.all(Array.from({ length: 16 }, () => at(a, browser).get(action)));
    await eventually(async () => ((await together()).every(({ status }) => status === 200) ? true : undefined));
    put({ authority: 'authority-before', node: 'before' });
    await eventually(async () => ((await askInternal(where, 'node')).startsWith('HTTP/1.1 204') ? true : undefined));
  });

  it('has no two servers with one code', async () => {
    const refused = await cluster.begin('b').then(
      () => 'it began',
      (error: Error) => error.message,
    );
    expect(refused).to.equal('another server has the node code "b": give one of them another');
    // whoever has lost its code while it could not say that it was there is told
    const owner = "(select owner from sallyport.nodes where code = 'a')";
    const conditions = () => fetch(`${b.server.listeners.find(({ name }) => name === 'management')?.url}/health`);
    await database.run(`update sallyport.nodes set owner = ${owner}, heartbeat = heartbeat + 60000 where code = 'b'`);
    await eventually(async () => (b.log().includes('another server has the node code') ? true : undefined));
    expect(await (await conditions()).text()).to.include('another server has the node code');
    await database.run("delete from sallyport.nodes where code = 'b'");
    await eventually(
      async () => ((await (await conditions()).json()) as { status: string }).status === 'UP' || undefined,
    );
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
    expect(page).to.include('The server that had this session is gone').and.to.include('href="/"');
    await server.kill();
  });

  it('shows no code of a session in a log or in the database', async () => {
    const { browser, action } = await begun(b);
    const [, code = ''] = action.split('SvcSession=b.');
    await at(a, browser).get(action);
    await eventually(async () => (a.log().includes('C-HTTP') ? true : undefined));
    const rows = await database.run('select * from sallyport.nodes, sallyport.node_sessions');
    for (const text of [a.log(), b.log(), JSON.stringify(rows)]) expect(text).to.not.include(code);
  });

  describe('consoles', () => {
    const { name, password } = ADMINISTRATOR;
    let token: string;
    before(async () => {
      const added = await sallyportInProcess(
        ['token', 'add', 'OPS', '--scope', 'operation', '--config', join(cluster.folder, 'a.yaml')],
        { folder: cluster.folder },
      );
      token = added.stdout.trim();
    });

    const admin = (...args: string[]) =>
      sallyportInProcess(['admin', ...args, '--server', a.portal], {
        folder: cluster.folder,
        environment: { SALLYPORT_TOKEN: token },
      });
    const tokenOf = (text: string) => ({ TOKEN: /name="TOKEN" value="([^"]*)"/.exec(text)?.[1] ?? '' });
    const sessionsOfB = async (client: SignOnClient) =>
      [...(await client.request('/sessions')).text.matchAll(/"\/sessions\/(b-[0-9a-f]{12})"/g)].map(
        ([, id = '']) => id,
      );
    const recorded = async (what: string) => {
      const rows = await database.run<{ line: string }>('select line from sallyport.audit_entries order by sequence');
      return rows.map(({ line }) => JSON.parse(line)).filter((entry) => entry.what === what);
    };

    it('show sessions of all servers, with their server, send messages to them and end them anywhere', async () => {
      const console = new SignOnClient(a.portal);
      expect((await console.signOn('/sessions', name, password)).status).to.equal(303);
      // those of other tests may end while this one looks
      const earlier = await sessionsOfB(console);
      const { browser, action } = await begun(b);
      const id = await eventually(async () => (await sessionsOfB(console)).find((one) => !earlier.includes(one)));
      const { text } = await console.request(`/sessions/${id}`);
      expect(text).to.include('<dt>Server</dt><dd>b</dd>');
      expect((await console.request(`/sessions?search=server+b`)).text).to.include(id);
      const told = await console.post(`/sessions/${id}/message`, { ...tokenOf(text), MESSAGE: 'to all servers' });
      expect([told.status, told.headers.get('location')]).to.deep.equal([303, `/sessions/${id}?done=message-sent`]);
      const listed = JSON.parse((await admin('sessions', '--json')).stdout) as {
        sessions: { id: string; node: string }[];
      };
      expect(listed.sessions.find((one) => one.id === id)?.node).to.equal('b');
      const { code, stdout } = await admin('kill', id);
      expect([code, stdout]).to.deep.equal([0, `Session ${id} is ending.\n`]);
      await eventually(async () => ((await browser.get(action)).status === 404 ? true : undefined));
      const [ended] = (await recorded('session.ended')).slice(-1);
      expect(ended).to.include({ who: 'token OPS', subject: `session ${id}` });
      expect((await recorded('session.messageSent'))[0]).to.include({
        who: name,
        subject: `session ${id}`,
        from: '127.0.0.1',
      });
      await eventually(async () => ((await console.request('/sessions')).text.includes(id) ? undefined : true));
      expect((await admin('kill', id)).stderr).to.include('HTTP 404');
    });

    it('show the screen of a session of another server while it is watched, and tell its user', async () => {
      const console = new SignOnClient(a.portal);
      await console.signOn('/sessions', name, password);
      const earlier = await sessionsOfB(console);
      const screen = await openScreen(b.client, '/TERMINAL.HTML+TSO');
      await screen.connect();
      const id = await eventually(async () => (await sessionsOfB(console)).find((one) => !earlier.includes(one)));
      expect((await console.request(`/sessions/${id}/watch`)).text).to.include(id);
      const stream = await EventClient.open(a.portal, console.cookie, `topic=screen:${id}`);
      const whole = await stream.event((data) => (data as { k: string }).k === 's');
      expect(JSON.stringify(whole)).to.include('Type your userid');
      expect(await screen.message(({ k }) => k === 'v')).to.deep.equal({ k: 'v', b: [name] });
      screen.key(1, 'DISCONNECT');
      await stream.event((data) => (data as { k: string }).k === 'e');
      stream.close();
      screen.cut();
      expect((await recorded('session.watched'))[0]).to.include({ who: name, subject: `session ${id}` });
    });

    it('show servers, drain one through another, and tell of one that is gone', async () => {
      const c = await cluster.begin('c');
      await eventually(async () => (/^c +up /m.test((await admin('nodes')).stdout) ? true : undefined));
      const { stdout } = await admin('nodes');
      expect(stdout)
        .to.match(/^NODE +STATE +SESS /)
        .and.to.match(/^a +up /m)
        .and.to.match(/^b +up /m);
      const console = new SignOnClient(a.portal);
      await console.signOn('/nodes', name, password);
      const asked = await console.request('/nodes/c/drain');
      expect(asked.text).to.include('Drain server c?');
      const drained = await console.post('/nodes/c/drain', tokenOf(asked.text));
      expect([drained.status, drained.headers.get('location')]).to.deep.equal([303, '/nodes?done=node-drained']);
      await c.server.drained;
      await eventually(async () => ((await admin('node', 'c')).stdout.includes('draining') ? true : undefined));
      expect((await new CookieClient(b.client).get('/TERMINAL.HTML+TSO')).status).to.equal(200);
      await cluster.end(c);
      await eventually(async () => ((await admin('nodes')).stdout.includes('\nc ') ? undefined : true));
      expect((await admin('node', 'c', 'drain')).stderr).to.include('HTTP 404');
      expect((await recorded('server.drained')).at(-1)).to.include({ who: name });
      // its process has died, or its machine: by the clock of the database
      await database.run(
        "insert into sallyport.nodes select 'd', 1, address, version, 'up', 7, heartbeat - 60000 from sallyport.nodes where code = 'b'",
      );
      const gone = await eventually(async () => {
        const { text } = await console.request('/nodes');
        return text.includes('Gone: not heard of') ? text : undefined;
      });
      expect(gone).to.match(/not heard of for \d+ seconds/);
      const metrics = a.server.listeners.find((listener) => listener.name === 'management')?.url;
      const exposed = await (await fetch(`${metrics}/metrics`)).text();
      expect(exposed).to.include('sallyport_nodes{state="gone"} 1').and.to.include('sallyport_nodes{state="up"} 2');
      await database.run("delete from sallyport.nodes where code = 'd'");
    });
  });

  describe('in Chromium', () => {
    let browser: Browser;
    before(async function () {
      browser = await browserFor(this);
    });
    after(() => leaveBrowser());

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
