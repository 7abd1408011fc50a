import type { Socket } from 'node:net';
import { expect } from 'chai';
import type { OutboundLines } from '../../../src/scenarios/outbound/outbound-line.js';
import { freePort } from '../../support/free-port.js';
import { failureOf, noSignal, openLine, post } from './outbound-fixture.js';
import { RawServer, response } from './raw-server.js';

describe('an outbound call fails', () => {
  let server: RawServer;
  let port: number;
  let lines: OutboundLines;
  let answer: (socket: Socket, request: string) => void;

  beforeEach(async () => {
    answer = () => {};
    server = new RawServer((socket, request) => answer(socket, request));
    port = await server.listen();
    lines = openLine();
  });
  afterEach(async () => {
    await lines.close(0);
    await server.close();
  });

  const call = (changes = {}, maxTime?: number, signal = noSignal()) =>
    lines.call('O-HTTP', post(`127.0.0.1:${port}`, changes), maxTime, signal);

  /** The next call works, on a connection of its own. */
  async function expectRecovery(): Promise<void> {
    const connections = server.sockets.length;
    answer = (socket) => socket.write(response('<ok/>'));
    expect((await call()).body.toString()).to.equal('<ok/>');
    expect(server.sockets).to.have.length(connections + 1);
  }

  it('on a line that does not exist', async () => {
    const failure = await failureOf(lines.call('X-HTTP', post('127.0.0.1:1'), undefined, noSignal()));
    expect(failure.reason).to.equal('unknown line');
  });

  it('where the connection is refused', async () => {
    const closedPort = await freePort();
    const failure = await failureOf(lines.call('O-HTTP', post(`127.0.0.1:${closedPort}`), undefined, noSignal()));
    expect(failure.reason).to.equal('refused');
    expect(failure.message).to.contain(`line O-HTTP, site 127.0.0.1:${closedPort}`).and.contain('ECONNREFUSED');
  });

  it('where the host name is unknown', async () => {
    // RFC 6761: no name under .invalid exists; without a resolver the look-up itself fails
    const failure = await failureOf(lines.call('O-HTTP', post('host.invalid:80'), undefined, noSignal()));
    expect(failure.reason).to.equal('unreachable');
  });

  it('if MAXTIME expires without a reply', async () => {
    const begin = performance.now();
    expect((await failureOf(call({}, 100))).reason).to.equal('time');
    // a timer of Node may be a millisecond early by the other clock
    expect(performance.now() - begin).to.be.at.least(98);
    await server.deserted();
    await expectRecovery();
  });

  it('if MAXTIME expires during a slow reply', async () => {
    answer = (socket) => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n');
      const trickle = setInterval(() => socket.write('x'), 5);
      socket.once('close', () => clearInterval(trickle));
    };
    expect((await failureOf(call({}, 100))).reason).to.equal('time');
    await server.deserted();
    await expectRecovery();
  });

  it('where the signal is aborted under way', async () => {
    const controller = new AbortController();
    const failure = failureOf(call({}, undefined, controller.signal));
    await server.received(1);
    controller.abort();
    expect((await failure).reason).to.equal('aborted');
    await server.deserted();
    await expectRecovery();
  });

  it('where the signal was aborted before, and sends nothing', async () => {
    expect((await failureOf(call({}, undefined, AbortSignal.abort()))).reason).to.equal('aborted');
    expect(server.sockets).to.deep.equal([]);
  });

  const brokenReplies: Readonly<Record<string, (socket: Socket) => void>> = {
    'a connection that is reset before the reply': (socket) => socket.resetAndDestroy(),
    'a connection that is closed before the reply': (socket) => socket.end(),
    'a connection that is reset in the midst of the reply': (socket) =>
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n<part', () => socket.resetAndDestroy()),
    'a reply that is shorter than it says': (socket) =>
      socket.end('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n<part'),
    'chunks that do not end': (socket) =>
      socket.end('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n<part\r\n'),
    'a head that does not end': (socket) => socket.end('HTTP/1.1 200 OK\r\nContent-'),
    'what is not HTTP': (socket) => socket.write('SSH-2.0-OpenSSH_9.2\r\n'),
    'a length that is not a number': (socket) => socket.write('HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n'),
    'length and chunks at once': (socket) =>
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'),
    'another protocol than was asked for': (socket) =>
      socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n'),
  };
  for (const [what, act] of Object.entries(brokenReplies)) {
    it(`on ${what}, and sends nothing again`, async () => {
      answer = act;
      expect((await failureOf(call({}, 5000))).reason).to.equal('reply broken');
      expect(server.requests).to.have.length(1);
      await expectRecovery();
    });
  }

  describe('on a reply over the bound', () => {
    const chunked = (body: string) =>
      `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;
    const untilTheEnd = (body: string) => `HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n${body}`;

    const forms: Readonly<Record<string, (socket: Socket, body: string) => void>> = {
      'with its length': (socket, body) => socket.write(response(body)),
      'in chunks': (socket, body) => socket.write(chunked(body)),
      'to the end of the connection': (socket, body) => socket.end(untilTheEnd(body)),
    };
    for (const [form, send] of Object.entries(forms)) {
      it(`${form}: at the bound it is delivered, one byte past it fails`, async () => {
        lines = openLine({ limits: { replyBytes: 70_000 } });
        answer = (socket) => send(socket, 'x'.repeat(70_000));
        expect((await call()).body).to.have.length(70_000);
        answer = (socket) => send(socket, 'x'.repeat(70_001));
        const failure = await failureOf(call());
        expect(failure.reason).to.equal('reply size');
        expect(failure.message).to.contain('70000 bytes');
        await server.deserted();
        await expectRecovery();
      });
    }

    it('of 3 MiB, by the default of 1 MiB', async () => {
      answer = (socket) => socket.write(chunked('x'.repeat(3 * 1024 * 1024)));
      expect((await failureOf(call())).reason).to.equal('reply size');
      await server.deserted();
    });

    it('in its headers', async () => {
      lines = openLine({ limits: { replyHeaderBytes: 1000 } });
      // names and values count: `X-Long`, `Content-Length` and `5` are 21
      const head = (bytes: number) => `X-Long: ${'x'.repeat(bytes - 21)}`;
      answer = (socket) => socket.write(response('<ok/>', 'HTTP/1.1 200 OK', head(1000)));
      expect((await call()).status).to.equal(200);
      answer = (socket) => socket.write(response('<ok/>', 'HTTP/1.1 200 OK', head(1001)));
      expect((await failureOf(call())).reason).to.equal('reply headers');
      await expectRecovery();
    });
  });

  it('and says where and why, but nothing of the request or the reply', async () => {
    answer = (socket) => socket.write('HTTP/1.1 200 OK\r\nX: s3cret\r\nContent-Length: x\r\n\r\ns3cret');
    const secret = { path: '/s3cret', headers: [['Authorization', 's3cret']], body: Buffer.from('s3cret') };
    const failures = [
      await failureOf(call(secret)),
      await failureOf(call({ headers: [['s3cret\n', 's3cret\n']] })),
      await failureOf(call({ path: '/s3cret s3cret' })),
    ];
    expect(failures.map(({ reason }) => reason)).to.deep.equal(['reply broken', 'request', 'request']);
    for (const { message } of failures) expect(message).to.contain('line O-HTTP').and.not.contain('s3cret');
  });
});
