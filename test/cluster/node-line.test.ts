import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createServer as createSocketServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { NodeLine } from '../../src/cluster/node-line.js';
import { ServiceError } from '../../src/errors.js';
import { errorAnswer } from '../../src/web/http/error-response.js';

const CARRIED = { line: 'C-HTTP', client: '192.0.2.1', isOverTls: false, reached: '192.0.2.2' };

const SILENCE_MILLISECONDS = 50;

/** What is told of a node that is there and does not do its part. */
describe('the internal line to a node', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sallyport-node-line-'));
  const path = join(folder, 'node.sock');
  const line = new NodeLine({ kind: 'unix', path }, undefined, SILENCE_MILLISECONDS);
  let node: Server | undefined;

  afterEach(async () => {
    line.close();
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
          if (/^sallyport-carried:/im.test(String(data))) {
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
  async function passed(silenceMilliseconds?: number): Promise<ServiceError | IncomingMessage> {
    const front = createServer().listen(0, '127.0.0.1');
    await once(front, 'listening');
    const client = request({ port: (front.address() as AddressInfo).port, host: '127.0.0.1' }).end();
    client.on('error', () => {});
    try {
      const [incoming] = (await once(front, 'request')) as [IncomingMessage];
      return await line
        .pass(incoming, CARRIED, {
          whenGone: () => {},
          ...(silenceMilliseconds === undefined ? {} : { silenceMilliseconds }),
        })
        .catch((error: unknown) => error as ServiceError);
    } finally {
      client.destroy();
      front.close();
    }
  }
  const toldOf = (outcome: ServiceError | IncomingMessage) => {
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
      says: 'HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n',
      answersRequest: count === 3,
    }));
    expect(await passed()).to.include({ statusCode: 200 });
    expect(looks()).to.equal(3);
  });

  it('answers with 504 where a silent node does not say so any more', async () => {
    const looks = await beginSilent((count) => ({
      says: count === 1 ? 'HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n' : '',
      answersRequest: false,
    }));
    expect(toldOf(await passed())).to.include({ code: 'SVC_ERR_NODE_LATE', status: 504 });
    expect(looks()).to.equal(2);
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

  it('takes an answer of a node', async () => {
    await begin('HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n');
    expect(await passed(60_000)).to.include({ statusCode: 204 });
  });
});
