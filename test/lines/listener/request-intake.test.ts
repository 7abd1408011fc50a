import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { expect } from 'chai';
import { silentLog } from '../../../src/lib/log/log.js';
import {
  InboundLine,
  type InboundLineOptions,
  type LineRequestListener,
} from '../../../src/lines/listener/inbound-line.js';
import { RequestIntake } from '../../../src/lines/listener/request-intake.js';
import { eventually } from '../../support/eventually.js';
import { randomFrom } from '../../support/random.js';
import { codeAsRefusal, lineDefinition, portOf } from './definition.js';
import { RawConnection } from './raw-connection.js';

const MOST_SERVED_AT_A_TIME = 8;
const MOST_UNANSWERED = 64;

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;
const paths = (count: number) => Array.from({ length: count }, (_, index) => `/${index}`);
const bodiesOf = (text: string) => [...text.matchAll(/\r\n\r\n(\/\d+;[^H]*)/g)].map(([, body]) => body);

const echo: LineRequestListener = (request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.once('end', () => response.end(`${request.url};${Buffer.concat(chunks)}`));
};

describe('requests of a connection before the answers to those before', () => {
  const lines: InboundLine[] = [];
  const connections: RawConnection[] = [];

  async function open(listener: LineRequestListener, options: InboundLineOptions = {}): Promise<RawConnection> {
    const line = new InboundLine(lineDefinition(), listener, silentLog, codeAsRefusal, options);
    lines.push(line);
    await line.start();
    const connection = await RawConnection.open(portOf(line.url));
    connections.push(connection);
    return connection;
  }

  afterEach(async () => {
    for (const connection of connections.splice(0)) connection.close();
    await Promise.all(lines.splice(0).map((line) => line.stop(0)));
  });

  for (const count of [50, MOST_UNANSWERED, MOST_UNANSWERED + 1, 5_000]) {
    it(`are all answered, in their order: ${count} in one packet`, async () => {
      const connection = await open(echo);
      await connection.send(paths(count).map(get).join(''));
      const text = await connection.until((received) => received.includes(`/${count - 1};`));
      expect(bodiesOf(text)).to.deep.equal(paths(count).map((path) => `${path};`));
    });
  }

  it('are all answered wherever packets end, with bodies of every kind', async () => {
    const random = randomFrom(11);
    const bodies = ['', 'x', '\r\n\r\n', '\r\n\r\n'.repeat(40), 'GET / HTTP/1.0\r\n\r\n', 'y'.repeat(3_000)];
    const requests = paths(300).map((path) => {
      const body = bodies[Math.floor(random() * bodies.length)] ?? '';
      const head = `POST ${path} HTTP/1.1\r\nHost: x\r\n`;
      const sized = `${head}Content-Length: ${body.length}\r\n\r\n${body}`;
      const chunk = body === '' ? '' : `${body.length.toString(16)}\r\n${body}\r\n`;
      return {
        bytes: random() < 0.5 ? sized : `\r\n${head}Transfer-Encoding: chunked\r\n\r\n${chunk}0\r\n\r\n`,
        answer: `${path};${body}`,
      };
    });
    const bytes = requests.map((request) => request.bytes).join('');
    const connection = await open(echo);
    for (let at = 0; at < bytes.length; ) {
      const size = random() < 0.8 ? 1 + Math.floor(random() * 60) : 1 + Math.floor(random() * 20_000);
      await connection.send(bytes.slice(at, at + size));
      at += size;
    }
    const text = await connection.until(
      (received) => received.includes('/299;') && received.endsWith(lastOf(requests)),
    );
    expect(answersIn(text)).to.deep.equal(requests.map(({ answer }) => answer));
  });

  it(`are served ${MOST_SERVED_AT_A_TIME} at a time`, async () => {
    const count = 200;
    const begun: ServerResponse[] = [];
    const connection = await open((request, response) => {
      begun.push(response);
      response.statusMessage = request.url ?? '';
    });
    await connection.send(paths(count).map(get).join(''));
    for (let answered = 0; answered < count; answered++) {
      const expected = Math.min(count, answered + MOST_SERVED_AT_A_TIME);
      await eventually(() => (begun.length >= expected ? true : undefined));
      expect(begun).to.have.length(expected);
      begun[answered]?.end();
      await connection.until((received) => received.includes(` /${answered}\r\n`));
    }
  });

  it('are not begun when the client has gone', async () => {
    const begun: ServerResponse[] = [];
    let gone = false;
    const connection = await open((_request, response) => {
      begun.push(response);
      response.once('close', () => {
        gone = true;
      });
    });
    await connection.send(paths(20).map(get).join(''));
    await eventually(() => (begun.length === MOST_SERVED_AT_A_TIME ? true : undefined));
    connection.socket.resetAndDestroy();
    await eventually(() => gone || undefined);
    for (const response of begun) response.end();
    expect(begun).to.have.length(MOST_SERVED_AT_A_TIME);
  });

  it('leave what follows an upgrade to the other protocol', async () => {
    const heads: string[] = [];
    const upgrade = (_request: IncomingMessage, socket: Duplex, head: Buffer) => {
      heads.push(head.toString());
      socket.end('HTTP/1.1 101 Switching Protocols\r\n\r\n');
    };
    const connection = await open(echo, { upgrade });
    const request = 'GET /ws HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n';
    const frame = 'a frame\r\n\r\nGET /no HTTP/1.1\r\nHost: x\r\n\r\nand its end';
    await connection.send(`${paths(10).map(get).join('')}${request}${frame}`);
    const text = await connection.untilClosed();
    expect(heads).to.deep.equal([frame]);
    expect(text.match(/HTTP\/1\.1 \d+/g)).to.deep.equal([...new Array(10).fill('HTTP/1.1 200'), 'HTTP/1.1 101']);
  });

  it('go on behind an offer of another protocol that is not taken up', async () => {
    const connection = await open(echo, { upgrade: () => expect.fail('no WebSocket was asked for') });
    const offer = 'GET /0 HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n';
    const others = paths(100).slice(1).map(get).join('');
    await connection.send(offer + others);
    const text = await connection.until((received) => received.includes('/99;'));
    expect(bodiesOf(text)).to.deep.equal(paths(100).map((path) => `${path};`));
  });
});

describe('RequestIntake', () => {
  let server: Server;
  let connection: RawConnection;
  const parsed: ServerResponse[] = [];

  before(async () => {
    const intakes = new Map<Duplex, RequestIntake>();
    server = createServer((request, response) => {
      parsed.push(response);
      intakes.get(request.socket)?.take(response, () => {});
    });
    server.on('connection', (socket) => intakes.set(socket, new RequestIntake(socket)));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    connection = await RawConnection.open((server.address() as AddressInfo).port);
  });
  after(() => {
    connection.close();
    server.close();
  });

  it(`reads ${MOST_UNANSWERED} requests, and one more for each answer`, async () => {
    // the first bytes of the 65th come in a packet of their own: it is no end of a packet that stops the parser
    await connection.send(paths(MOST_UNANSWERED).map(get).join(''));
    await eventually(() => (parsed.length === MOST_UNANSWERED ? true : undefined));
    await connection.send(paths(MOST_UNANSWERED).map(get).join(''));
    for (let answered = 0; answered < MOST_UNANSWERED; answered++) {
      expect(parsed).to.have.length(MOST_UNANSWERED + answered);
      parsed[answered]?.end(`;${answered};`);
      await connection.until((received) => received.includes(`;${answered};`));
      await eventually(() => (parsed.length === MOST_UNANSWERED + answered + 1 ? true : undefined));
    }
  });
});

function lastOf(requests: readonly { readonly answer: string }[]): string {
  return requests.at(-1)?.answer ?? '';
}

/** Bodies of answers that give their length. */
function answersIn(text: string): string[] {
  const bodies: string[] = [];
  for (let at = 0; at < text.length; ) {
    const body = text.indexOf('\r\n\r\n', at) + 4;
    const length = Number(/\r\nContent-Length: (\d+)\r\n/i.exec(text.slice(at, body))?.[1]);
    bodies.push(text.slice(body, body + length));
    at = body + length;
  }
  return bodies;
}
