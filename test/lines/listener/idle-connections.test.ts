import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { expect } from 'chai';
import { portOf } from './definition.js';
import { openedLines, simpleGet } from './opened-lines.js';
import { RawConnection, statusOf } from './raw-connection.js';

describe('a connection that has been idle', () => {
  const { open } = openedLines();

  it('serves a request that came in time, and was read late because the process stood still', async () => {
    const line = await open({ limits: { idleSeconds: 1 } });
    const client = await RawConnection.open(portOf(line.url));
    await client.send(simpleGet);
    const { length } = await client.until((text) => text.endsWith('hello'));
    client.socket.write(simpleGet);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_500);
    const text = await client.until((all) => all.length > length && all.endsWith('hello'));
    expect(statusOf(text.slice(length))).to.equal(200);
    client.close();
  });

  it('serves a request that came in time, and was read late because others were served for long', async () => {
    const line = await open({ limits: { idleSeconds: 1 } });
    const client = await RawConnection.open(portOf(line.url));
    await client.send(simpleGet);
    const { length } = await client.until((text) => text.endsWith('hello'));
    const standStill = (milliseconds: number) =>
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
    // both are work for what has come over sockets: before the second one, timers are looked at
    const other = createServer((socket) => {
      socket.once('data', () => {
        sender.write('2');
        standStill(500);
        socket.once('data', () => {
          client.socket.write(simpleGet);
          standStill(1_000);
        });
      });
    }).listen(0, '127.0.0.1');
    await once(other, 'listening');
    const sender = connect((other.address() as AddressInfo).port, '127.0.0.1', () => sender.write('1'));
    const text = await client
      .until((all) => all.length > length && all.endsWith('hello'))
      .finally(() => {
        sender.destroy();
        other.close();
      });
    expect(statusOf(text.slice(length))).to.equal(200);
    client.close();
  });

  it('closes an idle connection that sends empty lines (RFC 9112, section 2.2), and serves a request behind them', async () => {
    const line = await open({ limits: { idleSeconds: 1 } });
    const connection = await RawConnection.open(portOf(line.url));
    await connection.send(`${simpleGet}\r\n\r\n`);
    await connection.until((text) => text.endsWith('hello'));
    await connection.send(`\r\n${simpleGet}`);
    await connection.until((text) => /hello[\s\S]*hello$/.test(text));
    const drip = setInterval(() => connection.socket.write('\r\n'), 100);
    try {
      expect((await connection.untilClosed()).match(/HTTP\/1\.1 200/g)).to.have.lengthOf(2);
    } finally {
      clearInterval(drip);
    }
  });
});
