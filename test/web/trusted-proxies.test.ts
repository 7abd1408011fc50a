import { readFileSync } from 'node:fs';
import { type IncomingHttpHeaders, request as requestInClear } from 'node:http';
import { request as requestOverTls } from 'node:https';
import { join } from 'node:path';
import { expect } from 'chai';
import { RawConnection } from '../lines/listener/raw-connection.js';
import { ScreenClient } from '../sessions/screen-client.js';
import { eventually } from '../support/eventually.js';
import { ANNA, type PortalSite, startPortalSite } from '../support/portal-site.js';

const MOST_FORWARDED_ADDRESSES = 32;

/** The proxy of these tests; another machine is 127.0.0.2. */
const PROXY = '127.0.0.1';
const OTHER = '127.0.0.2';

interface Reply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

interface Asking {
  readonly from?: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

function ask(
  url: string,
  path: string,
  { from = PROXY, method = 'GET', headers = {}, body }: Asking = {},
): Promise<Reply> {
  const make = url.startsWith('https:') ? requestOverTls : requestInClear;
  return new Promise((resolve, reject) => {
    const options = { method, headers, localAddress: from, agent: false, rejectUnauthorized: false };
    const outgoing = make(url + path, options, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (piece: string) => {
        text += piece;
      });
      response.once('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }));
    });
    outgoing.once('error', reject).end(body);
  });
}

function basic(password: string): Readonly<Record<string, string>> {
  return { Authorization: `Basic ${Buffer.from(`${ANNA.name}:${password}`).toString('base64')}` };
}

const LINE = `trustedProxies: [${PROXY}, 10.0.0.0/8, '2001:db8:1::/48']`;
const ANSWERS = "answers: { server: false, hstsSeconds: 600, headers: { Permissions-Policy: 'camera=()' } }";
const LIMITS = 'limits: { connectionsPerAddress: 1, sessionsPerAddress: 1 }';
const EMBEDDER = 'https://portal.example';
const TSO = '      TSO: { applicationType: 1, application: SIM, page: TERMINAL.HTML }';

describe('a line behind proxies', () => {
  let site: PortalSite;
  let url = '';
  let asked = 0;

  before(async () => {
    site = await startPortalSite({
      clientLine: `${LINE}, ${ANSWERS}, ${LIMITS}`,
      transactions: TSO,
      entryPoint: `    embedding: { origins: ['${EMBEDDER}'] }`,
      security: 'lockAfter: 100',
    });
    url = site.clientUrl;
  });
  after(() => site.stop());

  /** What the log says of who has sent a request. */
  async function sender(asking: Asking, at = url): Promise<unknown> {
    const page = `CASE${++asked}.HTML`;
    await ask(at, `/${page}`, asking);
    return eventually(() => {
      const line = site
        .log()
        .split('\n')
        .find((text) => text.includes(`"template":"${page}"`));
      return line === undefined ? undefined : (JSON.parse(line) as { remoteAddress: unknown }).remoteAddress;
    });
  }

  const ours = (count: number) => Array.from({ length: count }, (_, index) => `10.0.0.${index}`);
  for (const [said, expected] of [
    ['192.0.2.1', '192.0.2.1'],
    ['203.0.113.9, 192.0.2.1', '192.0.2.1'],
    ['203.0.113.9,192.0.2.1 , 10.1.2.3,10.9.9.9', '192.0.2.1'],
    ['192.0.2.1:4711', '192.0.2.1'],
    ['2001:db8::1', '2001:db8::1'],
    ['[2001:DB8::1]:4711, 2001:db8:1:2::3', '2001:db8::1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['::ffff:10.0.0.1', '10.0.0.1'],
    ['192.0.2.1, unknown', PROXY],
    ['192.0.2.1, 300.1.1.1, 10.1.2.3', '10.1.2.3'],
    ['192.0.2.1, <script>', PROXY],
    ['', PROXY],
    [', ,', PROXY],
    ['10.1.2.3', '10.1.2.3'],
    [['192.0.2.1', ...ours(MOST_FORWARDED_ADDRESSES - 1)].join(', '), '192.0.2.1'],
    [['192.0.2.1', ...ours(MOST_FORWARDED_ADDRESSES)].join(', '), '10.0.0.0'],
  ] as const) {
    it(`takes ${expected} for the sender where the proxy says "${said.slice(0, 50)}"`, async () => {
      expect(await sender({ headers: { 'X-Forwarded-For': said } })).to.equal(expected);
    });
  }

  it('takes the proxy itself where it says nothing', async () => {
    expect(await sender({})).to.equal(PROXY);
  });

  it('believes nobody else, and no other line does', async () => {
    const headers = { 'X-Forwarded-For': '192.0.2.1', 'X-Forwarded-Proto': 'https' };
    expect(await sender({ from: OTHER, headers })).to.equal(OTHER);
    expect(await sender({ headers }, site.portalUrl)).to.equal(PROXY);
  });

  it('has cookies for TLS alone, and HSTS, where the proxy has the TLS', async () => {
    for (const [from, proto, isOverTls] of [
      [PROXY, 'https', true],
      [PROXY, 'HTTPS', true],
      [PROXY, 'http, https', true],
      [PROXY, 'https, http', false],
      [PROXY, 'http', false],
      [PROXY, 'nonsense', false],
      [OTHER, 'https', false],
    ] as const) {
      const address = `192.0.2.${100 + asked++}`;
      const headers = { 'X-Forwarded-For': address, 'X-Forwarded-Proto': proto };
      const { headers: said, status } = await ask(url, '/TERMINAL.HTML+TSO', { from, headers });
      const what = `${from} ${proto}`;
      expect(status, what).to.equal(200);
      const pattern = isOverTls ? /^__Host-SvcSession-.*; Secure$/ : /^SvcSession-(?!.*Secure)/;
      expect(said['set-cookie']?.[0], what).to.match(pattern);
      expect(said['strict-transport-security'], what).to.equal(isOverTls ? 'max-age=600' : undefined);
    }
  });

  it('has a frame of an embedder the cookie that it gets there, where the proxy has the TLS', async () => {
    const framed = {
      'Sec-Fetch-Dest': 'iframe',
      'Sec-Fetch-Mode': 'navigate',
      'Sec-Fetch-Site': 'cross-site',
      Referer: `${EMBEDDER}/`,
    };
    for (const [proto, pattern] of [
      ['https', /; SameSite=None; Partitioned; Secure$/],
      ['http', /; SameSite=Strict$/],
    ] as const) {
      const headers = { ...framed, 'X-Forwarded-For': `192.0.2.${100 + asked++}`, 'X-Forwarded-Proto': proto };
      const { headers: said, status } = await ask(url, '/TERMINAL.HTML+TSO', { headers });
      expect(status, proto).to.equal(200);
      expect(said['set-cookie']?.[0], proto).to.match(pattern);
    }
  });

  it('takes forms and WebSockets of a page without TLS for those of another site, where the proxy has the TLS', async () => {
    const { host } = new URL(url);
    const reply = await ask(url, '/TERMINAL.HTML+TSO', {
      headers: { 'X-Forwarded-For': '198.51.100.30', 'X-Forwarded-Proto': 'https', Accept: 'application/json' },
    });
    const { action } = JSON.parse(reply.text) as { action: string };
    const [cookie = ''] = reply.headers['set-cookie']?.[0]?.split(';') ?? [];
    for (const [origin, status, upgraded] of [
      [`http://${host}`, 403, '403'],
      [`https://${host}`, 200, 'open'],
    ] as const) {
      const headers = { 'X-Forwarded-For': '198.51.100.30', 'X-Forwarded-Proto': 'https', Origin: origin };
      const client = new ScreenClient(url, action, cookie);
      const opening = client.connect(headers).then(
        () => 'open',
        ({ message }: Error) => message,
      );
      expect(await opening, origin).to.equal(upgraded);
      client.cut();
      const form = { ...headers, Cookie: cookie, 'Content-Type': 'application/x-www-form-urlencoded' };
      const answer = await ask(url, action, { method: 'POST', headers: form, body: 'pf=CLEAR' });
      expect(answer.status, origin).to.equal(status);
    }
  });

  it('says what its configuration has it say, and not what it hides', async () => {
    for (const path of ['/', '/NOWHERE.HTML', '/w2h/favicon.svg']) {
      const { headers } = await ask(url, path);
      expect([headers.server, headers['permissions-policy']], path).to.deep.equal([undefined, 'camera=()']);
    }
    const portal = await ask(site.portalUrl, '/');
    expect(portal.headers.server).to.match(/^Sallyport\//);
    expect(portal.headers['permissions-policy']).to.equal(undefined);
  });

  it('counts users behind the proxy as users', async () => {
    const open = (address: string) => ask(url, '/TERMINAL.HTML+TSO', { headers: { 'X-Forwarded-For': address } });
    expect((await open('198.51.100.1')).status).to.equal(200);
    expect((await open('198.51.100.1')).status, 'one session of an address').to.equal(503);
    expect((await open('198.51.100.2')).status).to.equal(200);
  });

  it('counts the connections of the proxy as those of many', async () => {
    const { port } = new URL(url);
    const open = async (localAddress: string) => {
      const connection = await RawConnection.open(Number(port), PROXY, localAddress);
      await connection.send('GET /NOWHERE.HTML HTTP/1.1\r\nHost: localhost\r\n\r\n');
      return { connection, text: await connection.until((text) => text.includes('\r\n\r\n')) };
    };
    const all = [await open(PROXY), await open(PROXY), await open(PROXY), await open(OTHER)];
    const refused = await open(OTHER);
    for (const { text } of all) expect(text).to.match(/^HTTP\/1\.1 404 /);
    expect(refused.text).to.match(/^HTTP\/1\.1 503 /);
    for (const { connection } of [...all, refused]) connection.close();
  });

  it('puts the user on record, not the proxy, and has who guesses wait, not everybody', async () => {
    const save = (address: string, password: string) =>
      ask(url, '/w2h/user/macros.json', {
        method: 'PUT',
        headers: { 'X-Forwarded-For': address, 'Content-Type': 'application/json', ...basic(password) },
        body: '{"macros":[],"fmt":2}',
      });
    expect((await save('198.51.100.7', ANNA.password)).status).to.equal(204);
    expect(readFileSync(join(site.folder, 'data', 'audit.jsonl'), 'utf8')).to.include('"from":"198.51.100.7"');
    const guesses = await Promise.all(Array.from({ length: 11 }, (_, at) => save('198.51.100.8', `guess-${at}`)));
    expect(guesses.map(({ status }) => status)).to.include(429);
    expect((await save('198.51.100.9', ANNA.password)).status).to.equal(204);
  });

  it('finds the session of a WebSocket by the cookie that is for TLS alone', async () => {
    const headers = { 'X-Forwarded-For': '198.51.100.20', 'X-Forwarded-Proto': 'https' };
    const reply = await ask(url, '/TERMINAL.HTML+TSO', { headers: { ...headers, Accept: 'application/json' } });
    const { action } = JSON.parse(reply.text) as { action: string };
    const client = new ScreenClient(url, action, reply.headers['set-cookie']?.[0]?.split(';')[0] ?? '');
    await client.connect(headers);
    await eventually(() => (client.messages.some(({ k }) => k === 's') ? true : undefined));
    client.key(1, 'DISCONNECT');
    await eventually(() => client.closed);
  });
});
