import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { expect } from 'chai';
import { refusedConnectionOption } from '../../../src/lines/listener/connection-options.js';
import { InboundLine, type LineRequestListener } from '../../../src/lines/listener/inbound-line.js';
import { codeAsRefusal, lineDefinition, portOf } from './definition.js';
import { exchange, RawConnection, statusOf } from './raw-connection.js';
import { recordingLog } from './recording-log.js';

/** Options for which RFC 9110, section 7.6.1, and older practice know a meaning between two hops. */
const ALLOWED = ['close', 'keep-alive', 'upgrade', 'te', 'trailer', 'http2-settings', 'proxy-connection'];
/** Headers for the server: refused even if the request has none of that name. */
const END_TO_END = [
  'content-length',
  'transfer-encoding',
  'host',
  'cookie',
  'authorization',
  'content-type',
  'sallyport-carried',
  'x-forwarded-for',
  'x-forwarded-proto',
  'expect',
  'origin',
  'sec-fetch-site',
];

describe('the head of a request on a line', () => {
  const { log, lines: logged } = recordingLog();
  const served: IncomingMessage[] = [];
  const upgraded: IncomingMessage[] = [];
  const open: InboundLine[] = [];
  let port = 0;

  const listener: LineRequestListener = (request, response) => {
    served.push(request);
    request.resume().once('end', () => response.end('served'));
  };
  const upgrade = (request: IncomingMessage, socket: Duplex) => {
    upgraded.push(request);
    socket.end('HTTP/1.1 101 Switching Protocols\r\n\r\n');
  };

  async function begin(options: { readonly upgrade?: typeof upgrade } = { upgrade }): Promise<void> {
    const line = new InboundLine(lineDefinition(), listener, log, codeAsRefusal, options);
    open.push(line);
    await line.start();
    port = portOf(line.url);
  }
  beforeEach(() => begin());
  afterEach(async () => {
    for (const line of open.splice(0)) await line.stop(0);
    for (const list of [served, upgraded, logged]) list.length = 0;
  });

  const head = (...headers: readonly string[]) =>
    `GET / HTTP/1.1\r\nHost: x\r\n${headers.map((line) => `${line}\r\n`).join('')}\r\n`;
  const refused = (answer: string) =>
    /^HTTP\/1\.1 400 [\s\S]*\r\nConnection: close\r\n[\s\S]*SVC_ERR_REQUEST_CONNECTION$/.test(answer);

  it('names in Connection what concerns the connection alone', () => {
    for (const option of ALLOWED) {
      for (const value of [option, option.toUpperCase(), ` ${option}\t`, `close,${option}`]) {
        expect(refusedConnectionOption(['Connection', value, option, 'x']), value).to.equal(undefined);
      }
    }
    for (const name of END_TO_END) {
      for (const value of [name, name.toUpperCase(), `close,\t${name}`, `${name} , close`, `,,${name}`]) {
        expect(refusedConnectionOption(['Connection', value]), value).to.equal(name);
      }
      expect(refusedConnectionOption(['Connection', 'close', 'connection', name]), name).to.equal(name);
    }
    // an option that nobody knows: nothing can be removed with it, unless a header has its name
    expect(refusedConnectionOption(['Connection', 'x-mine'])).to.equal(undefined);
    expect(refusedConnectionOption(['Connection', 'x-mine', 'X-MINE', '1'])).to.equal('x-mine');
    // no token (RFC 9110, section 5.6.2): another hop may read another name in it
    for (const value of ['content-length;q=1', '"content-length"', 'content length', 'é', 'x\u000by']) {
      expect(refusedConnectionOption(['Connection', value]), value).to.be.a('string');
    }
  });

  it('is refused with 400, its connection closed, and what was named is in the log, bounded', async () => {
    const body = 'GET /second HTTP/1.1\r\nHost: x\r\n\r\n';
    const bytes = (named: string) => `${head(`Connection: ${named}`, `Content-Length: ${body.length}`)}${body}`;
    expect(refused(await exchange(port, bytes('content-length')))).to.equal(true);
    expect(logged).to.have.length.above(0);
    const [line] = logged.filter(({ msg }) => msg === 'request refused');
    expect(line).to.include({
      code: 'SVC_ERR_REQUEST_CONNECTION',
      detail: 'Connection names content-length',
      remoteAddress: '127.0.0.1',
    });
    const long = `${'x'.repeat(63)}\u009b${'y'.repeat(999)}`;
    await exchange(port, head(`Connection: ${long}`));
    const details = logged.filter(({ msg }) => msg === 'request refused').map(({ detail }) => String(detail));
    expect(details.at(-1)).to.equal(`Connection names ${'x'.repeat(63)}\\`);
    expect(served).to.deep.equal([]);
  });

  it('is refused in its turn, and nothing behind it is answered', async () => {
    const before = 'GET /before HTTP/1.1\r\nHost: x\r\n\r\n';
    const answer = await exchange(port, `${before}${head('Connection: cookie', 'Cookie: a=b')}${before}`);
    expect(answer).to.match(/^HTTP\/1\.1 200 [\s\S]*servedHTTP\/1\.1 400 [\s\S]*SVC_ERR_REQUEST_CONNECTION$/);
  });

  it('is refused where another protocol is asked for, with and without one that is served', async () => {
    const asks = (protocol: string) =>
      exchange(port, head('Connection: Upgrade, cookie', `Upgrade: ${protocol}`, 'Cookie: a=b'));
    for (const protocol of ['websocket', 'h2c']) expect(refused(await asks(protocol)), protocol).to.equal(true);
    await begin({});
    for (const protocol of ['websocket', 'h2c']) expect(refused(await asks(protocol)), protocol).to.equal(true);
    expect([served, upgraded]).to.deep.equal([[], []]);
  });

  it('goes on with options that are allowed, and with unknown ones', async () => {
    for (const named of ['close', 'close, TE', 'close, x-unknown', 'close, Upgrade']) {
      expect(statusOf(await exchange(port, head(`Connection: ${named}`, 'TE: trailers'))), named).to.equal(200);
    }
    expect(statusOf(await exchange(port, head('Connection: Upgrade', 'Upgrade: websocket')))).to.equal(101);
  });

  it('loses the headers that only servers send to each other', async () => {
    const headers = ['Sallyport-Carried: a', 'SALLYPORT-CARRIED: b', 'sallyport-other: c', 'X-Sallyport: d'];
    await exchange(port, head('Connection: close', ...headers));
    await exchange(port, head('Connection: Upgrade', 'Upgrade: websocket', ...headers));
    for (const request of [served[0], upgraded[0]] as IncomingMessage[]) {
      expect(
        request.rawHeaders.filter((_text, at) => at % 2 === 0 && /sallyport/i.test(request.rawHeaders[at] ?? '')),
      ).to.deep.equal(['X-Sallyport']);
      expect(Object.keys(request.headers).filter((name) => name.includes('sallyport'))).to.deep.equal(['x-sallyport']);
      expect(Object.keys(request.headersDistinct).filter((name) => name.startsWith('sallyport'))).to.deep.equal([]);
    }
  });

  it('has a body for a WebSocket neither with a length nor in chunks', async () => {
    for (const framing of ['Content-Length: 1', 'Transfer-Encoding: chunked']) {
      const answer = await exchange(port, head('Connection: Upgrade', 'Upgrade: websocket', framing));
      expect(answer, framing).to.match(/^HTTP\/1\.1 400 [\s\S]*SVC_ERR_REQUEST_SYNTAX$/);
    }
    const empty = head('Connection: Upgrade', 'Upgrade: websocket', 'Content-Length: 0');
    expect(statusOf(await exchange(port, empty))).to.equal(101);
  });

  /** Framing that two hops may read differently. Each row stands for a way to hide a second request in a body. */
  const SECOND = 'GET /second HTTP/1.1\r\nHost: x\r\n\r\n';
  const CHUNKS = `${SECOND.length.toString(16)}\r\n${SECOND}\r\n0\r\n\r\n`;
  const length = `Content-Length: ${SECOND.length}`;
  const refusedFramings: readonly (readonly [name: string, bytes: string])[] = [
    ['two lengths', head(length, 'Content-Length: 0') + SECOND],
    ['the same length twice', head(length, length) + SECOND],
    ['a list of lengths', head('Content-Length: 0, 0') + SECOND],
    ['a length with a sign', head('Content-Length: +0') + SECOND],
    ['a negative length', head('Content-Length: -1') + SECOND],
    ['a length in hexadecimal', head('Content-Length: 0x0') + SECOND],
    ['a length with a blank in it', head('Content-Length: 1 0') + SECOND],
    ['an empty length', head('Content-Length:') + SECOND],
    ['a length of more than 64 bits', head('Content-Length: 99999999999999999999') + SECOND],
    ['a length and chunks', head(length, 'Transfer-Encoding: chunked') + CHUNKS],
    ['chunks and a length', head('Transfer-Encoding: chunked', length) + CHUNKS],
    ['the coding identity', head('Transfer-Encoding: identity') + SECOND],
    ['the coding identity with a length', head('Transfer-Encoding: identity', length) + SECOND],
    ['chunks, then identity', head('Transfer-Encoding: chunked, identity') + CHUNKS],
    ['chunks inside another coding', head('Transfer-Encoding: gzip, chunked') + CHUNKS],
    ['chunks twice', head('Transfer-Encoding: chunked, chunked') + CHUNKS],
    ['chunks in two headers', head('Transfer-Encoding: chunked', 'Transfer-Encoding: chunked') + CHUNKS],
    ['a coding that is nearly chunked', head('Transfer-Encoding: xchunked') + CHUNKS],
    ['a coding in quotation marks', head('Transfer-Encoding: "chunked"') + CHUNKS],
    ['a vertical tab in front of the coding', head('Transfer-Encoding: \u000bchunked') + CHUNKS],
    ['a tab behind the coding', head('Transfer-Encoding: chunked\t') + CHUNKS],
    ['chunks in HTTP/1.0', `POST / HTTP/1.0\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n${CHUNKS}`],
    ['a blank behind a name', head('Content-Length : 0') + SECOND],
    ['a blank behind the name of the coding', head('Transfer-Encoding : chunked') + CHUNKS],
    ['a tab behind a name', head('Transfer-Encoding\t: chunked') + CHUNKS],
    ['a folded header', head('Transfer-Encoding:\r\n chunked') + CHUNKS],
    ['a header that begins with a blank', head(' Transfer-Encoding: chunked') + CHUNKS],
    ['a bare LF between headers', `GET / HTTP/1.1\r\nHost: x\nTransfer-Encoding: chunked\r\n\r\n${CHUNKS}`],
    ['a bare LF behind the head', `GET / HTTP/1.1\r\nHost: x\r\n${length}\n\n${SECOND}`],
    ['a bare CR in a value', head('X: a\rTransfer-Encoding: chunked') + CHUNKS],
    ['a NUL in a value', head('X: a\0b') + SECOND],
    ['a size of a chunk with a sign', `${head('Transfer-Encoding: chunked')}+0\r\n\r\n${SECOND}`],
    ['a size of a chunk in 0x', `${head('Transfer-Encoding: chunked')}0x0\r\n\r\n${SECOND}`],
    ['a size of a chunk with a bare LF', `${head('Transfer-Encoding: chunked')}0\n\r\n${SECOND}`],
    ['a chunk that is longer than its size', `${head('Transfer-Encoding: chunked')}1\r\nab\r\n0\r\n\r\n${SECOND}`],
  ];
  for (const [name, bytes] of refusedFramings) {
    it(`frames its body in one way: ${name}`, async () => {
      const answer = await exchange(port, bytes);
      // the first request may have begun before its body was found malformed; the second one never does
      expect(statusOf(answer), answer).to.equal(400);
      expect(served.map(({ url }) => url)).to.not.include('/second');
    });
  }

  it('frames its body in chunks, however the word is written', async () => {
    for (const coding of ['chunked', 'CHUNKED', ' \tchunked ']) {
      const answer = await exchange(port, head(`Transfer-Encoding: ${coding}`, 'Connection: close') + CHUNKS);
      expect(statusOf(answer), coding).to.equal(200);
    }
    expect(served.map(({ url }) => url)).to.deep.equal(['/', '/', '/']);
  });

  it('is read once, whatever a client expects', async () => {
    const connection = await RawConnection.open(port);
    await connection.send(head('Connection: content-length', 'Expect: 100-continue', length));
    const answer = (await connection.untilClosed()).replace('HTTP/1.1 100 Continue\r\n\r\n', '');
    expect(refused(answer), answer).to.equal(true);
    expect(served).to.deep.equal([]);
  });
});
