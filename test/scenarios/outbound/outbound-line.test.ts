import { getEventListeners } from 'node:events';
import type { Socket } from 'node:net';
import { expect } from 'chai';
import type { OutboundLines } from '../../../src/scenarios/outbound/outbound-line.js';
import { need } from '../../support/need.js';
import { failureOf, noSignal, openLine, post } from './outbound-fixture.js';
import { closed, RawServer, response } from './raw-server.js';

const SITES_OF_A_LINE = 64;

describe('an outbound line', () => {
  let server: RawServer;
  let port: number;
  let lines: OutboundLines;
  let answer: (socket: Socket, request: string) => void;

  beforeEach(async () => {
    answer = (socket) => socket.write(response('<ok/>', 'HTTP/1.1 200 OK', 'Content-Type: text/xml; charset=utf-8'));
    server = new RawServer((socket, request) => answer(socket, request));
    port = await server.listen();
    lines = openLine();
  });
  afterEach(async () => {
    await lines.close(0);
    await server.close();
  });

  const site = () => `127.0.0.1:${port}`;
  const call = (changes = {}, maxTime?: number, signal = noSignal()) =>
    lines.call('O-HTTP', post(site(), changes), maxTime, signal);

  describe('on the wire', () => {
    it('sends the request of the scenario without headers that ask for more', async () => {
      await call();
      const [head = '', body] = (server.requests[0] ?? '').split('\r\n\r\n');
      const [requestLine, ...headers] = head.split('\r\n');
      expect(requestLine).to.equal('POST /CurrencyConvertor.asmx HTTP/1.1');
      expect(body).to.equal('<a/>');
      expect(headers).to.include('Content-Type: application/soap+xml');
      expect(headers.map((header) => header.toLowerCase()).sort()).to.deep.equal([
        'connection: keep-alive',
        'content-length: 4',
        'content-type: application/soap+xml',
        `host: 127.0.0.1:${port}`,
      ]);
    });

    it('counts its bytes without zeros in front: undici takes no other spelling (docs/develop/decisions/0007)', async () => {
      await call({ body: Buffer.alloc(423, 'x') });
      expect(server.requests[0]).to.match(/\r\ncontent-length: 423\r\n/);
    });

    it('spells port 80 in the Host header', async function () {
      const portEighty = new RawServer((socket) => socket.write(response('<ok/>')));
      const listening = await portEighty.listen('127.0.0.1', 80).then(
        () => true,
        () => false,
      );
      need(this, listening, 'port 80 cannot be listened on');
      try {
        await lines.call('O-HTTP', post('127.0.0.1:80'), undefined, noSignal());
        expect(portEighty.requests[0]).to.match(/\r\nhost: 127\.0\.0\.1:80\r\n/i);
      } finally {
        await portEighty.close();
      }
    });

    it('keeps the site as it is written', async () => {
      await lines.call('O-HTTP', post(`LocalHost:${port}`), undefined, noSignal());
      expect(server.requests[0]).to.match(new RegExp(`\\r\\n[Hh]ost: LocalHost:${port}\\r\\n`));
    });

    it('reaches an IPv6 address in brackets', async function () {
      const six = new RawServer((socket) => socket.write(response('<ok/>')));
      const sixPort = await six.listen('::1').catch(() => undefined);
      need(this, sixPort !== undefined, 'there is no IPv6 here');
      try {
        await lines.call('O-HTTP', post(`[::1]:${sixPort}`), undefined, noSignal());
        expect(six.requests[0]).to.match(new RegExp(`\\r\\nhost: \\[::1\\]:${sixPort}\\r\\n`, 'i'));
      } finally {
        await six.close();
      }
    });

    it('sends the bytes of a view, of every value', async () => {
      const bytes = Uint8Array.from({ length: 300 }, (_, at) => at % 256);
      await call({ body: bytes.subarray(20, 290) });
      const sent = Buffer.from(server.requests[0]?.split('\r\n\r\n').slice(1).join('\r\n\r\n') ?? '', 'latin1');
      expect(sent.equals(bytes.subarray(20, 290))).to.equal(true);
    });

    it('GET has no body and no length', async () => {
      await call({ method: 'GET', path: '/rates?from=EUR&to=USD', headers: [['Accept', 'text/xml']], body: undefined });
      expect(server.requests[0]).to.match(/^GET \/rates\?from=EUR&to=USD HTTP\/1\.1\r\n/);
      expect(server.requests[0]).not.to.match(/content-length/i);
    });

    it('sends a header twice where the scenario names it twice', async () => {
      await call({
        headers: [
          ['X-One', 'a'],
          ['X-One', 'b'],
        ],
      });
      expect(server.requests[0]).to.match(/X-One: a\r\n(?:.*\r\n)*X-One: b\r\n/);
    });

    it('calls the site of the line where it has one, whatever the request names', async () => {
      const fixed = openLine({ site: site() });
      await fixed.call('O-HTTP', post('elsewhere.invalid:80'), undefined, noSignal());
      await fixed.call('O-HTTP', post('', { site: undefined }), undefined, noSignal());
      await fixed.close();
      expect(server.requests.filter((request) => request.includes(`ost: ${site()}\r\n`))).to.have.length(2);
    });
  });

  describe('delivers', () => {
    it('status, content type and body', async () => {
      const reply = await call();
      expect(reply.status).to.equal(200);
      expect(reply.contentType).to.equal('text/xml; charset=utf-8');
      expect(reply.body.toString()).to.equal('<ok/>');
    });

    it('no content type where there is none', async () => {
      answer = (socket) => socket.write(response('x'));
      expect((await call()).contentType).to.equal(undefined);
    });

    for (const status of [302, 404, 500, 503]) {
      it(`${status} as a status, following nothing`, async () => {
        answer = (socket) => socket.write(response('body', `HTTP/1.1 ${status} X`, `Location: http://${site()}/other`));
        const reply = await call();
        expect(reply.status).to.equal(status);
        expect(reply.body.toString()).to.equal('body');
        expect(server.requests).to.have.length(1);
      });
    }

    it('an empty reply', async () => {
      answer = (socket) => socket.write('HTTP/1.1 204 No Content\r\n\r\n');
      expect(await call()).to.deep.equal({ status: 204, contentType: undefined, body: Buffer.alloc(0) });
    });

    it('the final reply after an informational one', async () => {
      answer = (socket) => socket.write(`HTTP/1.1 103 Early Hints\r\nLink: <x>\r\n\r\n${response('<ok/>')}`);
      const reply = await call();
      expect([reply.status, reply.body.toString()]).to.deep.equal([200, '<ok/>']);
    });

    const continued = 'HTTP/1.1 100 Continue\r\n\r\n';
    const hinted = 'HTTP/1.1 103 Early Hints\r\nLink: <x>\r\n\r\n';
    for (const [what, interim] of Object.entries({
      'an unasked 100': continued,
      'an unasked 100 with headers': 'HTTP/1.1 100 Go on\r\nX-Service: y\r\n\r\n',
      'a 100 of HTTP/1.0': 'HTTP/1.0 100 Continue\r\n\r\n',
      'interim responses of all kinds': `${hinted}${continued}HTTP/1.1 102 Processing\r\n\r\n${continued}`,
    })) {
      it(`the final reply after ${what}`, async () => {
        answer = (socket) => socket.write(interim + response('<ok/>'));
        for (let count = 0; count < 3; count++) {
          const reply = await call();
          expect([reply.status, reply.body.toString()]).to.deep.equal([200, '<ok/>']);
        }
        expect(server.sockets).to.have.length(1);
      });
    }

    it('the final reply after an unasked 100 that comes byte by byte', async () => {
      answer = async (socket) => {
        for (const character of `${hinted}${continued}${response('<ok/>')}`) {
          await new Promise((resolve) => socket.write(character, () => setImmediate(resolve)));
        }
      };
      expect((await call()).body.toString()).to.equal('<ok/>');
    });

    it('what only looks like an interim response, in the body', async () => {
      answer = (socket) => {
        socket.write(response(continued, 'HTTP/1.1 200 OK', 'Content-Type: text/plain'));
      };
      expect((await call()).body.toString()).to.equal(continued);
    });

    it('the reply after interim responses of as many bytes as headers may have, and none past that', async () => {
      const replyHeaderBytes = 1024;
      lines = openLine({ limits: { replyHeaderBytes } });
      const filling = (bytes: number) => {
        const rest = bytes - continued.length - 'HTTP/1.1 103 x\r\nX: \r\n\r\n'.length;
        return `${continued}HTTP/1.1 103 x\r\nX: ${'y'.repeat(rest)}\r\n\r\n`;
      };
      answer = (socket) => socket.write(filling(replyHeaderBytes) + response('<ok/>'));
      expect((await call()).body.toString()).to.equal('<ok/>');
      answer = (socket) => socket.write(filling(replyHeaderBytes + 1) + response('<ok/>'));
      expect((await failureOf(call())).reason).to.equal('reply headers');
      answer = (socket) => {
        const flood = () => {
          while (!socket.destroyed && socket.write(continued));
        };
        socket.on('drain', flood);
        flood();
      };
      expect((await failureOf(call())).reason).to.equal('reply headers');
    });

    it('a reply that ends with the connection', async () => {
      answer = (socket) => socket.end('HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n<ok/>');
      expect((await call()).body.toString()).to.equal('<ok/>');
    });

    it('a reply in many small chunks, whole and in order', async () => {
      const text = Array.from({ length: 20_000 }, (_, at) => String(at % 10)).join('');
      answer = (socket) => {
        const chunks = [...text].map((character) => `1\r\n${character}\r\n`).join('');
        socket.write(`HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${chunks}0\r\n\r\n`);
      };
      expect((await call()).body.toString()).to.equal(text);
    });

    it('two replies that do not share their bytes', async () => {
      let count = 0;
      answer = (socket) => {
        count += 1;
        socket.write(response(`<reply n="${count}"/>`));
      };
      const first = await call();
      const second = await call();
      expect([first.body.toString(), second.body.toString()]).to.deep.equal(['<reply n="1"/>', '<reply n="2"/>']);
    });
  });

  describe('keeps connections', () => {
    it('uses one connection for calls that follow each other', async () => {
      for (let count = 0; count < 20; count += 1) await call();
      expect(server.requests).to.have.length(20);
      expect(server.sockets).to.have.length(1);
    });

    it('opens another where the service closed it', async () => {
      answer = (socket) => socket.end(response('<ok/>'));
      await call();
      await server.deserted();
      await call();
      expect(server.sockets).to.have.length(2);
    });

    it('does not reuse a connection that the service is about to close', async () => {
      answer = (socket) => socket.write(response('<ok/>', 'HTTP/1.1 200 OK', 'Keep-Alive: timeout=1'));
      await call();
      await call();
      expect(server.sockets).to.have.length(2);
    });

    it('opens no more connections than the limit, and one call a connection at a time', async () => {
      lines = openLine({ limits: { connections: 3, queuedRequests: 20 } });
      const held: Socket[] = [];
      answer = (socket) => held.push(socket);
      const calls = Array.from({ length: 10 }, () => call());
      await server.received(3);
      answer = (socket) => socket.write(response('<ok/>'));
      for (const socket of held) socket.write(response('<ok/>'));
      await Promise.all(calls);
      expect(held).to.have.length(3);
      expect(server.sockets).to.have.length(3);
    });

    it('keeps the connections of a bounded number of sites', async () => {
      const sites = caseVariants('localhost', SITES_OF_A_LINE + 1).map((host) => `${host}:${port}`);
      for (const each of sites) await lines.call('O-HTTP', post(each), undefined, noSignal());
      const [first] = server.sockets;
      if (first) await closed(first);
      const open = server.sockets.filter((socket) => !socket.closed);
      expect(server.sockets).to.have.length(SITES_OF_A_LINE + 1);
      expect(open.length).to.be.at.most(SITES_OF_A_LINE);
    });

    it('refuses one site more than that while all are being called', async () => {
      answer = () => {};
      const [last = '', ...sites] = caseVariants('localhost', SITES_OF_A_LINE + 1).map((host) => `${host}:${port}`);
      const calls = sites.map((each) => failureOf(lines.call('O-HTTP', post(each), undefined, noSignal())));
      await server.received(SITES_OF_A_LINE);
      const failure = await failureOf(lines.call('O-HTTP', post(last), undefined, noSignal()));
      expect(failure.reason).to.equal('busy');
      await lines.close(0);
      expect((await Promise.all(calls)).map(({ reason }) => reason)).to.deep.equal(sites.map(() => 'stopping'));
    });
  });

  describe('bounds its queue', () => {
    it('a call waits at the bound, one more fails at once', async () => {
      lines = openLine({ limits: { connections: 1, queuedRequests: 2 } });
      answer = () => {};
      const calls = [call(), call(), call()];
      expect((await failureOf(call())).reason).to.equal('busy');
      await server.received(1);
      answer = (socket) => socket.write(response('<ok/>'));
      server.sockets[0]?.write(response('<ok/>'));
      expect((await Promise.all(calls)).map(({ status }) => status)).to.deep.equal([200, 200, 200]);
      expect(server.sockets).to.have.length(1);
    });

    it('a call whose time is over while it waits is never sent, and makes room', async () => {
      lines = openLine({ limits: { connections: 1, queuedRequests: 1 } });
      answer = () => {};
      const first = call();
      expect((await failureOf(call({ path: '/late' }, 20))).reason).to.equal('time');
      const third = call({ path: '/third' });
      await server.received(1);
      answer = (socket) => socket.write(response('<ok/>'));
      server.sockets[0]?.write(response('<ok/>'));
      await Promise.all([first, third]);
      expect(server.requests.map((request) => request.split(' ')[1])).to.deep.equal([
        '/CurrencyConvertor.asmx',
        '/third',
      ]);
    });

    it('waiting calls go on after a failed one', async () => {
      lines = openLine({ limits: { connections: 1, queuedRequests: 1 } });
      answer = (socket) => socket.resetAndDestroy();
      const first = failureOf(call());
      const second = call();
      await server.received(1);
      answer = (socket) => socket.write(response('<ok/>'));
      expect((await first).reason).to.equal('reply broken');
      expect((await second).status).to.equal(200);
    });
  });

  describe('leaves nothing behind', () => {
    it('no listener on the signal, after a success and after a failure', async () => {
      const controller = new AbortController();
      await call({}, 1000, controller.signal);
      answer = (socket) => socket.resetAndDestroy();
      await failureOf(call({}, 1000, controller.signal));
      await failureOf(call({ path: 'x' }, 1000, controller.signal));
      expect(getEventListeners(controller.signal, 'abort')).to.deep.equal([]);
    });

    it('no connection after close', async () => {
      await Promise.all(Array.from({ length: 5 }, () => call()));
      await lines.close();
      await server.deserted();
      expect(server.sockets).to.have.length(5);
    });
  });

  describe('closes', () => {
    it('after the calls under way, refusing new ones', async () => {
      answer = () => {};
      const running = call();
      await server.received(1);
      // for weeks, if it waited for anything but the call
      const closed = lines.close(2 ** 31 - 1);
      expect((await failureOf(call())).reason).to.equal('stopping');
      server.sockets[0]?.write(response('<ok/>'));
      expect((await running).status).to.equal(200);
      await closed;
      await server.deserted();
    });

    it('without those that do not end in time', async () => {
      lines = openLine({ limits: { connections: 1 } });
      answer = () => {};
      const running = failureOf(call());
      const waiting = failureOf(call());
      await server.received(1);
      await lines.close(10);
      expect([(await running).reason, (await waiting).reason]).to.deep.equal(['stopping', 'stopping']);
      await server.deserted();
      expect(server.requests).to.have.length(1);
    });

    it('twice', async () => {
      await lines.close();
      await lines.close();
    });
  });

  it('refuses at the start a line whose site is not host:port', () => {
    expect(() => openLine({ site: 'example.test' })).to.throw('line O-HTTP: site');
  });
});

/** `localhost` has 512 spellings: that many sites at one server. */
function caseVariants(name: string, count: number): string[] {
  return Array.from({ length: count }, (_, bits) =>
    [...name].map((letter, at) => ((bits >> at) & 1 ? letter.toUpperCase() : letter)).join(''),
  );
}
