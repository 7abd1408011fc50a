import { connect } from 'node:net';
import { expect } from 'chai';
import { silentLog } from '../../../src/lib/log/log.js';
import { InboundLine, type LineRequestListener } from '../../../src/lines/listener/inbound-line.js';
import { startSessionSite } from '../../sessions/session-site.js';
import { codeAsRefusal, lineDefinition, portOf } from './definition.js';
import { RawConnection, statusOf } from './raw-connection.js';

const simpleGet = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';

const hello: LineRequestListener = (_, response) => void response.end('hello');

async function openLine(listener = hello): Promise<InboundLine> {
  const line = new InboundLine(lineDefinition(), listener, silentLog, codeAsRefusal);
  await line.start();
  return line;
}

/** Connections that the system has accepted, and the line has not: connecting takes no turn of the event loop. */
async function queuedConnections(port: number, count: number): Promise<readonly Promise<string>[]> {
  const outcomes = Array.from({ length: count }, () => {
    const socket = connect({ port, host: '127.0.0.1' });
    socket.write(simpleGet);
    let text = '';
    socket.setEncoding('latin1').on('data', (chunk) => {
      text += chunk;
    });
    return new Promise<string>((resolve) => {
      socket.once('error', ({ message }) => resolve(message));
      socket.once('close', () => resolve(text));
    });
  });
  await new Promise<void>((resolve) => process.nextTick(resolve));
  return outcomes;
}

describe('a line that is stopped while clients come', () => {
  it('resets no connection that waits to be accepted', async () => {
    const line = await openLine();
    const outcomes = await queuedConnections(portOf(line.url), 50);
    const stopped = line.stop(60_000, { emptyingMilliseconds: 10_000 });
    for (const outcome of await Promise.all(outcomes)) {
      expect(outcome).to.match(/^HTTP\/1\.1 503 [\s\S]*\r\nConnection: close\r\n[\s\S]*SVC_ERR_SERVICE_STOPPING$/);
    }
    await stopped;
    expect(line.state).to.equal('closed');
  });

  it('resets none when the whole server stops', async () => {
    const site = await startSessionSite();
    const outcomes = await queuedConnections(portOf(site.url), 50);
    const stopped = site.stop();
    // what other parts wait for before the line stops may be longer than what the line needs to answer that there is no such page
    for (const outcome of await Promise.all(outcomes)) expect(statusOf(outcome)).to.be.oneOf([404, 503]);
    await stopped;
  });

  it('answers the first request of a connection that has just been opened', async () => {
    const line = await openLine();
    const connection = await RawConnection.open(portOf(line.url));
    // the line has let it in by the time that it answers another one
    const other = await RawConnection.open(portOf(line.url));
    await other.send(simpleGet);
    await other.until((text) => text.endsWith('hello'));
    const stopped = line.stop(60_000);
    await connection.send(simpleGet);
    expect(await connection.untilClosed()).to.match(/^HTTP\/1\.1 503 [\s\S]*SVC_ERR_SERVICE_STOPPING$/);
    await stopped;
  });

  it('serves what comes last where another one takes its place, on a connection that a client keeps too', async () => {
    const line = await openLine();
    const kept = await RawConnection.open(portOf(line.url));
    await kept.send(simpleGet);
    await kept.until((text) => text.endsWith('hello'));
    const outcomes = await queuedConnections(portOf(line.url), 5);
    const stopped = line.stop(60_000, { emptyingMilliseconds: 10_000, servesLast: true });
    await kept.send(simpleGet);
    for (const outcome of [...(await Promise.all(outcomes)), await kept.untilClosed()]) {
      expect(outcome).to.match(/HTTP\/1\.1 200 [^<]*\r\nConnection: close\r\n[\s\S]*hello$/);
    }
    await stopped;
  });

  it('reads the rest of a request that it refuses, so that no reset overtakes the answer', async () => {
    let release: (() => void) | undefined;
    const line = await openLine((_request, response) => {
      release = () => response.end('late');
    });
    const connection = await RawConnection.open(portOf(line.url));
    await connection.send(simpleGet);
    while (release === undefined) await new Promise((resolve) => setImmediate(resolve));
    const other = await RawConnection.open(portOf(line.url));
    const stopped = line.stop(60_000);
    await other.send('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n\r\n');
    await other.until((text) => text.endsWith('SVC_ERR_SERVICE_STOPPING'));
    await other.send(Buffer.alloc(1_000_000));
    await other.untilClosed();
    expect(other.socket.errored).to.equal(null);
    release();
    await connection.untilClosed();
    await stopped;
  });
});
