import { expect } from 'chai';
import type { StopSignal } from '../../src/lib/stop-signal.js';
import type { ScenarioOutcome, ScenarioRequest } from '../../src/scenarios/scenario-outcome.js';
import { exchange, RawConnection, statusOf } from '../lines/listener/raw-connection.js';
import { answerOf, get, openedClientLines, templatePage, transaction } from './client-line.js';

describe('scenario requests to a client line', () => {
  const open = openedClientLines();

  it('answers with exactly the bytes of specification 4.1', async () => {
    const { port } = await open({ runScenario: async () => answerOf('00.7236') });
    const answer = await exchange(port, get('/WS1.HTML+WS3?FROMCURRENCY=EUR&TOCURRENCY=USD'));
    expect(answer).to.match(
      new RegExp(
        '^HTTP/1\\.1 200 OK\\r\\n' +
          'Server: Sallyport/9\\.8\\.7\\r\\n' +
          'Date: [A-Z][a-z]{2}, \\d{2} [A-Z][a-z]{2} \\d{4} \\d{2}:\\d{2}:\\d{2} GMT\\r\\n' +
          'Expires: 0\\r\\n' +
          'Content-length: 00000007\\r\\n' +
          'Content-type: text/html\\r\\n' +
          'X-Request-Id: [0-9a-z]+-[0-9a-z]+\\r\\n' +
          'X-Content-Type-Options: nosniff\\r\\n' +
          'Referrer-Policy: same-origin\\r\\n' +
          "Content-Security-Policy: default-src 'none'; sandbox\\r\\n" +
          'Connection: close\\r\\n' +
          '\\r\\n00\\.7236$',
      ),
    );
  });

  it('gives the scenario all facts about the request', async () => {
    const requests: ScenarioRequest[] = [];
    const { port } = await open({
      runScenario: async (named, request) => {
        expect(named.name).to.equal('CLI-WS3');
        requests.push(request);
        return answerOf('');
      },
    });
    await exchange(port, get('/ws1.html+ws3+data?a=1&a=2&b=%E2%82%AC', 'X-Thing: y\r\n'));
    const [request] = requests;
    expect([...(request?.parameters ?? [])]).to.deep.equal([
      ['a', ['1', '2']],
      ['b', ['€']],
    ]);
    expect(request).to.deep.include({
      method: 'GET',
      path: '/ws1.html+ws3+data',
      query: 'a=1&a=2&b=%E2%82%AC',
      directory: 'CLI-DIR',
      body: undefined,
    });
    expect(request?.headers['x-thing']).to.equal('y');
    expect(request?.names.get('DATE-TIME')).to.match(/^\d{14}$/);
    const expectedNames = {
      'LINE-INTERNAL': 'C-HTTP',
      'LINE-EXTERNAL': 'HTTP-CLI',
      'ENTRY-POINT': 'CLIWHOST',
      'USER-IP-ADDRESS': '127.0.0.1',
      'TRANSACTION-INTERNAL': 'CLI-WS3',
      'TRANSACTION-EXTERNAL': 'WS3',
      URL: '/ws1.html+ws3+data',
      QUERY: 'a=1&a=2&b=%E2%82%AC',
      PAGE: 'ws1.html',
      'PAGE-INTERNAL': 'WS1.HTML',
      DIRECTORY: 'CLI-DIR',
      'SVC-VERSION': '9.8.7',
    };
    for (const [item, value] of Object.entries(expectedNames)) {
      expect(request?.names.get(item), item).to.equal(value);
    }
  });

  it('renders the template of the URL, or the one that the run names', async () => {
    const pages = {
      'CLI-DIR/WS1.HTML': templatePage('WS1.HTML', '<p>{{{CURRENT-VALUE-OF "CANSWER"}}}</p>'),
      'CLI-DIR/OTHER.HTML': templatePage('OTHER.HTML', 'other {{{NAME-OF (TRANSACTION-EXTERNAL)}}}'),
    };
    let page: string | undefined;
    const { port } = await open({
      pages,
      runScenario: async () => ({
        kind: 'page',
        page,
        valuesOf: (name) => (name === 'CANSWER' ? ['00.7236'] : undefined),
        trace: undefined,
        codePage: undefined,
      }),
    });
    const rendered = await exchange(port, get('/WS1.HTML+WS3'));
    expect(rendered).to.contain('<p>00.7236</p>').and.contain('\r\nContent-type: text/html\r\n');
    expect(rendered)
      .to.contain('\r\nExpires: 0\r\n')
      .and.match(/\r\nContent-length: \d{8}\r\n/);
    page = 'other.html';
    expect(await exchange(port, get('/WS1.HTML+WS3'))).to.match(/other WS3$/);
    page = 'missing.html';
    expect(statusOf(await exchange(port, get('/WS1.HTML+WS3')))).to.equal(404);
  });

  it('renders without a run if the connection script does not start one', async () => {
    const { port } = await open({ transactions: [transaction('WS3', { tioaAtLogon: '' })] });
    expect(await exchange(port, get('/WS1.HTML+WS3'))).to.match(/<p><\/p>$/);
  });

  it('lets an answer expire at the end of the day', async () => {
    const { port } = await open({ runScenario: async () => answerOf('x', { expires: 'endOfDay' }) });
    const answer = await exchange(port, get('/WS1.HTML+WS3'));
    const expires = new Date(/\r\nExpires: ([^\r]+)/.exec(answer)?.[1] ?? '');
    expect([expires.getHours(), expires.getMinutes(), expires.getSeconds()]).to.deep.equal([0, 0, 0]);
    expect(expires.getTime()).to.be.greaterThan(Date.now() - 60_000);
    expect(expires.getTime() - Date.now()).to.be.lessThan(25 * 3_600_000 + 1);
  });

  it('names an attachment as RFC 6266 says', async () => {
    const { port } = await open({ runScenario: async () => answerOf('x', { fileName: '€ "rates".csv' }) });
    const answer = await exchange(port, get('/WS1.HTML+WS3'));
    // RFC 8187 section 3.2.2 has %e2%82%ac for the euro sign
    expect(answer).to.contain(
      `\r\nContent-Disposition: attachment; filename="_ _rates_.csv"; filename*=UTF-8''%E2%82%AC%20%22rates%22.csv\r\n`,
    );
    const nameless = await open({ runScenario: async () => answerOf('x', { fileName: '' }) });
    expect(await exchange(nameless.port, get('/WS1.HTML+WS3'))).to.contain('\r\nContent-Disposition: attachment\r\n');
  });

  it('sends large and binary bodies as they are', async () => {
    for (const length of [0, 255, 16_384, 16_385, 3_000_000]) {
      const body = Buffer.from(Array.from({ length }, (_, index) => index % 256));
      const { port } = await open({ runScenario: async () => answerOf('', { body } as Partial<ScenarioOutcome>) });
      const answer = await exchange(port, get('/WS1.HTML+WS3'));
      expect(answer.slice(answer.indexOf('\r\n\r\n') + 4) === body.toString('latin1'), `${length}`).to.equal(true);
      expect(answer).to.contain(`\r\nContent-length: ${String(length).padStart(8, '0')}\r\n`);
    }
  });

  it('stops the run when its client goes away', async () => {
    let started: (() => void) | undefined;
    const running = new Promise<void>((resolve) => {
      started = resolve;
    });
    let aborted: (() => void) | undefined;
    const stopped = new Promise<void>((resolve) => {
      aborted = resolve;
    });
    const { port, logged } = await open({
      runScenario: (_transaction, _request, signal) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => {
            reject(new Error('stopped'));
            aborted?.();
          });
          started?.();
        }),
    });
    const connection = await RawConnection.open(port);
    await connection.send(get('/WS1.HTML+WS3'));
    await running;
    connection.close();
    await stopped;
    const isRequest = ({ msg }: Readonly<Record<string, unknown>>) => msg === 'request';
    while (!logged.some(isRequest)) await new Promise((resolve) => setImmediate(resolve));
    expect(logged.find(isRequest)).to.include({ abandoned: true, status: 499, bytes: 0, level: 30 });
  });

  it('does not abort the run of a client that waits', async () => {
    const signals: StopSignal[] = [];
    const { port } = await open({
      runScenario: async (_transaction, _request, signal) => {
        signals.push(signal);
        return answerOf('x');
      },
    });
    expect(statusOf(await exchange(port, get('/WS1.HTML+WS3')))).to.equal(200);
    expect(signals.map(({ aborted }) => aborted)).to.deep.equal([false]);
  });

  it('cuts off a client that does not read its answer', async () => {
    const body = Buffer.alloc(20_000_000);
    const { line, port, logged } = await open({
      limits: { requestSeconds: 1 },
      runScenario: async () => answerOf('', { body } as Partial<ScenarioOutcome>),
    });
    const connection = await RawConnection.open(port);
    connection.socket.pause();
    const closed = new Promise((resolve) => connection.socket.once('close', resolve));
    await connection.send(get('/WS1.HTML+WS3'));
    while (!logged.some(({ msg }) => msg === 'request')) await new Promise((resolve) => setImmediate(resolve));
    // resolves when the connection is gone
    await line.stop(60_000);
    connection.socket.resume();
    await closed;
    expect(connection.text.length).to.be.lessThan(body.length);
  });
});
