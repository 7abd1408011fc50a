import { once } from 'node:events';
import { Agent, get, type IncomingMessage, request } from 'node:http';
import { expect } from 'chai';
import { silentLog } from '../../../src/lib/log/log.js';
import { InboundLine, type LineRequestListener } from '../../../src/lines/listener/inbound-line.js';
import { eventually } from '../../support/eventually.js';
import { holdLongTimers } from '../../support/hold-long-timers.js';
import { skipUnless } from '../../support/need.js';
import { codeAsRefusal, lineDefinition, portOf } from './definition.js';
import { hello, openedLines, simpleGet } from './opened-lines.js';
import { answerBeforeBody, exchange, RawConnection, statusOf } from './raw-connection.js';
import { recordingLog } from './recording-log.js';

const LINGER_MILLISECONDS = 1_000;

describe('InboundLine', () => {
  const { lines, open, make, bodyOf } = openedLines();

  describe('limits', () => {
    it('serves as many connections as the limit says and answers one more with 503', async () => {
      const { log, lines: logged } = recordingLog();
      const line = await open({ limits: { connections: 2 } }, hello, log);
      const port = portOf(line.url);
      const inside = [await RawConnection.open(port), await RawConnection.open(port)];
      for (const connection of inside) {
        await connection.send(simpleGet);
        expect(statusOf(await connection.until((text) => text.endsWith('hello')))).to.equal(200);
      }
      for (let count = 0; count < 3; count += 1) {
        const answer = await exchange(port, simpleGet);
        expect(statusOf(answer)).to.equal(503);
        expect(answer).to.contain('\r\nConnection: close\r\n').and.contain('SVC_ERR_SERVICE_BUSY');
      }
      expect(logged.filter(({ level }) => level === 40)).to.have.lengthOf(1);
      inside[0]?.close();
      let status = 503;
      while (status === 503) {
        status = statusOf(await exchange(port, 'GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'));
      }
      expect(status).to.equal(200);
    });

    it('serves as many connections of one address as the limit says; another address has its own', async function () {
      skipUnless(this, process.platform === 'linux', 'only Linux has 127.0.0.2 without asking');
      const { log, lines: logged } = recordingLog();
      const line = await open({ limits: { connections: 100, connectionsPerAddress: 2 } }, hello, log);
      const port = portOf(line.url);
      const inside = [await RawConnection.open(port), await RawConnection.open(port)];
      const answer = await exchange(port, simpleGet);
      expect(statusOf(answer)).to.equal(503);
      expect(answer).to.contain('\r\nConnection: close\r\n').and.contain('SVC_ERR_SERVICE_BUSY');
      expect(logged.filter(({ level }) => level === 40).map(({ msg }) => msg)).to.deep.equal([
        'connection over the limit of the address refused',
      ]);
      const other = request(line.url, { localAddress: '127.0.0.2', agent: false }).end();
      const [response] = (await once(other, 'response')) as [IncomingMessage];
      response.resume();
      expect(response.statusCode).to.equal(200);
      inside[0]?.close();
      await eventually(async () => {
        const again = await exchange(port, 'GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
        return statusOf(again) === 200 || undefined;
      });
    });

    it('counts the addresses of one client together', async function () {
      skipUnless(this, process.platform === 'linux', 'only Linux has 127.0.0.2 without asking');
      const line = new InboundLine(
        lineDefinition({ limits: { connectionsPerAddress: 1 } }),
        hello,
        silentLog,
        codeAsRefusal,
        { clientOf: () => 'the same network' },
      );
      lines.push(line);
      await line.start();
      await RawConnection.open(portOf(line.url));
      const other = request(line.url, { localAddress: '127.0.0.2', agent: false }).end();
      const [response] = (await once(other, 'response')) as [IncomingMessage];
      response.resume();
      expect(response.statusCode).to.equal(503);
    });

    it('cuts off a client that sends its headers too slowly, with 408', async () => {
      const line = await open({ limits: { headerSeconds: 1 } });
      const connection = await RawConnection.open(portOf(line.url));
      await connection.send('GET / HTTP/1.1\r\nHost: x\r\n');
      const drip = setInterval(() => connection.socket.write('X: y\r\n'), 100);
      try {
        const answer = await connection.untilClosed();
        expect(statusOf(answer)).to.equal(408);
        expect(answer).to.contain('SVC_ERR_REQUEST_SLOW');
      } finally {
        clearInterval(drip);
      }
    });

    it('cuts off a client that sends its body too slowly, with 408', async () => {
      const readsBody: LineRequestListener = (request, response) => {
        request.resume().once('end', () => response.end('whole'));
        request.once('error', () => {});
      };
      const line = await open({ limits: { headerSeconds: 1, requestSeconds: 1 } }, readsBody);
      const connection = await RawConnection.open(portOf(line.url));
      await connection.send('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n');
      const drip = setInterval(() => connection.socket.write('x'), 100);
      try {
        expect(statusOf(await connection.untilClosed())).to.equal(408);
      } finally {
        clearInterval(drip);
      }
    });

    it('closes a connection that stays silent', async () => {
      const line = await open({ limits: { headerSeconds: 1 } });
      expect(statusOf(await exchange(portOf(line.url), ''))).to.equal(408);
    });

    it('closes a kept-alive connection that has been idle', async () => {
      const line = await open({ limits: { idleSeconds: 1 } });
      const answer = await exchange(portOf(line.url), simpleGet);
      expect(statusOf(answer)).to.equal(200);
      expect(answer.match(/HTTP\/1\.1/g)).to.have.lengthOf(1);
    });
  });

  describe('input that is no request', () => {
    const malformed: readonly [what: string, bytes: string][] = [
      ['nonsense', 'nonsense\r\n\r\n'],
      ['an unknown version', 'GET / HTTP/3.7\r\nHost: x\r\n\r\n'],
      ['a NUL in the path', 'GET /a\0b HTTP/1.1\r\nHost: x\r\n\r\n'],
      ['a NUL in a header', 'GET / HTTP/1.1\r\nHost: x\r\nX: a\0b\r\n\r\n'],
      ['a header without a name', 'GET / HTTP/1.1\r\nHost: x\r\n: y\r\n\r\n'],
      ['a blank before the colon', 'GET / HTTP/1.1\r\nHost : x\r\n\r\n'],
      ['two lengths', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab'],
      [
        'a length beside chunks',
        'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      ],
      ['a chunk that is none', 'POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n\r\n'],
      ['an HTTP/2 preface', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
      ['authority form', 'CONNECT example.test:443 HTTP/1.1\r\nHost: example.test:443\r\n\r\n'],
    ];
    for (const [what, bytes] of malformed) {
      it(`answers ${what} with 400 and closes`, async () => {
        const line = await open({}, (request, response) => {
          request.resume().once('end', () => response.end('read'));
          request.once('error', () => {});
        });
        const answer = await exchange(portOf(line.url), bytes);
        expect(statusOf(answer)).to.equal(400);
        expect(answer).to.match(/SVC_ERR_REQUEST_(SYNTAX|PATH)$/);
        expect(answer.match(/HTTP\/1\.1 /g)).to.have.lengthOf(1);
      });
    }

    it('reads what comes behind a CONNECT that it refuses, so that no reset overtakes the answer', async () => {
      const line = await open();
      const answer = await answerBeforeBody(
        portOf(line.url),
        'CONNECT x.test:443 HTTP/1.1\r\nHost: x.test:443\r\n\r\n',
      );
      expect(statusOf(answer)).to.equal(400);
    });

    it('answers a whole request before the nonsense behind it', async () => {
      const releases: (() => void)[] = [];
      const line = await open({}, (_request, response) => {
        releases.push(() => response.end('first'));
      });
      const connection = await RawConnection.open(portOf(line.url));
      await connection.send(`${simpleGet}nonsense\r\n\r\n`);
      while (releases.length === 0) await new Promise((resolve) => setImmediate(resolve));
      expect(connection.text).to.equal('');
      releases[0]?.();
      const answer = await connection.untilClosed();
      expect(answer).to.match(/^HTTP\/1\.1 200 [\s\S]*firstHTTP\/1\.1 400 [\s\S]*SVC_ERR_REQUEST_SYNTAX$/);
    });

    it('lives on when clients reset', async () => {
      const line = await open();
      for (let count = 0; count < 20; count += 1) {
        const connection = await RawConnection.open(portOf(line.url));
        await connection.send('GET / HT');
        connection.socket.resetAndDestroy();
      }
      expect(await bodyOf(line.url)).to.equal('hello');
    });
  });

  describe('overlong requests', () => {
    const limits = { urlBytes: 1_000, headerBytes: 1_000 };
    const longUrl = `GET /${'a'.repeat(100_000)} HTTP/1.1\r\nHost: x\r\n\r\n`;
    const longHeader = `GET / HTTP/1.1\r\nHost: x\r\nX: ${'a'.repeat(100_000)}\r\n\r\n`;
    const manyHeaders = `GET / HTTP/1.1\r\nHost: x\r\n${'X: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\r\n'.repeat(2_000)}\r\n`;
    const longUrlAndHeader = `GET /${'a'.repeat(3_000)} HTTP/1.1\r\nHost: x\r\nX: ${'a'.repeat(100_000)}\r\n\r\n`;

    const table: readonly [what: string, bytes: string, code: string][] = [
      ['a URL', longUrl, '414 SVC_ERR_REQUEST_URL_LENGTH'],
      ['one header', longHeader, '431 SVC_ERR_REQUEST_HEADER_SIZE'],
      ['many headers', manyHeaders, '431 SVC_ERR_REQUEST_HEADER_SIZE'],
    ];
    for (const [what, bytes, code] of table) {
      for (const size of [bytes.length, 40_000, 1_400, 997, 64]) {
        it(`${what}, in pieces of ${size} bytes → ${code}`, async () => {
          const line = await open({ limits });
          const connection = await RawConnection.open(portOf(line.url));
          // a line whose end does not come in time is answered without it
          const letGo = holdLongTimers(LINGER_MILLISECONDS);
          for (let at = 0; at < bytes.length && connection.text === ''; at += size) {
            await connection.send(bytes.slice(at, at + size));
          }
          const answer = await connection.untilClosed().finally(letGo);
          expect(`${statusOf(answer)} ${answer.slice(answer.lastIndexOf('\n') + 1)}`).to.equal(code);
        });
      }
    }

    it('names the URL where both are too long', async () => {
      const line = await open({ limits });
      expect(statusOf(await exchange(portOf(line.url), longUrlAndHeader))).to.equal(414);
    });

    it('answers an overlong line whose end never comes', async () => {
      const line = await open({ limits });
      const connection = await RawConnection.open(portOf(line.url));
      await connection.send(`GET /${'a'.repeat(4_000)}`);
      await connection.send('a'.repeat(4_000));
      expect(statusOf(await connection.untilClosed())).to.equal(414);
    });
  });

  describe('a listener that fails', () => {
    const failing: readonly [what: string, listener: LineRequestListener][] = [
      [
        'throws',
        () => {
          throw new Error('boom');
        },
      ],
      ['rejects', () => Promise.reject(new Error('boom'))],
    ];
    for (const [what, listener] of failing) {
      it(`is contained when it ${what}`, async () => {
        const line = await open({}, listener);
        const answer = await exchange(portOf(line.url), simpleGet);
        expect(statusOf(answer)).to.equal(500);
        expect(answer).to.contain('SVC_ERR_SERVICE_FAILED').and.not.contain('boom');
        expect(line.state).to.equal('listening');
      });
    }
  });

  describe('stopping', () => {
    it('closes idle connections at once', async () => {
      const line = await open();
      const silent = await RawConnection.open(portOf(line.url));
      const kept = await RawConnection.open(portOf(line.url));
      await kept.send(simpleGet);
      await kept.until((text) => text.endsWith('hello'));
      await line.stop(60_000);
      expect(await silent.untilClosed()).to.equal('');
      await kept.untilClosed();
      expect(line.state).to.equal('closed');
    });

    it('lets a request in flight finish, with Connection: close', async () => {
      let release: (() => void) | undefined;
      const line = await open({}, (_request, response) => {
        release = () => response.end('late');
      });
      const connection = await RawConnection.open(portOf(line.url));
      await connection.send(simpleGet);
      while (release === undefined) await new Promise((resolve) => setImmediate(resolve));
      const port = portOf(line.url);
      const stopped = line.stop(60_000);
      expect(line.state).to.equal('closing');
      const refused = await RawConnection.open(port).then(
        () => 'accepted',
        (error: { code: string }) => error.code,
      );
      expect(refused).to.equal('ECONNREFUSED');
      release();
      const answer = await connection.untilClosed();
      expect(answer).to.contain('\r\nConnection: close\r\n').and.match(/late$/);
      await stopped;
      expect(line.state).to.equal('closed');
    });

    it('sends an answer to its end, however large, to a client that reads late', async () => {
      const body = Buffer.alloc(20_000_000, 'x');
      let answered = false;
      const line = await open({}, (_request, response) => {
        response.end(body);
        answered = true;
      });
      const connection = await RawConnection.open(portOf(line.url));
      connection.socket.pause();
      await connection.send(simpleGet);
      while (!answered) await new Promise((resolve) => setImmediate(resolve));
      const stopped = line.stop(60_000);
      connection.socket.resume();
      const answer = await connection.untilClosed();
      expect(answer.length - answer.indexOf('\r\n\r\n') - 4).to.equal(body.length);
      await stopped;
    });

    it('refuses a request that comes on an open connection', async () => {
      let release: (() => void) | undefined;
      const line = await open({}, (_request, response) => {
        release = () => {
          response.write('late');
          release = () => response.end();
        };
      });
      const connection = await RawConnection.open(portOf(line.url));
      await connection.send(simpleGet);
      while (release === undefined) await new Promise((resolve) => setImmediate(resolve));
      release();
      await connection.until((text) => text.includes('late'));
      const stopped = line.stop(60_000);
      await connection.send(simpleGet);
      release();
      const answer = await connection.untilClosed();
      expect(answer).to.match(/HTTP\/1\.1 503 [\s\S]*SVC_ERR_SERVICE_STOPPING/);
      await stopped;
    });

    it('cuts off what is not over after the grace', async () => {
      let arrived: (() => void) | undefined;
      const request = new Promise<void>((resolve) => {
        arrived = resolve;
      });
      const line = await open({}, () => arrived?.());
      const connection = await RawConnection.open(portOf(line.url));
      await connection.send(simpleGet);
      await request;
      await line.stop(50);
      expect(await connection.untilClosed()).to.equal('');
      expect(line.state).to.equal('closed');
    });

    it('is nothing to a line that is closed', async () => {
      const line = make();
      await line.stop(0);
      expect(line.state).to.equal('closed');
    });
  });

  it('serves kept-alive connections one request after the other', async () => {
    const line = await open();
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const sockets = new Set<unknown>();
    for (let count = 0; count < 5; count += 1) {
      const request = get(line.url, { agent });
      request.once('socket', (socket) => sockets.add(socket));
      const [response] = (await once(request, 'response')) as [IncomingMessage];
      response.resume();
      await once(response, 'end');
    }
    expect(sockets.size).to.equal(1);
    agent.destroy();
  });
});
