import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { expect } from 'chai';
import { InternalLine } from '../../../src/cluster/nodes/internal-line.js';
import type { Framing } from '../../../src/cluster/nodes/passed-headers.js';
import { Seal } from '../../../src/cluster/nodes/seal.js';
import { recordingLog } from '../../lines/listener/recording-log.js';
import { eventually } from '../../support/eventually.js';

const SAID = { line: 'L', client: '192.0.2.1', isOverTls: false, reached: '192.0.2.2' };

/** Bytes on a connection of the internal line that Node's parser would take for a further request. */
describe('a connection of the internal line', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sallyport-early-'));
  const path = join(folder, 'line');
  const { log, lines: logged } = recordingLog();
  const seal = new Seal(async () => Buffer.alloc(32, 7));
  const served: { readonly url: string; readonly body: string; readonly rawHeaders: readonly string[] }[] = [];
  const upgraded: string[] = [];
  const counted: string[] = [];
  /** Answers that the test ends itself. */
  const held: ServerResponse[] = [];
  const sockets: Socket[] = [];
  let line: InternalLine;

  before(() => seal.begin());
  beforeEach(async () => {
    for (const list of [served, upgraded, counted, held, logged]) list.length = 0;
    line = new InternalLine({
      address: { kind: 'unix', path },
      tls: undefined,
      seal,
      mostConnections: 10,
      log,
      onRefused: (reason) => counted.push(reason),
      passedOn: {
        request: async (_carried, request: IncomingMessage, response) => {
          const body = await textOf(request);
          served.push({ url: request.url ?? '', body, rawHeaders: request.rawHeaders });
          if (request.url?.startsWith('/whole')) {
            // the last byte is sent, and the answer ends later: an answer that is read from a file
            held.push(response);
            response.writeHead(200, { 'Content-Length': '5' });
            if (request.method === 'HEAD') response.flushHeaders();
            else response.write('whole');
          } else if (request.url?.startsWith('/hold')) {
            held.push(response);
            response.write('begun');
          } else response.end(`answer to ${request.url}`);
        },
        upgrade: (_carried, request, socket) => {
          upgraded.push(request.url ?? '');
          socket.end('HTTP/1.1 101 Switching Protocols\r\n\r\n');
        },
      },
      loadOf: async () => '{}',
    });
    await line.start();
  });
  afterEach(async () => {
    for (const socket of sockets.splice(0)) socket.destroy();
    await line.stop(0);
  });
  after(() => rmSync(folder, { recursive: true }));

  interface Sealed {
    readonly method?: string;
    readonly framing?: Framing;
    readonly isUpgrade?: boolean;
    /** For which the seal is made; not given: the same. */
    readonly sealedUrl?: string;
    readonly headers?: readonly string[];
    readonly said?: unknown;
  }

  function head(url: string, { method = 'GET', framing = 'none', isUpgrade = false, ...others }: Sealed = {}): string {
    const { sealedUrl = url, headers = [], said = SAID } = others;
    const framed =
      framing === 'none' ? [] : framing === 'chunked' ? ['Transfer-Encoding: chunked'] : [`Content-Length: ${framing}`];
    const carried = seal.close(said, { method, url: sealedUrl, framing, isUpgrade });
    const lines = ['Host: x', ...framed, ...headers, `Sallyport-Carried: ${carried}`];
    return `${method} ${url} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`;
  }

  async function opened() {
    const socket = connect({ path });
    sockets.push(socket);
    let text = '';
    socket
      .on('error', () => {})
      .on('data', (bytes: Buffer) => {
        text += bytes.toString('latin1');
      });
    const closed = once(socket, 'close');
    await once(socket, 'connect');
    const until = async (words: string) => {
      while (!text.includes(words)) await once(socket, 'data');
      return text;
    };
    const send = (bytes: string) => new Promise<void>((resolve) => socket.write(bytes, 'latin1', () => resolve()));
    return { send, until, text: () => text, whole: () => closed.then(() => text) };
  }
  const urls = () => served.map(({ url }) => url);
  const refusals = () =>
    logged.filter(({ msg }) => msg === 'the internal line rejected a connection').map(({ reason }) => reason);
  const EARLY = 'bytes of another request before the answer was sent';
  const UNSEALED = 'a request without a valid seal of a node';

  it('serves requests one after the other, with bodies of every framing', async () => {
    const connection = await opened();
    await connection.send(head('/1'));
    await connection.until('answer to /1');
    await connection.send(head('/2', { method: 'POST', framing: 4 }));
    for (const piece of ['ab', 'cd']) await connection.send(piece);
    await connection.until('answer to /2');
    const chunked = head('/3', { method: 'DELETE', framing: 'chunked' });
    for (const byte of `${chunked}3\r\nefg\r\n0001\r\nh\r\n0\r\n\r\n`) await connection.send(byte);
    await connection.until('answer to /3');
    expect(served.map(({ url, body }) => [url, body])).to.deep.equal([
      ['/1', ''],
      ['/2', 'abcd'],
      ['/3', 'efgh'],
    ]);
    for (const { rawHeaders } of served) expect(rawHeaders.join()).to.not.match(/sallyport/i);
    expect(refusals()).to.deep.equal([]);
  });

  for (const [name, bytes] of [
    ['behind a request without a body', () => head('/hold') + head('/second')],
    ['behind a body of a length', () => `${head('/hold', { method: 'POST', framing: 2 })}ab${head('/second')}`],
    ['behind chunks', () => `${head('/hold', { method: 'PUT', framing: 'chunked' })}0\r\n\r\n${head('/second')}`],
    ['a part of a head', () => `${head('/1')}GET /second HT`],
    ['a line end', () => `${head('/1')}\r\n`],
    ['a trailer', () => `${head('/1', { framing: 'chunked' })}0\r\nX: y\r\n\r\n`],
    ['an extension of a chunk', () => `${head('/1', { framing: 'chunked' })}0;x=y\r\n\r\n`],
    ['a size of nine digits', () => `${head('/1', { framing: 'chunked' })}000000001\r\na\r\n0\r\n\r\n`],
    ['in front of a request', () => `\r\n\r\n${head('/second')}`],
  ] as const) {
    it(`ends where bytes of something else come: ${name}`, async () => {
      const connection = await opened();
      await connection.send(bytes());
      await connection.whole();
      expect(urls()).to.not.include('/second');
      expect(refusals()).to.include(EARLY);
    });
  }

  it('ends where the next request comes while the answer to the last one is under way', async () => {
    const connection = await opened();
    await connection.send(head('/hold'));
    await connection.until('begun');
    await connection.send(head('/second'));
    await connection.whole();
    expect(urls()).to.deep.equal(['/hold']);
    expect(refusals()).to.deep.equal([EARLY]);
    expect(counted).to.deep.equal(['early']);
  });

  for (const method of ['GET', 'HEAD']) {
    it(`keeps the next request until an answer has ended whose bytes are all sent: ${method}`, async () => {
      const connection = await opened();
      await connection.send(head('/whole', { method }));
      await connection.until(method === 'HEAD' ? '\r\n\r\n' : 'whole');
      // the other node has the whole answer and may use the connection again
      const socket = held[0]?.req.socket;
      const before = socket?.bytesRead ?? 0;
      await connection.send(head('/second'));
      await eventually(async () => (socket?.destroyed || (socket?.bytesRead ?? 0) > before ? true : undefined));
      expect(urls()).to.deep.equal(['/whole']);
      for (const response of held) response.end();
      await connection.until('answer to /second');
      expect(urls()).to.deep.equal(['/whole', '/second']);
      expect(refusals()).to.deep.equal([]);
    });
  }

  it('says nothing but 400 to a request without a seal, or with the seal of another one', async () => {
    const unsealed = encodeURIComponent(JSON.stringify(SAID));
    const plain = (method: string, url: string, ...headers: readonly string[]) =>
      `${method} ${url} HTTP/1.1\r\nHost: x\r\n${headers.map((text) => `${text}\r\n`).join('')}\r\n`;
    const forged = [
      plain('GET', '/'),
      plain('GET', '/load/a'),
      plain('GET', '/load/a', `Sallyport-Carried: ${unsealed}`),
      plain('GET', '/x', `Sallyport-Carried: ${unsealed}`),
      plain('GET', '/x', 'Sallyport-Carried: question'),
      head('/x', { sealedUrl: '/y' }),
      head('/x').replace('GET', 'HEAD'),
      head('/x', { isUpgrade: true }),
      head('/x', { said: { line: 'L' } }),
      head('/x', { headers: ['Sallyport-Carried: AQ'] }),
      `${head('/x', { headers: ['Content-Length: 2'] })}ab`,
      `${head('/x', { method: 'POST', framing: 3 }).replace('Content-Length: 3', 'Content-Length: 4')}abcd`,
    ];
    for (const bytes of forged) {
      const connection = await opened();
      await connection.send(bytes);
      expect(await connection.whole(), bytes).to.match(
        /^HTTP\/1\.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\nSallyport-Refused: seal\r\n[\s\S]*\r\n\r\n$/,
      );
    }
    expect(served).to.deep.equal([]);
    // a flood fills no log: the first one is told, the others are counted
    expect(refusals()).to.deep.equal([UNSEALED]);
    expect(counted).to.deep.equal(forged.map(() => 'seal'));
  });

  it('upgrades what a node has sealed as an upgrade, with nothing behind the head', async () => {
    const asks = { headers: ['Connection: Upgrade', 'Upgrade: websocket'] };
    const attempt = async (bytes: string) => {
      const connection = await opened();
      await connection.send(bytes);
      return (await connection.whole()).slice(0, 'HTTP/1.1 101'.length);
    };
    expect(await attempt(head('/ws', { ...asks, isUpgrade: true }))).to.equal('HTTP/1.1 101');
    expect(await attempt(head('/request', asks))).to.equal('HTTP/1.1 400');
    expect(await attempt(head('/question', { ...asks, isUpgrade: true, said: 'question' }))).to.equal('HTTP/1.1 400');
    expect(await attempt(head('/early', { ...asks, isUpgrade: true }) + head('/second'))).to.equal('');
    expect(await attempt(`${head('/body', { ...asks, isUpgrade: true, framing: 2 })}ab`)).to.equal('');
    expect([upgraded, served]).to.deep.equal([['/ws'], []]);
  });
});
