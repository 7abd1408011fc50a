import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { exchange, RawConnection, statusOf } from '../lines/listener/raw-connection.js';
import { needCommand } from '../support/need.js';
import { answerOf, get, openedClientLines, staticPage, templatePage, transaction } from './client-line.js';

const run = promisify(execFile);

describe('client app', () => {
  const open = openedClientLines();

  describe('refusals', () => {
    const secured = transaction('SECURED', { security: 1 });
    const transactions = [
      transaction('WS3'),
      secured,
      transaction('TSO', { applicationType: 1 }),
      transaction('EXT', { applicationType: 3 }),
      transaction('DIR', { applicationType: 4, application: 'OTHER-DIR' }),
      transaction('LINE', { applicationType: 5 }),
      transaction('HIDDEN', { applicationType: 4, application: 'OTHER-DIR', security: 4 }),
    ];
    const pages = {
      'CLI-DIR/WS1.HTML': templatePage('WS1.HTML', 'page'),
      'OTHER-DIR/WS1.HTML': templatePage('WS1.HTML', 'other page'),
    };
    const table: readonly [method: string, path: string, status: number, code: string][] = [
      ['GET', '/WS1.HTML+NOSUCH', 404, 'SVC_ERR_TRANSACTION_UNKNOWN'],
      ['GET', '/NOSUCH.HTML+WS3', 404, 'SVC_ERR_TEMPLATE_UNKNOWN'],
      ['GET', '/NOSUCH.HTML+NOSUCH', 404, 'SVC_ERR_TRANSACTION_UNKNOWN'],
      ['GET', '/WS1.HTML+SECURED', 403, 'SVC_ERR_TRANSACTION_SECURED'],
      ['GET', '/WS1.HTML+TSO', 404, 'SVC_ERR_TRANSACTION_UNAVAILABLE'],
      ['GET', '/WS1.HTML+EXT', 404, 'SVC_ERR_TRANSACTION_UNAVAILABLE'],
      ['GET', '/WS1.HTML+DIR', 404, 'SVC_ERR_TRANSACTION_UNAVAILABLE'],
      ['GET', '/WS1.HTML+LINE', 404, 'SVC_ERR_TRANSACTION_UNAVAILABLE'],
      ['GET', '/nowhere/WS1.HTML', 404, 'SVC_ERR_TEMPLATE_UNKNOWN'],
      ['GET', '/ws3/WS1.HTML', 404, 'SVC_ERR_TEMPLATE_UNKNOWN'],
      ['GET', '/hidden/WS1.HTML', 403, 'SVC_ERR_TRANSACTION_SECURED'],
      ['GET', '/dir/deeper/WS1.HTML', 404, 'SVC_ERR_TEMPLATE_UNKNOWN'],
      ['GET', '/NOSUCH.HTML', 404, 'SVC_ERR_TEMPLATE_UNKNOWN'],
      ['GET', '/', 404, 'SVC_ERR_TEMPLATE_UNKNOWN'],
      ['GET', '/w2h/WS1.HTML++SvcSession=abc', 404, 'SVC_ERR_SESSION_UNKNOWN'],
      ['GET', '/../WS1.HTML', 400, 'SVC_ERR_REQUEST_PATH'],
      ['GET', '/WS1.HTML%00', 400, 'SVC_ERR_REQUEST_PATH'],
      ['GET', '/WS1.HTML%', 400, 'SVC_ERR_REQUEST_ENCODING'],
      ['GET', '/WS1.HTML+WS3?a=%', 400, 'SVC_ERR_REQUEST_ENCODING'],
      ['GET', '/WS1.HTML+WS3?a=%00', 400, 'SVC_ERR_REQUEST_PARAMETERS'],
      ['OPTIONS', '*', 400, 'SVC_ERR_REQUEST_PATH'],
      ['OPTIONS', '/WS1.HTML+WS3', 405, 'SVC_ERR_REQUEST_METHOD'],
      ['PUT', '/WS1.HTML+WS3', 405, 'SVC_ERR_REQUEST_METHOD'],
      ['DELETE', '/WS1.HTML', 405, 'SVC_ERR_REQUEST_METHOD'],
      ['TRACE', '/WS1.HTML', 405, 'SVC_ERR_REQUEST_METHOD'],
    ];
    for (const [method, path, status, code] of table) {
      it(`${method} ${path} → ${status} ${code}, in JSON and in HTML`, async () => {
        const { port } = await open({ transactions, pages });
        const json = await exchange(port, get(path, 'Accept: application/json\r\n', method));
        expect(statusOf(json)).to.equal(status);
        const [head = '', body = ''] = json.split('\r\n\r\n');
        expect(head).to.contain('\r\nContent-type: application/json').and.contain('\r\nServer: Sallyport/9.8.7\r\n');
        expect(head).to.contain('\r\nExpires: 0\r\n').and.contain('\r\nDate: ');
        const parsed = JSON.parse(body);
        expect(parsed.code).to.equal(code);
        expect(Object.keys(parsed)).to.deep.equal(['code', 'message', 'requestId']);
        expect(head).to.contain(`\r\nX-Request-Id: ${parsed.requestId}\r\n`);
        const html = await exchange(port, get(path, 'Accept: text/html\r\n', method));
        expect(statusOf(html)).to.equal(status);
        expect(html).to.contain('\r\nContent-type: text/html\r\n').and.contain('<!DOCTYPE html>');
      });
    }

    it('says which methods are allowed', async () => {
      const { port } = await open({ transactions, pages });
      expect(await exchange(port, get('/WS1.HTML+WS3', '', 'PUT'))).to.contain('\r\nAllow: GET, HEAD, POST\r\n');
      expect(await exchange(port, get('/WS1.HTML', '', 'POST'))).to.contain('\r\nAllow: GET, HEAD\r\n');
    });

    it('sends no body to HEAD', async () => {
      const { port } = await open({ transactions, pages });
      const answer = await exchange(port, get('/NOSUCH.HTML', '', 'HEAD'));
      expect(statusOf(answer)).to.equal(404);
      expect(answer).to.match(/\r\n\r\n$/);
    });

    it('hides everything of a failure of its own but the request id', async () => {
      const { port, logged } = await open({
        runScenario: async () => {
          throw new Error('secret detail <b>');
        },
      });
      for (const accept of ['text/html', 'application/json']) {
        const answer = await exchange(port, get('/WS1.HTML+WS3', `Accept: ${accept}\r\n`));
        expect(statusOf(answer)).to.equal(500);
        const requestId = /\r\nX-Request-Id: ([^\r]+)/.exec(answer)?.[1] ?? 'none';
        const [, body] = answer.split('\r\n\r\n');
        expect(body).to.contain(requestId).and.not.contain('secret').and.not.contain('client-app');
        const line = logged.find((candidate) => candidate.requestId === requestId);
        expect(line).to.include({ level: 50, code: 'SVC_ERR_SERVICE_FAILED' });
        expect(String((line?.err as { stack?: string } | undefined)?.stack))
          .to.contain('secret detail')
          .and.contain('client-app.test');
      }
    });

    it('makes an answer whose headers cannot be sent its own failure', async () => {
      const { port } = await open({ runScenario: async () => answerOf('x', { contentType: 'text/html\r\nX: y' }) });
      const answer = await exchange(port, get('/WS1.HTML+WS3'));
      expect(statusOf(answer)).to.equal(500);
      expect(answer).to.not.contain('X: y');
    });

    it('wants one Host header', async () => {
      const { port } = await open({ pages });
      const status = async (head: string) => statusOf(await exchange(port, `${head}\r\n\r\n`));
      expect(await status('GET /WS1.HTML HTTP/1.1\r\nConnection: close')).to.equal(400);
      expect(await status('GET /WS1.HTML HTTP/1.1\r\nHost: a\r\nhOsT: b\r\nConnection: close')).to.equal(400);
      expect(await status('GET /WS1.HTML HTTP/1.0')).to.equal(200);
    });

    it('wants a Host that can be one (RFC 9112, section 3.2)', async () => {
      const { port } = await open({ pages });
      const status = async (host: string) =>
        statusOf(await exchange(port, `GET /WS1.HTML HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`));
      for (const host of [
        '',
        'a',
        'a.example.',
        'a_b:80',
        'a:',
        '127.0.0.1:41002',
        '[::1]:41002',
        'xn--bcher-kva.example',
      ]) {
        expect(await status(host), host).to.equal(200);
      }
      for (const host of ['a b', 'a/b', 'a:b', 'a:1:2', '::1', 'u@a', 'a?b', '[::1', 'a, b c']) {
        expect(await status(host), host).to.equal(400);
      }
    });

    it('answers what the parser refuses in the same form', async () => {
      const { port } = await open({ pages });
      const answer = await exchange(port, 'nonsense\r\n\r\n');
      expect(statusOf(answer)).to.equal(400);
      expect(answer).to.contain('\r\nServer: Sallyport/9.8.7\r\n').and.contain('<h1>400 Bad Request</h1>');
      expect(answer).to.contain('\r\nExpires: 0\r\n').and.contain('\r\nX-Request-Id: ');
    });

    it('says when to come again to a line that is full', async () => {
      const { port } = await open({ limits: { connections: 1 } });
      const first = await RawConnection.open(port);
      const answer = await exchange(port, get('/'));
      expect(statusOf(answer)).to.equal(503);
      expect(answer).to.contain('\r\nRetry-After: 1\r\n');
      first.close();
    });
  });

  describe('limits', () => {
    const pages = { 'CLI-DIR/WS1.HTML': templatePage('WS1.HTML', 'page') };
    const limits = { urlBytes: 100, headerBytes: 200, bodyBytes: 50 };

    it('accepts a URL at the limit, and rejects one more byte', async () => {
      const { port } = await open({ pages, limits });
      const url = (length: number) => `/WS1.HTML?${'a'.repeat(length - '/WS1.HTML?'.length)}`;
      expect(statusOf(await exchange(port, get(url(100))))).to.equal(200);
      expect(statusOf(await exchange(port, get(url(101))))).to.equal(414);
    });

    it('takes headers at the bound, and not one byte more', async () => {
      const { port } = await open({ pages, limits });
      // Host: x CRLF and Connection: close CRLF are 9 + 19 bytes, X-Long: CRLF another 10
      const headers = (bytes: number) => `X-Long: ${'a'.repeat(bytes - 9 - 19 - 10)}\r\n`;
      expect(get('/', headers(200)).length - 'GET / HTTP/1.1\r\n\r\n'.length).to.equal(200);
      expect(statusOf(await exchange(port, get('/WS1.HTML', headers(200))))).to.equal(200);
      expect(statusOf(await exchange(port, get('/WS1.HTML', headers(201))))).to.equal(431);
    });

    it('takes a body at the bound, and not one byte more', async () => {
      const { port } = await open({ pages, limits });
      const sized = (bytes: number) => get('/WS1.HTML', `Content-Length: ${bytes}\r\n`) + 'a'.repeat(bytes);
      const chunked = (bytes: number) =>
        `${get('/WS1.HTML', 'Transfer-Encoding: chunked\r\n')}${bytes.toString(16)}\r\n${'a'.repeat(bytes)}\r\n0\r\n\r\n`;
      for (const form of [sized, chunked]) {
        expect(statusOf(await exchange(port, form(50)))).to.equal(200);
        expect(statusOf(await exchange(port, form(51)))).to.equal(413);
      }
    });

    it('answers a body that is far too large while it is still coming', async () => {
      const { port } = await open({ pages, limits });
      const connection = await RawConnection.open(port);
      await connection.send('POST /WS1.HTML+WS3 HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000000\r\n\r\n');
      const answer = await connection.until((text) => text.includes('</html>'));
      expect(statusOf(answer)).to.equal(413);
      expect(answer).to.contain('\r\nConnection: close\r\n');
      await connection.send(Buffer.alloc(100_000));
      await connection.untilClosed();
    });

    it('cuts off a slow body with 408', async () => {
      const { port } = await open({ pages, limits: { headerSeconds: 1, requestSeconds: 1 } });
      const answer = await exchange(port, `${get('/WS1.HTML', 'Content-Length: 10\r\n')}abc`);
      expect(statusOf(answer)).to.equal(408);
    });
  });

  describe('pages', () => {
    const pages = {
      'CLI-DIR/CLIWHOST.HTML': templatePage('CLIWHOST.HTML', 'the default page {{{CURRENT-VALUE-OF "X"}}}'),
      'CLI-DIR/STYLE.CSS': staticPage('p {}', 'text/css'),
      'OTHER-DIR/CLIWHOST.HTML': staticPage('other default', 'text/html'),
      'DEEP-DIR/MACROS.JSON': staticPage('[]', 'application/json'),
      'CLI-DIR/MISSING.HTML': templatePage('MISSING.HTML', '{{{SET-HTTP-RETURN-CODE "404 Not in DB2"}}}gone'),
      ...Object.fromEntries(
        ['204', '205', '304'].map((status) => [
          `CLI-DIR/S${status}.HTML`,
          templatePage(`S${status}.HTML`, `{{{SET-HTTP-RETURN-CODE "${status}"}}}no body`),
        ]),
      ),
    };
    const transactions = [
      transaction('w2h', { applicationType: 4, application: 'DEEP-DIR', logonMessage: '/w2h/us?r/' }),
      transaction('W2H', { applicationType: 4, application: 'OTHER-DIR' }),
    ];
    const table: readonly [path: string, expected: string][] = [
      ['/', 'the default page '],
      ['/cliwhost.html', 'the default page '],
      ['/Style.css', 'p {}'],
      ['/w2h/', 'other default'],
      ['/W2h/CliWHost.html', 'other default'],
      ['/w2h/user/macros.json', '[]'],
    ];
    for (const [path, expected] of table) {
      it(`${path} → ${JSON.stringify(expected)}`, async () => {
        const { port } = await open({ pages, transactions });
        const answer = await exchange(port, get(path));
        expect(statusOf(answer)).to.equal(200);
        expect(answer.slice(answer.indexOf('\r\n\r\n') + 4)).to.equal(expected);
      });
    }

    it('gives files caching headers, and 304 to a client that has them', async () => {
      const { port } = await open({ pages });
      const answer = await exchange(port, get('/style.css'));
      expect(answer)
        .to.contain('\r\nETag: "v1"\r\n')
        .and.contain('\r\nLast-Modified: Sun, 01 Mar 2026 12:00:00 GMT\r\n');
      expect(answer).to.contain('\r\nCache-Control: max-age=300\r\n').and.contain('\r\nContent-Type: text/css\r\n');
      const statuses: readonly [header: string, status: number][] = [
        ['If-None-Match: "v1"', 304],
        ['If-None-Match: W/"v1"', 304],
        ['If-None-Match: "v0", "v1"', 304],
        ['If-None-Match: *', 304],
        ['If-None-Match: "v0"', 200],
        ['If-Modified-Since: Sun, 01 Mar 2026 12:00:00 GMT', 304],
        ['If-Modified-Since: Sun, 01 Mar 2026 11:59:59 GMT', 200],
        ['If-Modified-Since: nonsense', 200],
        ['If-None-Match: "v0"\r\nIf-Modified-Since: Sun, 01 Mar 2026 12:00:00 GMT', 200],
      ];
      for (const [header, status] of statuses) {
        const again = await exchange(port, get('/style.css', `${header}\r\n`));
        expect(statusOf(again), header).to.equal(status);
        if (status === 304)
          expect(again)
            .to.match(/\r\n\r\n$/)
            .and.contain('ETag: "v1"');
      }
    });

    it('answers HEAD like GET, without the body', async () => {
      const { port } = await open({ pages });
      const answer = await exchange(port, get('/style.css', '', 'HEAD'));
      expect(statusOf(answer)).to.equal(200);
      expect(answer)
        .to.contain('\r\nContent-Length: 4\r\n')
        .and.match(/\r\n\r\n$/);
    });

    it('sends the status that a template sets', async () => {
      const { port } = await open({ pages });
      expect(await exchange(port, get('/missing.html'))).to.match(/^HTTP\/1\.1 404 Not in DB2\r\n[\s\S]*gone$/);
    });

    it('sends no body with a status that has none', async () => {
      const { port } = await open({ pages });
      for (const [status, length] of [
        ['204', []],
        ['205', ['Content-Length: 0']],
        ['304', []],
      ] as const) {
        const answer = await exchange(port, get(`/s${status}.html`));
        expect(answer).to.match(new RegExp(`^HTTP/1\\.1 ${status} [\\s\\S]*\\r\\n\\r\\n$`));
        expect([...answer.matchAll(/^content-length: \d+/gim)].map(([line]) => line)).to.deep.equal(length);
      }
    });

    it('takes the absolute form', async () => {
      const { port } = await open({ pages });
      expect(statusOf(await exchange(port, get('http://host.test/style.css')))).to.equal(200);
    });

    it('is understood by curl', async function () {
      needCommand(this, 'curl');
      const { url } = await open({ pages });
      const { stdout } = await run('curl', ['-sS', '-w', '\n%{http_code} %{content_type}', `${url}/style.css`]);
      expect(stdout).to.equal('p {}\n200 text/css');
    });
  });

  describe('the log', () => {
    it('has one line for a request, its members in order', async () => {
      const { port, logged, logTexts } = await open({ runScenario: async () => answerOf('00.7236') });
      await exchange(port, get('/ws1.html+ws3?FROMCURRENCY=EUR&TOCURRENCY=USD'));
      const index = logged.findIndex(({ msg }) => msg === 'request');
      const { time, milliseconds, requestId, ...rest } = logged[index] ?? {};
      expect(rest).to.deep.equal({
        level: 30,
        line: 'C-HTTP',
        port,
        template: 'ws1.html',
        transaction: 'ws3',
        parameters: 'FROMCURRENCY=EUR&TOCURRENCY=USD',
        status: 200,
        bytes: 7,
        remoteAddress: '127.0.0.1',
        method: 'GET',
        msg: 'request',
      });
      expect(time).to.match(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
      expect(milliseconds).to.be.a('number');
      expect(requestId).to.be.a('string');
      const members = [...(logTexts[index] ?? '').matchAll(/"(\w+)":/g)].map(([, name]) => name);
      const order =
        'line port template transaction parameters status bytes milliseconds requestId remoteAddress method';
      expect(members.slice(members.indexOf('line'))).to.deep.equal([...order.split(' '), 'msg']);
    });

    for (const [query, shown] of [
      ['A=1%26B%3D2&C=3', 'A=1%26B=2&C=3'],
      ['A%26B=1&A%3DB=2', 'A%26B=1&A%3DB=2'],
      ['A=1%2526B&C=50%25', 'A=1%2526B&C=50%25'],
      ['b=1&a=x%20y+z&b=%C3%A9', 'b=1&a=x y z&b=é'],
      ['=x&y', '=x&y='],
      // not UTF-8, or no percent-encoding at all: as it was received
      ['A=Z%FCrich&B=%C3%BC', 'A=Z%FCrich&B=ü'],
      ['A=100%&B%ZZ=1', 'A=100%&B%ZZ=1'],
      ['%50ASSWORD=hunter2&%50ASSWORD%FF=hunter2&PASSW%D6RT=hunter2', 'PASSWORD=***&%50ASSWORD%FF=***&PASSW%D6RT=***'],
      ['PASSWORD=hunter2%FF&A=1', 'PASSWORD=***&A=1'],
    ] as const) {
      it(`shows ${query} as ${shown}`, async () => {
        const { port, logged, logTexts } = await open({ runScenario: async () => answerOf('x') });
        await exchange(port, get(`/ws1.html+ws3?${query}`));
        expect(logged.find(({ msg }) => msg === 'request')?.parameters).to.equal(shown);
        expect(logTexts.join()).not.to.contain('hunter2');
      });
    }

    for (const [target, status] of [
      ['/ws1%ZZ.html+ws3?A=1&B=2', 400],
      ['/ws1.html+ws3?A=1&B=2&C=%FF', 400],
      ['/a\\b?A=1&B=2', 400],
      ['http://host.test/none.html?A=1&B=2', 404],
    ] as const) {
      it(`shows the parameters of ${target}, which is refused`, async () => {
        const { port, logged } = await open({ runScenario: async () => answerOf('x') });
        expect(statusOf(await exchange(port, get(target)))).to.equal(status);
        expect(logged.find(({ msg }) => msg === 'request')?.parameters).to.match(/^A=1&B=2/);
      });
    }

    it('never shows secrets', async () => {
      const { port, logTexts } = await open({ runScenario: async () => answerOf('x') });
      await exchange(port, get('/WS1.HTML+WS3?PASSWORD=hunter2&newPin=hunter2&api_key=hunter2&SvcSession=hunter2&a=b'));
      const words = ['pw', 'newPw2', 'PSWD', 'kennwort', 'mdp', 'contraseña', 'Şifre', 'hasło', 'пароль', 'パスワード'];
      const query = words.map((word) => `${encodeURIComponent(word)}=hunter2`).join('&');
      await exchange(port, get(`/WS1.HTML+WS3?${query}&upward=b`));
      await exchange(port, get('/w2h/WS1.HTML++SvcSession=hunter2'));
      await exchange(port, get('/WS1.HTML+WS3+SvcUserSignon=hunter2'));
      expect(logTexts.join('')).to.not.contain('hunter2');
      expect(logTexts.join('')).to.contain('PASSWORD=***&newPin=***&api_key=***&SvcSession=***&a=b');
      expect(logTexts.join('')).to.contain(`${words.map((word) => `${word}=***`).join('&')}&upward=b`);
    });

    it('cuts long values and long lists', async () => {
      const { port, logged } = await open({ runScenario: async () => answerOf('x') });
      await exchange(port, get(`/WS1.HTML+WS3?a=${'x'.repeat(200)}&b=${'y'.repeat(201)}`));
      await exchange(port, get(`/WS1.HTML+WS3?${'p=1&'.repeat(50)}`));
      await exchange(port, get(`/WS1.HTML+WS3?${'p=1&'.repeat(51)}`));
      const shown = logged.filter(({ msg }) => msg === 'request').map(({ parameters }) => String(parameters));
      expect(shown).to.deep.equal([
        `a=${'x'.repeat(200)}&b=${'y'.repeat(200)}…`,
        Array(50).fill('p=1').join('&'),
        `${Array(50).fill('p=1').join('&')}&…`,
      ]);
    });
  });
});
