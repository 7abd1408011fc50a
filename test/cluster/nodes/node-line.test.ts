import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createServer as createSocketServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { NodeLine } from '../../../src/cluster/nodes/node-line.js';
import { Seal } from '../../../src/cluster/nodes/seal.js';
import { ServiceError } from '../../../src/lib/errors.js';
import { refusalOf } from '../../../src/web/forwarding/forwarding.js';
import { errorAnswer } from '../../../src/web/http/error-response.js';

const THERE = 'HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n';
const CARRIED = { line: 'C-HTTP', client: '192.0.2.1', isOverTls: false, reached: '192.0.2.2' };

const PATIENCE = { silenceMilliseconds: 50, answerMilliseconds: 60_000 };

/** Of which a node asks four times whether the other one is there. */
const ANSWER_MILLISECONDS = 200;

/** What is told of a node that is there and does not do its part. */
describe('the internal line to a node', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sallyport-node-line-'));
  const path = join(folder, 'node.sock');
  const seal = new Seal(async () => Buffer.alloc(32, 7));
  const line = new NodeLine({ kind: 'unix', path }, undefined, PATIENCE, seal);
  const impatience = { ...PATIENCE, answerMilliseconds: ANSWER_MILLISECONDS };
  const impatient = new NodeLine({ kind: 'unix', path }, undefined, impatience, seal);
  let node: Server | undefined;

  before(() => seal.begin());
  afterEach(async () => {
    line.close();
    impatient.close();
    if (node?.listening) await once(node.close(), 'close');
  });
  after(() => rmSync(folder, { recursive: true }));

  /** @param says what the node answers to whatever it gets; empty: nothing */
  async function begin(says: string): Promise<void> {
    node = createSocketServer((socket) => {
      socket.on('error', () => {}).on('data', () => says !== '' && socket.end(says));
    }).listen(path);
    await once(node, 'listening');
  }

  /** @param look what it answers to whoever asks whether it is there, and whether it answers the request then */
  async function beginSilent(look: (looks: number) => { readonly says: string; readonly answersRequest: boolean }) {
    let asking: Socket | undefined;
    let looks = 0;
    node = createSocketServer((socket) => {
      socket
        .on('error', () => {})
        .on('data', (data) => {
          if (/^x-passed:/im.test(String(data))) {
            asking = socket;
            return;
          }
          const { says, answersRequest } = look(++looks);
          socket.end(says);
          if (answersRequest) asking?.end('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n');
        });
    }).listen(path);
    await once(node, 'listening');
    return () => looks;
  }

  /**
   * What comes of a request of a client, which is passed on.
   * @param silenceMilliseconds of this request; not given: that of the line
   */
  function passed(silenceMilliseconds?: number, by = line): Promise<ServiceError | IncomingMessage> {
    const own = silenceMilliseconds === undefined ? {} : { silenceMilliseconds };
    return asked((incoming) => by.pass(incoming, CARRIED, { whenGone: () => {}, ...own }));
  }

  async function asked<T>(pass: (incoming: IncomingMessage) => Promise<T>): Promise<T | ServiceError> {
    const front = createServer().listen(0, '127.0.0.1');
    await once(front, 'listening');
    const where = { port: (front.address() as AddressInfo).port, host: '127.0.0.1', headers: { 'X-Passed': 'yes' } };
    const client = request(where).end();
    client.on('error', () => {});
    try {
      const [incoming] = (await once(front, 'request')) as [IncomingMessage];
      return await pass(incoming).catch((error: unknown) => error as ServiceError);
    } finally {
      client.destroy();
      front.close();
    }
  }
  /** A node that says that it is there; to the first request it says this at once, and that after so many looks. */
  async function beginThere(head: string, rest = '', looksBefore = 0): Promise<void> {
    let asking: Socket | undefined;
    let looks = 0;
    node = createSocketServer((socket) => {
      socket.on('error', () => {});
      socket.on('data', (data) => {
        if (/^x-passed:/im.test(String(data))) {
          if (asking === undefined && head !== '') socket.write(head);
          asking = socket;
          return;
        }
        socket.end(THERE);
        if (rest !== '' && ++looks === looksBefore) asking?.end(rest);
      });
    }).listen(path);
    await once(node, 'listening');
  }

  const toldOf = (outcome: unknown) => {
    expect(outcome).to.be.instanceOf(ServiceError);
    const { status, body } = errorAnswer(outcome as ServiceError, 'text/html', 'r-1', 'en');
    return { code: (outcome as ServiceError).code, status, text: body.toString() };
  };

  it('answers with 504 where the node took a request and is silent, and says so', async () => {
    await begin('');
    const { code, status, text } = toldOf(await passed(50));
    expect([code, status]).to.deep.equal(['SVC_ERR_NODE_LATE', 504]);
    expect(text).to.include('has not answered in time');
  });

  it('waits for a node that says that it is there, again and again', async () => {
    const looks = await beginSilent((count) => ({
      says: THERE,
      answersRequest: count === 3,
    }));
    expect(await passed()).to.include({ statusCode: 200 });
    expect(looks()).to.equal(3);
  });

  it('answers with 504 where a silent node does not say so any more', async () => {
    const looks = await beginSilent((count) => ({
      says: count === 1 ? THERE : '',
      answersRequest: false,
    }));
    expect(toldOf(await passed())).to.include({ code: 'SVC_ERR_NODE_LATE', status: 504 });
    expect(looks()).to.equal(2);
  });

  it('answers with 504 where a node says that it is there, and has not answered when the time is over', async () => {
    await beginThere('');
    const { code, status, text } = toldOf(await passed(undefined, impatient));
    expect([code, status]).to.deep.equal(['SVC_ERR_NODE_LATE', 504]);
    expect(text).to.include('<!DOCTYPE html>').and.to.include('has not answered in time');
    const upgraded = await asked((incoming) => impatient.upgrade(incoming, CARRIED));
    expect(toldOf(upgraded)).to.include({ code: 'SVC_ERR_NODE_LATE', status: 504 });
  });

  it('has no limit for an answer that has begun', async () => {
    await beginThere('HTTP/1.1 200 OK\r\nContent-Length: 8\r\n\r\nabcd', 'efgh', 12);
    const answer = (await passed(undefined, impatient)) as IncomingMessage;
    expect(answer.statusCode).to.equal(200);
    expect(Buffer.concat(await answer.toArray()).toString()).to.equal('abcdefgh');
  });

  it('has no limit for a WebSocket, once it is taken', async () => {
    await beginThere('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
    const taken = await asked((incoming) => impatient.upgrade(incoming, CARRIED));
    if (!('kind' in taken) || taken.kind !== 'taken') return expect.fail('it was refused');
    const { socket } = taken;
    const closed = once(socket, 'close');
    // the limit of a request that was passed on later is over first
    const late = await passed(undefined, impatient).then((outcome) => outcome instanceof ServiceError);
    expect([late, socket.destroyed]).to.deep.equal([true, false]);
    socket.destroy();
    await closed;
  });

  it('gives up a refusal that does not end', async () => {
    await beginThere('HTTP/1.1 404 Not Found\r\nContent-Length: 8\r\n\r\nabcd');
    const answer = (await passed(undefined, impatient)) as IncomingMessage;
    expect(answer.statusCode).to.equal(404);
    const cut = await refusalOf(answer).catch((error: unknown) => error);
    expect(toldOf(cut)).to.include({ code: 'SVC_ERR_NODE_UNREACHABLE', status: 503 });
  });

  it('answers with 503 where nothing listens, or what answers is no node', async () => {
    for (const says of [undefined, 'no HTTP\r\n\r\n', 'HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n']) {
      if (says !== undefined) await begin(says);
      const { code, status, text } = toldOf(await passed(60_000));
      expect([code, status], says).to.deep.equal(['SVC_ERR_NODE_UNREACHABLE', 503]);
      expect(text).to.include('cannot be reached at the moment');
      if (node?.listening) await once(node.close(), 'close');
    }
  });

  it('reads 262,144 characters of what a node says of itself, and no more', async () => {
    for (const [length, told] of [
      [262_144, 'read'],
      [262_145, 'SVC_ERR_NODE_UNREACHABLE: its answer is too long'],
    ] as const) {
      await begin(`HTTP/1.1 200 OK\r\nContent-Length: ${length}\r\nConnection: close\r\n\r\n${'x'.repeat(length)}`);
      const read = (text: string) => (text === 'x'.repeat(length) ? 'read' : text.length);
      const outcome = await line.loadOf('A').then(read, ({ code, detail }: ServiceError) => `${code}: ${detail}`);
      expect(outcome, `${length}`).to.equal(told);
      await once((node as Server).close(), 'close');
    }
  });

  it('takes an answer of a node', async () => {
    await begin(THERE.replace('\r\n', '\r\nX-Request-Id: r-1\r\n'));
    expect(await passed(60_000)).to.include({ statusCode: 204 });
  });

  it('takes no answer of a node that did not open its seal: another key, or a version that knows no seals', async () => {
    for (const says of [THERE, 'HTTP/1.1 400 Bad Request\r\nSallyport-Refused: seal\r\nConnection: close\r\n\r\n']) {
      await begin(says);
      expect(toldOf(await passed(60_000))).to.include({ code: 'SVC_ERR_NODE_UNREACHABLE', status: 503 });
      await once((node as Server).close(), 'close');
    }
  });
});
