import { expect } from 'chai';
import { answerBeforeBody, exchange, RawConnection, statusOf } from '../lines/listener/raw-connection.js';
import { openScreen, ScreenClient } from '../sessions/screen-client.js';
import { type SessionSite, startSessionSite } from '../sessions/session-site.js';
import { eventually } from '../support/eventually.js';
import { holdLongTimers } from '../support/hold-long-timers.js';
import { rounds } from '../support/rounds.js';
import { AGREEMENT, BIND, ScriptedHost } from '../support/scripted-host.js';

const HEAD = 'Host: 127.0.0.1\r\nAccept: application/json\r\n';
const FORM = 'Content-Type: application/x-www-form-urlencoded\r\n';
const WEBSOCKET =
  'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n';
/** As the HTTP client of Java offers HTTP/2 with every request. */
const H2C = 'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAEAAEAAAAIAAAABAAMAAABk\r\n';
/** A formatted screen with an input field at position 2, and the keyboard free. */
const SCREEN = '00 00 00 0000 f5c3 114040 1d40 c1 114150 1df0 ffef';
const PAGE = '/WEB2SUB.HTML';

/** A text for a WebSocket, masked with zeros. */
const frame = (text: string) =>
  Buffer.concat([
    text.length < 126
      ? Buffer.of(0x81, 0x80 | text.length)
      : Buffer.of(0x81, 0xfe, text.length >> 8, text.length & 0xff),
    Buffer.alloc(4),
    Buffer.from(text),
  ]);
const code = (client: ScreenClient) => client.action.split('SvcSession=')[1] ?? '';

/** What a session does when it is attacked by whoever reaches the line, over real sockets. */
describe('attacks on sessions', () => {
  let site: SessionSite;
  let host: ScriptedHost;
  let port: number;

  before(async () => {
    host = new ScriptedHost();
    site = await startSessionSite({
      transactions: [
        'MENU: { applicationType: 1, application: MENU }',
        "LATE: { applicationType: 1, application: MENU, tioaAtLogon: 'begun&/MNEVERSHOWN&/W' }",
        'HOST: { applicationType: 1, application: HOST }',
        'w2h: { applicationType: 4, application: W2H-DIR }',
      ].join('\n      '),
      hosts: `MENU: { simulated: true, start: MENU }
  HOST: { address: '127.0.0.1:${await host.listen()}' }`,
    });
    port = Number(new URL(site.url).port);
  });

  after(async () => {
    await site?.stop();
    await host?.close();
  });

  const open = (transaction = 'MENU') => openScreen(site.url, `${PAGE}+${transaction}`);
  const get = async (target: string, headers = '') =>
    exchange(port, `GET ${target} HTTP/1.1\r\n${HEAD}${headers}Connection: close\r\n\r\n`);
  const post = async (target: string, body: string, headers = '', type = FORM) =>
    exchange(
      port,
      `POST ${target} HTTP/1.1\r\n${HEAD}${type}${headers}Content-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
    );

  /** A session with the scripted host, which has drawn its screen. */
  async function openHosted(): Promise<{ client: ScreenClient; records: () => number }> {
    const [before, opening] = [host.sockets.length, open('HOST')];
    await eventually(() => (host.sockets.length > before ? true : undefined));
    await host.send(AGREEMENT);
    await host.send(`${BIND} ${SCREEN}`);
    const client = await opening;
    const from = host.received.length;
    // Enter, at the beginning of a record of 3270 data
    const enters = () =>
      host.received
        .subarray(from)
        .toString('hex')
        .match(/00000000[0-9a-f]{2}7d/g) ?? [];
    return { client, records: () => enters().length };
  }

  describe('cookies', () => {
    it('finds its own among several, and among what is none', async () => {
      const other = `SvcSession-AAAAAAAA=${'A'.repeat(32)}`;
      for (const line of ['OWN', `${other}; OWN`, `OWN; ${other}`, 'SvcSessionX; OWN', 'SvcSession-=; a; =b; OWN']) {
        const client = await open();
        const headers = `Cookie: ${line.replace('OWN', client.cookie)}\r\n`;
        expect(statusOf(await get(client.action, headers)), line).to.equal(200);
        expect(statusOf(await get(client.action)), `${line}: from then on it must come`).to.equal(404);
        expect(statusOf(await get(client.action, `Cookie: ${other}\r\n`))).to.equal(404);
        expect(statusOf(await get(client.action, headers)), line).to.equal(200);
        expect(statusOf(await get(`${PAGE}++$UseCookieSession$`, headers)), line).to.equal(200);
      }
    });

    it('takes none that it has not given', async () => {
      const response = await fetch(`${site.url}${PAGE}+MENU`, {
        headers: { Cookie: `SvcSession=${'C'.repeat(32)}; SvcSession-CCCCCCCC=${'C'.repeat(32)}` },
      });
      expect(response.headers.get('set-cookie')).to.not.include('CCC');
    });

    it('of another browser opens nothing', async () => {
      const [mine, theirs] = [await open(), await open()];
      expect(statusOf(await get(mine.action, `Cookie: ${mine.cookie}\r\n`))).to.equal(200);
      expect(statusOf(await get(mine.action, `Cookie: ${theirs.cookie}\r\n`))).to.equal(404);
      expect(statusOf(await post(mine.action, 'pf=ENTER', `Cookie: ${theirs.cookie}\r\n`))).to.equal(404);
    });
  });

  it('rejects submits from pages of another origin', async () => {
    const { action, cookie } = await open();
    const host = new URL(site.url).host;
    const own = `Cookie: ${cookie}\r\n`;
    const byCookie = `${PAGE}++$UseCookieSession$`;
    for (const target of [action, byCookie]) {
      const allowed = target === action ? 200 : 405;
      for (const foreign of [
        'Origin: http://evil.example\r\n',
        'Origin: http://127.0.0.1:1\r\n',
        'Sec-Fetch-Site: same-site\r\n',
        'Sec-Fetch-Site: cross-site\r\nOrigin: null\r\n',
      ]) {
        expect(statusOf(await post(target, 'pf=NULL-PF', own + foreign)), foreign).to.equal(403);
      }
      // our pages send no address, and therefore no origin
      for (const fine of ['', 'Origin: null\r\n', 'Sec-Fetch-Site: same-origin\r\nOrigin: null\r\n']) {
        expect(statusOf(await post(target, 'pf=NULL-PF', own + fine)), fine).to.equal(allowed);
      }
      const same = `Host: ${host}\r\nOrigin: http://${host}\r\n`;
      const answer = await exchange(
        port,
        `POST ${target} HTTP/1.1\r\n${own}${same}${FORM}Content-Length: 10\r\nConnection: close\r\n\r\npf=NULL-PF`,
      );
      expect(statusOf(answer), target).to.equal(allowed);
    }
  });

  it('serves the address of the cookie to those who look, and to nobody who types', async () => {
    const { client, records } = await openHosted();
    const [target, own] = [`${PAGE}++$UseCookieSession$`, `Cookie: ${client.cookie}\r\n`];
    expect(statusOf(await get(target, own))).to.equal(200);
    const refused = await post(target, 'pf=ENTER&V0000001=x', `${own}Origin: null\r\n`);
    expect([statusOf(refused), /\r\nAllow: GET\r\n/.test(refused)]).to.deep.equal([405, true]);
    const upgrade = await exchange(port, `GET ${target} HTTP/1.1\r\n${HEAD}${own}${WEBSOCKET}\r\n`);
    expect(statusOf(upgrade)).to.equal(404);
    expect(records()).to.equal(0);
    expect(statusOf(await get(target, own)), 'it goes on').to.equal(200);
  });

  it('puts codes into no log, no error and no referrer', async () => {
    const client = await open();
    const secrets = [code(client), client.cookie.split('=')[1] ?? ''];
    const own = `Cookie: ${client.cookie}\r\nReferer: http://x${client.action}\r\nAccept: text/html\r\n`;
    const answers = [
      await get(`/NOWHERE.HTML++SvcSession=${code(client)}`, own),
      await get(`${client.action}x`, own),
      await post(client.action, 'pf=FOO', own),
      await post(client.action, 'pf=ENTER&V0000001=x', own),
      await post(client.action, 'x', own, 'Content-Type: text/plain\r\n'),
      await exchange(port, `PUT ${client.action} HTTP/1.1\r\n${HEAD}Connection: close\r\n\r\n`),
      await exchange(port, `GET ${client.action}x HTTP/1.1\r\n${HEAD}${own}${WEBSOCKET}\r\n`),
    ];
    expect(answers.map(statusOf)).to.deep.equal([404, 404, 400, 400, 415, 405, 404]);
    const page = await fetch(site.url + client.action, { headers: { Cookie: client.cookie } });
    expect(page.headers.get('referrer-policy')).to.equal('no-referrer');
    expect(page.headers.get('cache-control')).to.equal('no-store');
    for (const secret of secrets) expect(`${answers.join('')}${site.log()}`).to.not.include(secret);
  });

  it('refuses paths outside the session, and codes with one wrong detail', async () => {
    const client = await open();
    const status = async (target: string) => statusOf(await get(target));
    for (const path of ['/w2h/..', '/w2h/%2e%2e', '/w2h/.%2e', '/w2h/%2e', '/w2h/', '/w2h/..%2f', '/w2h/%5c..%5c']) {
      expect(await status(`${path}${PAGE}++SvcSession=${code(client)}`), path).to.equal(400);
    }
    for (const wrong of [
      `SvcSession=${code(client)}x`,
      `SvcSession=${code(client)}%20`,
      `svcsession=${code(client)}`,
      `PrintSvcSession=${code(client)}`,
      `ValidateValidateSvcSession=${code(client)}`,
      'SvcSession=__proto__',
      'SvcSession=',
      '$UseCookieSession$',
    ]) {
      expect(await status(`${PAGE}++${wrong}`), wrong).to.equal(404);
    }
    for (const method of ['HEAD', 'OPTIONS', 'PUT', 'DELETE', 'TRACE']) {
      const answer = await exchange(port, `${method} ${client.action} HTTP/1.1\r\n${HEAD}Connection: close\r\n\r\n`);
      expect(statusOf(answer), method).to.equal(405);
      expect(answer).to.include('Allow: GET, POST');
    }
  });

  describe('submits', () => {
    it('refuses bodies that are no form, or too much of one', async () => {
      const { action } = await open();
      const pairs = (count: number) => Array.from({ length: count }, (_, at) => `x${at}=1`).join('&');
      expect(statusOf(await post(action, `pf=NULL-PF&${pairs(19_999)}`))).to.equal(200);
      expect(statusOf(await post(action, `pf=NULL-PF&${pairs(20_000)}`))).to.equal(400);
      for (const body of [
        '',
        'x=1',
        'pf=%zz',
        'pf=%00',
        'pf=\xff\xfe',
        'pf=ENTER%20PF3',
        'pf=ENTER&cursorField=V9999999',
      ]) {
        expect(statusOf(await post(action, body)), body).to.equal(400);
      }
      for (const type of ['', 'Content-Type: text/plain\r\n', 'Content-Type: multipart/form-data; boundary=x\r\n']) {
        expect(statusOf(await post(action, 'pf=ENTER', '', type)), type).to.equal(415);
      }
      expect(statusOf(await post(action, `pf=NULL-PF&x=${'x'.repeat(1_048_576)}`))).to.equal(413);
    });

    it('carries out one number once, however many send it at once', async () => {
      const { client, records } = await openHosted();
      const submits = Array.from({ length: 20 }, () =>
        post(client.action, 'pf=ENTER&V0000001=x', 'X-Svc-Request-Id: 1 ENTER 11:10:01\r\n'),
      );
      await eventually(() => (records() > 0 ? true : undefined));
      await host.send(SCREEN);
      expect(new Set((await Promise.all(submits)).map(statusOf))).to.deep.equal(new Set([200]));
      expect(records()).to.equal(1);
      expect(statusOf(await post(client.action, 'pf=ENTER', 'X-Svc-Request-Id: 0 ENTER 11:10:01\r\n'))).to.equal(400);
      const twice = 'X-Svc-Request-Id: 2 ENTER 11:10:01\r\nX-Svc-Request-Id: 3 ENTER 11:10:01\r\n';
      expect(statusOf(await post(client.action, 'pf=ENTER', twice))).to.equal(400);
      expect(records()).to.equal(1);
    });

    it('takes submits of both ways in turn', async () => {
      const { client, records } = await openHosted();
      await client.connect();
      const own = `Cookie: ${client.cookie}\r\n`;
      const posted = post(client.action, 'pf=ENTER', `${own}X-Svc-Request-Id: 1 ENTER 11:10:01\r\n`);
      await eventually(() => (records() === 1 ? true : undefined));
      // for the screen before, which is replaced
      client.key(1, 'ENTER');
      const further = post(client.action, 'pf=ENTER', `${own}X-Svc-Request-Id: 2 ENTER 11:10:01\r\n`);
      for (let answered = 1; answered <= 2; answered++) {
        await eventually(() => (records() === answered ? true : undefined));
        await host.send(SCREEN);
      }
      expect(statusOf(await posted)).to.equal(200);
      expect(statusOf(await further)).to.equal(200);
      expect(await client.message(({ k }) => k === 'r')).to.include({ i: 1, e: 'SVC_ERR_SUBMIT_SCREEN' });
      expect(records()).to.equal(2);
      client.cut();
    });

    it('carries out nothing that it cannot answer', async () => {
      const { client, records } = await openHosted();
      const target = client.action.replace('WEB2SUB', 'NOWHERE');
      expect(statusOf(await post(target, 'pf=ENTER', 'Accept: text/html;q=1\r\n'))).to.equal(404);
      expect(records()).to.equal(0);
    });
  });

  it('ends a session whose opener did not wait for it', async () => {
    const ended = () => site.log().match(/"transaction":"LATE".*"end":"disconnected"/g)?.length ?? 0;
    const begun = () => site.log().match(/"transaction":"LATE".*"text":"begun"/g)?.length ?? 0;
    const [before, begunBefore] = [ended(), begun()];
    const connection = await RawConnection.open(port);
    await connection.send(`GET ${PAGE}+LATE HTTP/1.1\r\n${HEAD}\r\n`);
    await eventually(() => (begun() > begunBefore ? true : undefined));
    connection.close();
    await eventually(() => (ended() > before ? true : undefined));
  });

  describe('upgrades', () => {
    it('serves requests that offer another protocol as if they did not', async () => {
      const client = await open();
      const connection = await RawConnection.open(port);
      const answers = (count: number) => connection.until((text) => (text.match(/HTTP\/1\.1 /g) ?? []).length >= count);
      for (let times = 1; times <= 50; times++) {
        await connection.send(`GET ${PAGE}+NONE HTTP/1.1\r\n${HEAD}${H2C}\r\n`);
        await answers(times);
      }
      await connection.send(`POST ${client.action} HTTP/1.1\r\n${HEAD}${FORM}${H2C}Content-Length: 10\r\n\r\npf=N`);
      await connection.send('ULL-PF');
      const text = await connection.until((all) => all.includes('"rows":24'));
      expect(text.match(/HTTP\/1\.1 404 /g)).to.have.length(50);
      expect(text).to.not.include('HTTP/1.1 405');
      connection.close();
    });

    it('answers what came before, first', async () => {
      const client = await open();
      const connection = await RawConnection.open(port);
      const slow = `POST ${client.action} HTTP/1.1\r\n${HEAD}${FORM}Content-Length: 8\r\n\r\npf=ENTER`;
      await connection.send(`${slow}GET ${client.action} HTTP/1.1\r\n${HEAD}${WEBSOCKET}\r\n`);
      const text = await connection.until((all) => all.includes('101 Switching'));
      expect(text.indexOf('HTTP/1.1 200 OK')).to.equal(0);
      connection.close();
    });

    it('refuses handshakes in the shape of every other answer', async () => {
      const { action } = await open();
      for (const wrong of [WEBSOCKET.replace('13', '7'), WEBSOCKET.replace('dGhl', ''), WEBSOCKET.replace('V', 'X')]) {
        const answer = await exchange(port, `GET ${action} HTTP/1.1\r\n${HEAD}${wrong}\r\n`);
        expect(statusOf(answer)).to.equal(400);
        expect(answer).to.include('Server: Sallyport/').and.to.include('Sec-WebSocket-Version: 13');
      }
    });

    it('reads what comes behind one that it refuses, so that no reset overtakes the answer', async () => {
      const { action } = await open();
      for (const [request, status] of [
        [`GET ${PAGE}++SvcSession=nobody HTTP/1.1\r\n${HEAD}${WEBSOCKET}\r\n`, 404],
        [`GET ${action} HTTP/1.1\r\n${HEAD}${WEBSOCKET.replace('13', '7')}\r\n`, 400],
      ] as const) {
        expect(statusOf(await answerBeforeBody(port, request))).to.equal(status);
      }
    });

    it('refuses any number of them, and goes on', async () => {
      const request = `GET ${PAGE}++SvcSession=nobody HTTP/1.1\r\n${HEAD}${WEBSOCKET}\r\n`;
      for (let round = 0; round < rounds(10, 3); round++) {
        const answers = await Promise.all(Array.from({ length: 100 }, () => exchange(port, request)));
        expect(new Set(answers.map(statusOf))).to.deep.equal(new Set([404]));
      }
      expect(statusOf(await get((await open()).action))).to.equal(200);
    });
  });

  describe('WebSockets', () => {
    it('greets a page once', async () => {
      const client = await open();
      await client.connect();
      client.send({ k: 'h' });
      expect((await eventually(() => client.closed)).code).to.equal(1008);
    });

    it('says of no submit that it was carried out where it was not', async () => {
      const { client, records } = await openHosted();
      await client.connect();
      await client.message(({ k }) => k === 'w');
      const others = Array.from({ length: 9 }, () => new ScreenClient(site.url, client.action, client.cookie));
      for (const other of others) {
        await other.connect();
        await other.message(({ k }) => k === 'w');
      }
      // more pages than are remembered: this one has been forgotten
      client.key(1, 'ENTER');
      await eventually(() => client.closed);
      expect(client.messages.some(({ k }) => k === 'a')).to.equal(false);
      expect(records()).to.equal(0);
      const old = client.page;
      await client.connect();
      await eventually(() => (client.page !== old ? true : undefined));
      client.key(1, 'ENTER');
      expect(await client.message(({ k }) => k === 'a')).to.deep.equal({ k: 'a', i: 1 });
      expect(records()).to.equal(1);
      for (const page of [client, ...others]) page.cut();
    });

    it('cuts off a page that asks and does not read', async () => {
      const client = await open();
      const connection = await RawConnection.open(port);
      await connection.send(`GET ${client.action} HTTP/1.1\r\n${HEAD}${WEBSOCKET}\r\n`);
      await connection.until((text) => text.includes('101 Switching'));
      connection.socket.pause();
      await connection.send(frame('{"k":"h"}'));
      let isCut = false;
      connection.socket.once('close', () => {
        isCut = true;
      });
      // each refusal is longer than what it refuses
      const field = `V${'0'.repeat(62)}1`;
      for (let number = 1; !isCut; ) {
        const keys = Array.from({ length: 30 }, () =>
          frame(`{"k":"k","i":${number++},"a":"ENTER","f":{"${field}":"x"}}`),
        );
        await connection.send(Buffer.concat(keys));
        // not faster than the server takes them: a burst is refused for another reason
        expect((await fetch(`${site.url}/`)).status).to.equal(404);
        expect(number).to.be.below(200_000);
      }
      expect(statusOf(await get(client.action))).to.equal(200);
    });

    it('closes on a flood of submits, and carries out nothing behind it', async () => {
      const { client, records } = await openHosted();
      const connection = await RawConnection.open(port);
      await connection.send(`GET ${client.action} HTTP/1.1\r\n${HEAD}${WEBSOCKET}\r\n`);
      await connection.until((text) => text.includes('101 Switching'));
      // the host does not answer the first one, so that the others wait
      const keys = Array.from({ length: 1_000 }, (_, at) => frame(`{"k":"k","i":${at + 1},"a":"ENTER","y":1}`));
      await connection.send(Buffer.concat([frame('{"k":"h"}'), ...keys]));
      const text = await connection.until((all) => all.includes('too many submits'));
      expect(text.match(/"k":"a"/g)?.length ?? 0).to.be.at.most(1);
      await eventually(() => records() > 0 || undefined);
      expect(records()).to.equal(1);
      connection.close();
      // the session is not its page's
      expect(statusOf(await get(client.action))).to.equal(200);
    });
  });

  it('stops at once with open WebSockets', async () => {
    const own = await startSessionSite();
    const clients = await Promise.all(Array.from({ length: 10 }, () => openScreen(own.url, `${PAGE}+CLEAR`)));
    for (const client of clients) await client.connect();
    // it would not end if it waited for a time limit of the stop, or of one of its parts
    const letGo = holdLongTimers(1_000);
    await own.stop().finally(letGo);
    for (const client of clients) expect(await client.message(({ k }) => k === 'e')).to.include({ e: 'stopped' });
  });
});
