import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import { type AddressInfo, createServer as createSocketServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { expect } from 'chai';
import { NodeLine, sendBody } from '../../../src/cluster/nodes/node-line.js';
import { passedHeaders } from '../../../src/cluster/nodes/passed-headers.js';
import { Seal } from '../../../src/cluster/nodes/seal.js';
import { RawConnection } from '../../lines/listener/raw-connection.js';

const CARRIED = { line: 'C-HTTP', client: '192.0.2.1', isOverTls: false, reached: '192.0.2.2' };
const BODY = 'GET /second HTTP/1.1\r\nHost: x\r\n\r\n';

/** What one node sends to another, byte by byte: each body has one framing, which is that of its bytes. */
describe('the framing between two hops', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sallyport-framing-'));
  const path = join(folder, 'node.sock');
  const seal = new Seal(async () => Buffer.alloc(32, 7));
  const patience = { silenceMilliseconds: 60_000, answerMilliseconds: 60_000 };
  let line: NodeLine;
  let node: Server;
  let front: ReturnType<typeof createServer>;
  let connections: Socket[] = [];
  let received = '';

  before(() => seal.begin());
  beforeEach(async () => {
    received = '';
    connections = [];
    line = new NodeLine({ kind: 'unix', path }, undefined, patience, seal);
    node = createSocketServer((socket) => {
      connections.push(socket);
      socket
        .on('error', () => {})
        .on('data', (bytes) => {
          received += bytes.toString('latin1');
        });
    }).listen(path);
    front = createServer((incoming, response) => {
      const whenGone = (leave: () => void) => response.once('close', () => response.writableFinished || leave());
      line.pass(incoming, CARRIED, { whenGone }).then(
        async (answer) => response.writeHead(answer.statusCode ?? 0).end(Buffer.concat(await answer.toArray())),
        () => response.destroy(),
      );
    }).listen(0, '127.0.0.1');
    await Promise.all([once(node, 'listening'), once(front, 'listening')]);
  });
  afterEach(async () => {
    line.close();
    for (const socket of connections) socket.destroy();
    front.closeAllConnections();
    await Promise.all([once(node.close(), 'close'), once(front.close(), 'close')]);
  });
  after(() => rmSync(folder, { recursive: true }));

  async function sent(
    request: string,
    untilEnd: string,
  ): Promise<{ readonly framing: readonly string[]; readonly body: string }> {
    const client = await RawConnection.open((front.address() as AddressInfo).port);
    await client.send(request);
    while (!received.includes('\r\n\r\n') || !received.endsWith(untilEnd))
      await new Promise((resolve) => setImmediate(resolve));
    connections.at(-1)?.write('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n');
    await client.until((text) => text.includes('\r\n\r\n'));
    client.close();
    const end = received.indexOf('\r\n\r\n');
    const framing = received
      .slice(0, end)
      .split('\r\n')
      .filter((text) => /^(content-length|transfer-encoding):/i.test(text));
    return { framing, body: received.slice(end + 4) };
  }

  const CHUNKED = `${BODY.length.toString(16)}\r\n${BODY}\r\n0\r\n\r\n`;
  for (const method of ['GET', 'HEAD', 'DELETE', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'PROPFIND']) {
    it(`has a length for a body of a length, whatever Connection names: ${method}`, async () => {
      for (const named of ['keep-alive', 'content-length', 'transfer-encoding, Content-Length']) {
        const length = `Content-Length: ${BODY.length}`;
        const head = `${method} /a HTTP/1.1\r\nHost: x\r\nConnection: ${named}\r\n${length}\r\n\r\n`;
        received = '';
        expect(await sent(head + BODY, BODY), named).to.deep.equal({ framing: [length], body: BODY });
      }
    });

    it(`has chunks for chunks, and none or no bytes for no body: ${method}`, async () => {
      const head = `${method} /a HTTP/1.1\r\nHost: x\r\nConnection: transfer-encoding\r\n`;
      const chunks = await sent(`${head}Transfer-Encoding: Chunked\r\n\r\n${CHUNKED}`, '0\r\n\r\n');
      expect(chunks).to.deep.equal({ framing: ['Transfer-Encoding: chunked'], body: CHUNKED });
      received = '';
      const isBodiless = ['GET', 'HEAD', 'DELETE', 'OPTIONS'].includes(method);
      const none = await sent(`${head}\r\n`, '\r\n\r\n');
      expect(none).to.deep.equal({ framing: isBodiless ? [] : ['Content-Length: 0'], body: '' });
    });
  }

  it('ends a connection whose body ends earlier or later than its length says', async () => {
    for (const [length, pieces] of [
      [3, ['ab']],
      [3, ['ab', 'cd']],
      ['none', ['a']],
      [0, ['a']],
    ] as const) {
      const [incoming, outgoing] = [new PassThrough(), new PassThrough()];
      outgoing.on('error', () => {});
      sendBody(incoming, outgoing, length);
      for (const piece of pieces) incoming.write(piece);
      // one that is longer is ended before it ends
      if (pieces.join('').length < Number(length)) incoming.end();
      await new Promise((resolve) => outgoing.once('close', resolve));
      expect(outgoing.readableEnded, `${length}: ${pieces}`).to.equal(false);
      expect(outgoing.destroyed).to.equal(true);
    }
    const [incoming, outgoing] = [new PassThrough(), new PassThrough()];
    sendBody(incoming, outgoing, 3);
    incoming.end('abc');
    expect(Buffer.concat(await outgoing.toArray()).toString()).to.equal('abc');
  });

  it('is not that of an answer that nobody has asked for: it ends its connection', async () => {
    const port = (front.address() as AddressInfo).port;
    const ask = async (answer: string) => {
      const client = await RawConnection.open(port);
      received = '';
      await client.send('GET /a HTTP/1.1\r\nHost: x\r\n\r\n');
      while (!received.endsWith('\r\n\r\n')) await new Promise((resolve) => setImmediate(resolve));
      connections.at(-1)?.write(`HTTP/1.1 200 OK\r\nContent-Length: ${answer.length}\r\n\r\n${answer}`);
      const text = await client.until((all) => all.includes(answer));
      client.close();
      return text;
    };
    await ask('first');
    const [first] = connections;
    const closed = once(first as Socket, 'close');
    // of a node that says more than it was asked for
    first?.write('HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\npoison');
    await closed;
    expect(await ask('second')).to.not.include('poison');
    expect(connections).to.have.length(2);
    await ask('third');
    expect(connections, 'a connection is used again').to.have.length(2);
  });

  it('is the one that is said, at the place of a length, whatever the message and its Connection say', () => {
    const rawHeaders = [
      'Server',
      's',
      'Content-Length',
      '7',
      'X',
      '1',
      'content-length',
      '8',
      'Transfer-Encoding',
      'x',
    ];
    const hops = ['Keep-Alive', 't', 'Upgrade', 'u', 'TE', 'v', 'Trailer', 'w', 'Expect', 'z', 'Sallyport-Any', 'a'];
    const message = (connection: string) =>
      ({ rawHeaders: [...rawHeaders, ...hops, 'Connection', connection], headers: { connection } }) as Pick<
        IncomingMessage,
        'rawHeaders' | 'headers'
      >;
    for (const connection of ['close', 'content-length', 'Transfer-Encoding, content-length']) {
      const kept = message(connection);
      expect(passedHeaders(kept, 5)).to.deep.equal(['Server', 's', 'Content-Length', '5', 'X', '1']);
      expect(passedHeaders(kept, 'none')).to.deep.equal(['Server', 's', 'X', '1']);
      expect(passedHeaders(kept, 'chunked')).to.deep.equal(['Server', 's', 'X', '1', 'Transfer-Encoding', 'chunked']);
    }
    expect(passedHeaders(message('x, keep-alive'), 'none')).to.deep.equal(['Server', 's']);
    expect(passedHeaders({ rawHeaders: ['A', 'b'], headers: {} }, 0)).to.deep.equal(['A', 'b', 'Content-Length', '0']);
  });
});
