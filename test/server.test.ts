import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { join } from 'node:path';
import { expect } from 'chai';
import pino from 'pino';
import { DemoCurrencyService } from '../src/demo/currency-service/demo-currency-service.js';
import { silentLog } from '../src/lib/log/log.js';
import { eventually } from './support/eventually.js';
import { holdLongTimers } from './support/hold-long-timers.js';
import { type RunningSite, startSite } from './support/site.js';

const KO_RECORD = `1${' '.repeat(96)}`;
/** MAXTIME of the copied scenario, in hundredths of a second. */
const MAXTIME = 60;
const RATE = '/WS1.HTML+WS3?FROMCURRENCY=EUR&TOCURRENCY=USD';

/** The whole server on real sockets: the shipped pages, requests and scenarios, against a real service. */
describe('server', () => {
  const service = new DemoCurrencyService({ host: '127.0.0.1', port: 0, log: silentLog });
  const logLines: string[] = [];
  let serviceUrl = '';
  let site: RunningSite;
  let url = '';

  before(async () => {
    ({ url: serviceUrl } = await service.start());
    const log = pino({ level: 'info' }, { write: (line: string) => logLines.push(line) });
    site = await startSite({ service: new URL(serviceUrl).host, maxTime: MAXTIME, log });
    ({ url } = site);
  });

  after(async () => {
    await site.stop();
    await service.stop();
  });

  async function setFailure(failure: string): Promise<void> {
    const response = await fetch(`${serviceUrl}/demo?failure=${failure}&delay=0`, { method: 'POST' });
    expect(response.ok, failure).to.equal(true);
  }

  async function bodyOf(path: string): Promise<string> {
    const response = await fetch(url + path);
    expect(response.status, path).to.equal(200);
    return response.text();
  }

  it('answers the balance of an account off the screens of the simulated host', async () => {
    const account = (number: string) => fetch(`${url}/WS1.HTML+ACCT?ACCOUNT=${number}`);
    // the master record of the simulated host, in fields of 30 and 15
    const known = await account('10000003');
    expect([known.status, known.headers.get('content-type')]).to.deep.equal([200, 'text/plain']);
    expect(await known.text()).to.equal(`${'KONRAD ZUSE'.padEnd(30)};${'-125.50'.padEnd(15)}`);
    for (const number of ['99999999', '100000031', '1', '']) {
      const { status } = await account(number);
      expect(status, number).to.equal(400);
    }
    expect((await fetch(`${url}/WS1.HTML+ACCT`)).status).to.equal(400);
  });

  it('answers a rate to the byte (specification 2.4, 4.1)', async () => {
    const [head, body] = (await rawRequest(url, `GET ${RATE} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)).split(
      '\r\n\r\n',
    );
    expect(body).to.equal('00.7236');
    const lines = head?.split('\r\n') ?? [];
    expect(lines[0]).to.equal('HTTP/1.1 200 OK');
    expect(lines).to.include('Content-length: 00000007');
    expect(lines).to.include('Content-type: text/html');
    expect(lines).to.include('Expires: 0');
    expect(head).to.match(/^Server: Sallyport\/\d+\.\d+\.\d+$/m);
    expect(head).to.match(/^Date: \w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT$/m);
  });

  it('renders the page with the record in it', async () => {
    expect(await bodyOf('/ws1.html+WS4?FROMCURRENCY=EUR&TOCURRENCY=GBP')).to.include('Answer is 00.7312<');
  });

  it('escapes the input of a client in a page', async () => {
    const page = await bodyOf('/WS1.HTML+WS4?FROMCURRENCY=%3Cb%3E&TOCURRENCY=GBP');
    expect(page).to.include('&lt;b&gt;').and.not.include('<b>');
  });

  it('sends the service one SOAP 1.2 request with both currencies (specification 4.5)', async () => {
    const received: { method: string | undefined; type: string | undefined; body: string }[] = [];
    const http = createServer(async (request, response) => {
      let body = '';
      for await (const chunk of request.setEncoding('utf8')) body += chunk;
      received.push({ method: request.method, type: request.headers['content-type'], body });
      response.end('<Fault/>');
    });
    await withServer(http, async (other) => {
      await fetch(`${other}/WS1.HTML+WS3?FROMCURRENCY=%20E%3CR%20&TOCURRENCY=USD`);
    });
    const [{ method, type, body } = { method: '', type: '', body: '' }, ...further] = received;
    expect([method, type, further]).to.deep.equal(['POST', 'application/soap+xml', []]);
    expect(body.replaceAll(/\s*\n\s*/g, '')).to.equal(
      '<?xml version="1.0" encoding="utf-8"?>' +
        '<soap12:Envelope xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"' +
        ' xmlns:xsd="http://www.w3.org/2001/XMLSchema" xmlns:soap12="http://www.w3.org/2003/05/soap-envelope">' +
        '<soap12:Body><ConversionRate xmlns="urn:sallyport:demo-currency">' +
        '<FromCurrency>E&#60;R</FromCurrency><ToCurrency>USD</ToCurrency>' +
        '</ConversionRate></soap12:Body></soap12:Envelope>',
    );
  });

  it('maps a SOAP 1.2 fault to three areas of 32 characters', async () => {
    const record = await bodyOf('/WS1.HTML+WS3?FROMCURRENCY=EUR&TOCURRENCY=XXX');
    expect(record).to.have.length(97);
    expect(record.slice(0, 33)).to.equal('1soap12:Sender                   ');
    expect(record.slice(33, 65)).to.equal('Unknown currency code XXX       ');
    expect(record.slice(65)).to.equal(`${serviceUrl}/CurrencyConvertor.asmx`.padEnd(32).slice(0, 32));
  });

  it('maps a SOAP 1.1 fault in the same way, and truncates long texts', async () => {
    const fault =
      '<e:Envelope xmlns:e="http://schemas.xmlsoap.org/soap/envelope/"><e:Body><e:Fault>' +
      '<faultcode>e:Server</faultcode><faultstring>a text of more than thirty-two characters</faultstring>' +
      '</e:Fault></e:Body></e:Envelope>';
    await withService(500, 'text/xml; charset=utf-8', fault, async (record) => {
      expect(record).to.equal(`1${'e:Server'.padEnd(32)}a text of more than thirty-two c${' '.repeat(32)}`);
    });
  });

  for (const failure of [
    'silent',
    'reset',
    'oversize',
    'not-xml',
    'redirect',
    'not-found',
    'entity-bomb',
    'depth-bomb',
  ]) {
    it(`answers 1 and 96 blanks within MAXTIME if the service fails: ${failure}`, async () => {
      await setFailure(failure);
      // no limit but MAXTIME's ends it
      const letGo = holdLongTimers(MAXTIME * 10 + 2_000);
      expect(await bodyOf(RATE).finally(letGo)).to.equal(KO_RECORD);
      await setFailure('none');
      expect(await bodyOf(RATE), 'the next request').to.equal('00.7236');
    });
  }

  it('answers 1 and 96 blanks if nothing listens', async () => {
    const closed = createServer();
    await new Promise<void>((resolve) => closed.listen(0, '127.0.0.1', resolve));
    const { port } = closed.address() as AddressInfo;
    await new Promise((resolve) => closed.close(resolve));
    await withSite(`127.0.0.1:${port}`, async (other) => {
      expect(await (await fetch(other + RATE)).text()).to.equal(KO_RECORD);
    });
  });

  it('keeps its memory flat through replies that are too large', async () => {
    await setFailure('oversize');
    await Promise.all(Array.from({ length: 10 }, () => bodyOf(RATE)));
    const before = process.memoryUsage().rss;
    for (let round = 0; round < 8; round++) await Promise.all(Array.from({ length: 10 }, () => bodyOf(RATE)));
    const grown = process.memoryUsage().rss - before;
    await setFailure('none');
    // 80 replies of 3 MiB would be 240 MiB
    expect(grown).to.be.below(120 * 1024 * 1024);
  });

  for (const [what, request, status] of [
    ['an unknown template', 'GET /NONE.HTML+WS3 HTTP/1.1', 404],
    ['an unknown transaction', 'GET /WS1.HTML+NONE HTTP/1.1', 404],
    ['an unknown page', 'GET /NONE.HTML HTTP/1.1', 404],
    ['a malformed path', 'GET //WS1.HTML+WS3 HTTP/1.1', 400],
    ['malformed percent-encoding in the path', 'GET /WS1%zz.HTML+WS3 HTTP/1.1', 400],
    ['malformed percent-encoding in the query', 'GET /WS1.HTML+WS3?A=%e HTTP/1.1', 400],
    ['a NUL', 'GET /WS1%00.HTML+WS3 HTTP/1.1', 400],
    ['a URL of 100 KB', `GET /WS1.HTML+WS3?A=${'x'.repeat(100_000)} HTTP/1.1`, 414],
    ['a DELETE on the scenario path', 'DELETE /WS1.HTML+WS3 HTTP/1.1', 405],
    ['what is not HTTP', 'HELLO', 400],
  ] as const) {
    it(`answers ${status} to ${what}`, async () => {
      const answer = await rawRequest(url, `${request}\r\nHost: x\r\nConnection: close\r\n\r\n`);
      expect(answer.split('\r\n')[0]).to.match(new RegExp(`^HTTP/1.1 ${status} `));
      expect(answer).to.match(/^Server: Sallyport\//m);
      if (status === 405) expect(answer).to.match(/^Allow: GET, HEAD, POST$/m);
      const json = await rawRequest(
        url,
        `${request}\r\nHost: x\r\nAccept: application/json\r\nConnection: close\r\n\r\n`,
      );
      // of these two the Accept header is never read
      if (what !== 'what is not HTTP' && status !== 414)
        expect(json).to.match(/"code":"SVC_ERR_\w+","message":"[^"]+","requestId":"[^"]+"/);
    });
  }

  it('serves the pages of the default configuration', async () => {
    expect(await bodyOf('/')).to.include('Applications');
    expect(await bodyOf('/DEMO.HTML')).to.include('Ask for an exchange rate');
    const style = await fetch(`${url}/w2h/sallyport.css`);
    expect(style.headers.get('content-type')).to.match(/^text\/css/);
    const again = await fetch(`${url}/w2h/sallyport.css`, {
      headers: { 'if-none-match': style.headers.get('etag') ?? '' },
    });
    expect(again.status).to.equal(304);
  });

  it('logs Line, Port, Template, Transaction, Parameters in this order, and no secret', async () => {
    const response = await fetch(`${url}${RATE}&PASSWORD=canary-8Kd2`);
    const requestId = response.headers.get('x-request-id') ?? 'none';
    const line = await eventually(() => logLines.find((each) => each.includes(`"requestId":"${requestId}"`)));
    const logged = JSON.parse(line) as Record<string, unknown>;
    const order = [
      'line',
      'port',
      'template',
      'transaction',
      'parameters',
      'status',
      'bytes',
      'milliseconds',
      'requestId',
    ];
    expect(Object.keys(logged).filter((name) => order.includes(name))).to.deep.equal(order);
    expect(logged).to.include({ line: 'C-HTTP', template: 'WS1.HTML', transaction: 'WS3', status: 200, bytes: 7 });
    expect(logLines.join('\n')).to.not.include('canary-8Kd2');
  });

  it('logs why an outbound call failed, with the id of the request', async () => {
    await setFailure('reset');
    const response = await fetch(url + RATE);
    await setFailure('none');
    const requestId = response.headers.get('x-request-id') ?? 'none';
    const logged = await eventually(() =>
      logLines.find((line) => line.includes(requestId) && line.includes('outbound call failed')),
    );
    expect(JSON.parse(logged)).to.include({ outboundLine: 'O-HTTP', module: 'SCENRATE' });
    expect(logged).to.include(new URL(serviceUrl).host);
  });

  it('assembles a scenario again when it changes, and keeps the last valid version', async () => {
    const file = join(site.folder, 'templates/scenarios/SCENRATE.scn');
    const source = readFileSync(file, 'utf8');
    writeFileSync(file, source.replace("FROM-CONSTANT,'0'", "FROM-CONSTANT,'9'"));
    await eventually(async () => (await bodyOf(RATE)) === '90.7236' || undefined);
    writeFileSync(file, source.replace('ACTION$', 'FROBNICATE$'));
    await eventually(() => logLines.find((line) => line.includes('FROBNICATE$ is not an instruction')));
    expect(await bodyOf(RATE)).to.equal('90.7236');
    writeFileSync(file, source);
    await eventually(async () => (await bodyOf(RATE)) === '00.7236' || undefined);
  });

  it('cancels the outbound call when the client disconnects', async () => {
    let closed = false;
    let arrived = false;
    const slow = createServer((request) => {
      request.socket.on('close', () => {
        closed = true;
      });
      arrived = true;
    });
    await withServer(
      slow,
      async (other) => {
        const { hostname, port } = new URL(other);
        const client = connect(Number(port), hostname);
        client.write(`GET ${RATE} HTTP/1.1\r\nHost: x\r\n\r\n`);
        await eventually(() => arrived || undefined);
        client.destroy();
        // MAXTIME is longer than this test may take
        await eventually(() => closed || undefined);
      },
      60_000,
    );
  });

  /** Serves the site against another service: its URL is handed in. */
  async function withSite(service: string, use: (url: string) => Promise<void>, maxTime = MAXTIME): Promise<void> {
    const other = await startSite({ service, maxTime, log: silentLog });
    try {
      await use(other.url);
    } finally {
      await other.stop();
    }
  }

  async function withServer(http: Server, use: (url: string) => Promise<void>, maxTime = MAXTIME): Promise<void> {
    await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
    try {
      await withSite(`127.0.0.1:${(http.address() as AddressInfo).port}`, use, maxTime);
    } finally {
      http.closeAllConnections();
      http.close();
    }
  }

  async function withService(
    status: number,
    type: string,
    body: string,
    use: (record: string) => Promise<void>,
  ): Promise<void> {
    const http = createServer((_request, response) => response.writeHead(status, { 'content-type': type }).end(body));
    await withServer(http, async (other) => use(await (await fetch(other + RATE)).text()));
  }
});

function rawRequest(url: string, request: string): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = connect(Number(port), hostname, () => socket.write(request));
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.on('close', () => resolve(Buffer.concat(chunks).toString('latin1')));
    socket.on('error', (error) => (chunks.length > 0 ? undefined : reject(error)));
  });
}
