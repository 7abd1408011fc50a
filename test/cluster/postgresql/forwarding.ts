import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { expect } from 'chai';
import { WebSocket } from 'ws';
import { CookieClient } from '../../support/cookie-client.js';
import { eventually } from '../../support/eventually.js';
import type { PostgresqlServer } from '../../support/postgresql.js';
import { SignOnClient } from '../../support/sign-on-client.js';
import {
  FORGED_ADDRESS,
  plainRequests,
  SMUGGLED_PAGE,
  sendSmuggled,
  smuggledRequests,
} from '../../support/smuggled-request.js';
import { ADMINISTRATOR, at, begun, type ClusterOfTwo, type Node, type RunningCluster } from './cluster-of-two.js';
import { askInternal } from './internal-line.js';

/** Requests that may be under way with one node. */
const MOST_REQUESTS = 256;
const BATCH = 16;

/** What reaches one server of a cluster and is for the other one. */
export function itPassesOn(running: () => RunningCluster): void {
  let cluster: ClusterOfTwo;
  let a: Node;
  let b: Node;
  let database: PostgresqlServer;
  before(() => {
    ({ database, cluster, a, b } = running());
  });
  const errorOf = (text: string) => (JSON.parse(text) as { code: string }).code;

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

  it('no request in the body of another one', async () => {
    const { action, browser } = await begun(b);
    const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    for (const smuggled of smuggledRequests) {
      const status = await sendSmuggled(Number(new URL(a.client).port), smuggled, action, cookie);
      expect(status, smuggled.name).to.equal(400);
    }
    // a body that nothing is wrong with is the body of its request at the other node, too
    for (const { name, plain } of plainRequests) {
      const status = await sendSmuggled(Number(new URL(a.client).port), { name, bytes: plain }, action, cookie);
      expect(status, name).to.be.oneOf([200, 405]);
    }
    expect((await at(a, browser).get(action)).status).to.equal(200);
    for (const node of [a, b]) {
      expect(node.log()).to.not.include(FORGED_ADDRESS);
      expect(node.log()).to.not.include(SMUGGLED_PAGE.slice(1));
    }
  });

  it('requests under another key, once each node has read it: no server is started again', async () => {
    const { action, browser } = await begun(b);
    await database.run("update sallyport.cluster_key set key = sha256('another key')");
    // a node reads its key again when a seal does not open; the answer tells the other one to do so
    for (const [node, session] of [
      [a, { action, browser }],
      [b, await begun(a)],
    ] as const) {
      await eventually(async () =>
        (await at(node, session.browser).get(session.action)).status === 200 ? true : undefined,
      );
    }
    const head = { method: 'GET', url: '/', framing: 'none', isUpgrade: false } as const;
    const seal = (await cluster.seal()).close('question', head);
    await eventually(async () =>
      (await askInternal(cluster, 'node', '/', seal)).startsWith('HTTP/1.1 204') ? true : undefined,
    );
    await eventually(async () => ((await at(a, browser).get(action)).status === 200 ? true : undefined));
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
    const answers: string[] = [];
    const hold = () => {
      const socket = connect(Number(port), '127.0.0.1').on('error', () => {});
      sockets.push(socket);
      let answer = '';
      socket.on('data', (bytes) => {
        answer += bytes;
        if (answer.endsWith('}')) answers.push(answer);
      });
      socket.write(`POST ${action} HTTP/1.1\r\nHost: x\r\nAccept: application/json\r\nContent-Length: 9\r\n\r\npf`);
    };
    try {
      while (sockets.length < MOST_REQUESTS) {
        for (let at = 0; at < BATCH; at++) hold();
        // the handshakes of a batch are over before the next one begins; behind the last batch it would be one too many
        if (sockets.length < MOST_REQUESTS) expect((await at(a, browser).get(action)).status).to.equal(200);
      }
      hold();
      const [answer = ''] = await eventually(async () => (answers.length > 0 ? answers : undefined));
      expect(answer).to.match(/^HTTP\/1\.1 503 /);
      expect(errorOf(answer.slice(answer.indexOf('{')))).to.equal('SVC_ERR_SERVICE_BUSY');
      expect(answers).to.have.length(1);
      // its own sessions do not suffer
      await begun(a);
    } finally {
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
    expect(refused.text).to.include('This line does not use TLS');
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
    const answered = await askInternal(cluster, 'node', action);
    expect(answered)
      .to.match(/^HTTP\/1\.1 404 /)
      .and.to.include('SVC_ERR_SESSION_UNKNOWN');
  });
}
