import { readFileSync } from 'node:fs';
import { createServer as createHttpServer, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { connect as connectTls } from 'node:tls';
import { expect } from 'chai';
import { silentLog } from '../../../src/lib/log/log.js';
import { FairTurns } from '../../../src/lib/turns/fair-turns.js';
import {
  InboundLine,
  type InboundLineOptions,
  type LineRequestListener,
} from '../../../src/lines/listener/inbound-line.js';
import { RequestIntake } from '../../../src/lines/listener/request-intake.js';
import { TurnedInput } from '../../../src/lines/listener/turned-input.js';
import { makeCertificate } from '../../support/certificate.js';
import { eventually } from '../../support/eventually.js';
import { codeAsRefusal, lineDefinition, portOf } from './definition.js';
import { RawConnection } from './raw-connection.js';

const MOST_UNDER_WAY = 8;
const MOST_SERVED_AT_A_TIME = 8;
const MOST_UNANSWERED = 64;
const MOST_WAITING_OF_CLIENT = 1_000;
const MOST_UNREAD_BYTES = 131_072;

const FLOODING = '127.0.0.2';
const HONEST = '127.0.0.3';
const CONNECTIONS = 50;

const get = (path: string, more = '') => `GET ${path} HTTP/1.1\r\nHost: x\r\n${more}\r\n`;

/** Takes the processor for a millisecond. */
function spin(): void {
  const end = performance.now() + 1;
  while (performance.now() < end);
}

describe('the turns of clients', () => {
  const lines: InboundLine[] = [];
  const connections: RawConnection[] = [];

  async function open(listener: LineRequestListener, options: InboundLineOptions = {}, limits = {}): Promise<number> {
    const line = new InboundLine(lineDefinition({ limits }), listener, silentLog, codeAsRefusal, options);
    lines.push(line);
    await line.start();
    return portOf(line.url);
  }

  async function connect(port: number, from: string): Promise<RawConnection> {
    const connection = await RawConnection.open(port, '127.0.0.1', from);
    connections.push(connection);
    return connection;
  }

  /** Floods a line, asks one question from elsewhere, and gives how much of the flood was served before it. */
  async function servedBefore(
    port: number,
    served: string[],
    heads: { flood: string; honest: string },
  ): Promise<number> {
    const honest = await connect(port, HONEST);
    const flooding = await Promise.all(Array.from({ length: CONNECTIONS }, () => connect(port, FLOODING)));
    for (const connection of flooding) void connection.send(heads.flood.repeat(60));
    await eventually(() => served.length > 0 || undefined);
    await honest.send(heads.honest);
    await honest.until((text) => text.includes('\r\n\r\n'));
    return served.indexOf('/honest');
  }

  afterEach(async () => {
    for (const connection of connections.splice(0)) connection.close();
    await Promise.all(lines.splice(0).map((line) => line.stop(0)));
  });

  it('answer another client before a client that has sent 3,000 requests at once', async () => {
    const served: string[] = [];
    const port = await open((request, response) => {
      served.push(request.url ?? '');
      spin();
      response.end();
    });
    const heads = { flood: get('/flood'), honest: get('/honest') };
    expect(await servedBefore(port, served, heads)).to.be.within(0, 1_000);
  });

  it('count requests of a trusted proxy for the clients that it speaks for', async () => {
    const served: string[] = [];
    const options: InboundLineOptions = {
      clientOf: () => undefined,
      clientOfRequest: ({ headers }) => String(headers['x-client']),
    };
    const port = await open((request, response) => {
      served.push(request.url ?? '');
      spin();
      response.end();
    }, options);
    const heads = { flood: get('/flood', 'X-Client: a\r\n'), honest: get('/honest', 'X-Client: b\r\n') };
    expect(await servedBefore(port, served, heads)).to.be.within(0, 200);
  });

  it('begin only some of the requests of a client that settle nothing yet, and lose none of them', async () => {
    const begun: ServerResponse[] = [];
    let most = 0;
    let underWay = 0;
    const port = await open((_request, response) => {
      most = Math.max(most, ++underWay);
      begun.push(response);
      // answered in a later turn of the event loop, as after a file was read
      setImmediate(() => {
        underWay--;
        response.end('ok');
      });
    });
    const flooding = await Promise.all(Array.from({ length: 20 }, () => connect(port, FLOODING)));
    for (const connection of flooding) await connection.send(get('/').repeat(10));
    for (const connection of flooding) await connection.until((text) => text.split('ok').length === 11);
    expect(begun).to.have.length(200);
    expect(most).to.be.within(1, MOST_UNDER_WAY);
  });

  it('take any number of requests that wait for something outside', async () => {
    const begun: ServerResponse[] = [];
    const port = await open((_request, response) => void begun.push(response));
    const waiting = await Promise.all(Array.from({ length: 40 }, () => connect(port, FLOODING)));
    for (const connection of waiting) await connection.send(get('/slow'));
    await eventually(() => begun.length === 40 || undefined);
    for (const response of begun) response.end();
  });

  it('go on with bodies, however many of them are not complete', async () => {
    const port = await open((request, response) => {
      request.resume().once('end', () => response.end('whole'));
    });
    const senders = await Promise.all(Array.from({ length: 3 * MOST_UNDER_WAY }, () => connect(port, FLOODING)));
    for (const sender of senders) await sender.send('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n\r\nab');
    for (const sender of senders.toReversed()) {
      await sender.send('cd');
      await sender.until((text) => text.includes('whole'));
    }
  });

  it(`stop parsing at ${MOST_WAITING_OF_CLIENT} requests of a client that wait, and lose none`, async () => {
    const parsed: ServerResponse[] = [];
    const intakes = new Map<Duplex, RequestIntake>();
    const server = createHttpServer((request, response) => {
      parsed.push(response);
      intakes.get(request.socket)?.take(response, () => {});
    });
    server.on('connection', (socket) => intakes.set(socket, new RequestIntake(socket, { client: 'one' })));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    try {
      const flooding = await Promise.all(Array.from({ length: 40 }, () => connect(port, FLOODING)));
      for (const connection of flooding) await connection.send(get('/').repeat(MOST_UNANSWERED));
      // each connection still has what it may have served at a time
      const most = MOST_WAITING_OF_CLIENT + flooding.length * MOST_SERVED_AT_A_TIME;
      await eventually(() => parsed.length >= MOST_WAITING_OF_CLIENT || undefined);
      for (let turn = 0; turn < 200; turn++) await new Promise(setImmediate);
      expect(parsed.length).to.be.within(MOST_WAITING_OF_CLIENT, most);
      const all = flooding.length * MOST_UNANSWERED;
      for (let answered = 0; answered < all; answered++) {
        const response = await eventually(() => parsed[answered]);
        response?.end('ok');
      }
      for (const connection of flooding) {
        await connection.until((text) => text.split('ok').length === MOST_UNANSWERED + 1);
      }
    } finally {
      server.close();
    }
  });

  it('begin handshakes of TLS that come at once, and complete each of them', async () => {
    const definition = lineDefinition({ tls: makeCertificate() });
    const options = { readPem: (path: string) => readFileSync(path) };
    const line = new InboundLine(
      definition,
      (_, response) => void response.end('secure'),
      silentLog,
      codeAsRefusal,
      options,
    );
    lines.push(line);
    await line.start();
    const answers = Array.from({ length: 40 }, () => {
      const socket = connectTls({ port: portOf(line.url), host: '127.0.0.1', rejectUnauthorized: false });
      return new Promise<string>((resolve, reject) => {
        let text = '';
        socket.once('secureConnect', () => socket.write(get('/', 'Connection: close\r\n')));
        socket.on('data', (chunk) => {
          text += chunk.toString();
        });
        socket.once('error', reject);
        socket.once('close', () => resolve(text));
      });
    });
    for (const text of await Promise.all(answers)) expect(text).to.match(/^HTTP\/1\.1 200 .*secure/s);
  });
});

describe('TurnedInput', () => {
  const PORTION = 100;
  let server: Server;
  let client: RawConnection;
  let near: Socket;
  let turns: FairTurns;
  let portions: Buffer[];
  let events: string[];
  let isFull: boolean;
  let isHeld: boolean;
  let input: TurnedInput;
  const text = () => Buffer.concat(portions).toString('latin1');
  /** Has a turn that never comes, until `release`. */
  let release: () => void;

  beforeEach(async () => {
    const later: (() => void)[] = [];
    isHeld = true;
    let milliseconds = 0;
    turns = new FairTurns({
      now: () => milliseconds++,
      nextTurn: (run) => {
        if (isHeld) later.push(run);
        else setImmediate(run);
      },
    });
    release = () => {
      isHeld = false;
      for (const run of later.splice(0)) run();
    };
    portions = [];
    events = [];
    isFull = false;
    server = createServer({ allowHalfOpen: true });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const accepted = new Promise<Socket>((resolve) => server.once('connection', resolve));
    const address = server.address();
    client = await RawConnection.open(typeof address === 'object' ? (address?.port ?? 0) : 0);
    near = await accepted;
    near.on('data', (portion) => portions.push(portion));
    near.on('end', () => events.push(`end after ${portions.length}`));
    near.on('close', () => events.push('close'));
    near.on('error', () => {});
    input = new TurnedInput(near, turns, {
      peer: () => 'client',
      begins: false,
      portion: ({ length }) => Math.min(PORTION, length),
      isFull: () => isFull,
    });
  });

  afterEach(() => {
    release();
    client.close();
    near.destroy();
    server.close();
  });

  /** Everything waits from now on. */
  const occupy = () => turns.run('somebody', () => !isHeld);

  it('feeds what comes in its order, portion by portion, and the end after all of it', async () => {
    occupy();
    const sent = Array.from({ length: 5_000 }, (_, at) => String(at).padStart(6)).join('');
    await client.send(sent);
    client.socket.end();
    await eventually(() => near.readableLength > 0 || undefined);
    expect(portions, 'before its turn').to.have.length(0);
    release();
    await eventually(() => events.length > 0 || undefined);
    expect(text()).to.equal(sent);
    expect(events[0]).to.equal(`end after ${portions.length}`);
    expect(Math.max(...portions.map(({ length }) => length))).to.equal(PORTION);
  });

  it(`stops reading while it waits: no more than ${MOST_UNREAD_BYTES} bytes`, async () => {
    occupy();
    const sent = Buffer.alloc(64 << 20, 'x');
    client.socket.write(sent);
    await eventually(() => near.bytesRead > 0 || undefined);
    // the system takes some, and then the client has to wait
    let before = -1;
    await eventually(() => {
      const isStill = before === client.socket.bytesWritten - client.socket.writableLength;
      before = client.socket.bytesWritten - client.socket.writableLength;
      return isStill || undefined;
    });
    expect(near.bytesRead).to.be.within(1, MOST_UNREAD_BYTES);
    expect(client.socket.writableLength).to.be.greaterThan(0);
  });

  it('reads nothing while it is full, and goes on afterwards', async () => {
    isFull = true;
    await client.send('abc');
    await eventually(() => near.readableLength > 0 || undefined);
    expect(portions).to.have.length(0);
    isFull = false;
    input.goOn();
    await eventually(() => portions.length > 0 || undefined);
    expect(text()).to.equal('abc');
  });

  it('respects a pause of the protocol while it has its turn', async () => {
    near.on('data', () => {});
    occupy();
    await client.send('x'.repeat(3 * PORTION));
    await eventually(() => near.readableLength > 0 || undefined);
    const { push } = portions;
    portions.push = (portion) => {
      near.pause();
      return push.call(portions, portion);
    };
    release();
    await eventually(() => portions.length > 0 || undefined);
    for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate);
    expect(portions).to.have.length(1);
    near.resume();
    await eventually(() => portions.length > 1 || undefined);
  });

  it('gives the bytes that were not fed to who comes next', async () => {
    const { push } = portions;
    let rest: Buffer | undefined;
    portions.push = (portion) => {
      rest ??= input.release();
      return push.call(portions, portion);
    };
    await client.send(`${'x'.repeat(PORTION)}next`);
    await eventually(() => rest);
    expect(rest?.toString()).to.equal('next');
    expect(text()).to.equal('x'.repeat(PORTION));
  });

  it('leaves nothing behind of a client that has gone', async () => {
    occupy();
    await client.send('abc');
    await eventually(() => near.readableLength > 0 || undefined);
    client.socket.resetAndDestroy();
    await eventually(() => events.includes('close') || undefined);
    release();
    for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate);
    expect([portions.length, near.readableLength]).to.deep.equal([0, 0]);
  });
});
