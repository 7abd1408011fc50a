import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import WebSocket, { WebSocketServer } from 'ws';
import { SocketPings } from '../../src/web/terminal/socket-upgrade.js';
import { eventually } from '../support/eventually.js';

const ROUND_MILLISECONDS = 1_000;

describe('pings', () => {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  const pings = new SocketPings(server.clients, ROUND_MILLISECONDS);
  server.on('connection', (socket) => pings.watch(socket));

  after(() => {
    pings.stop();
    for (const socket of server.clients) socket.terminate();
    server.close();
  });

  function connect(answers: boolean): { socket: WebSocket; pinged: number[]; closed: () => number | undefined } {
    const socket = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`, { autoPong: answers });
    const pinged: number[] = [];
    let closedAt: number | undefined;
    socket.on('ping', () => pinged.push(performance.now()));
    socket.on('close', () => {
      closedAt = performance.now();
    });
    return { socket, pinged, closed: () => closedAt };
  }

  it('come once a round however few the sockets are, and cut off who has not answered by the next', async () => {
    const silent = connect(false);
    const [first, second] = [connect(true), connect(true)];
    const closed = await eventually(() => silent.closed());
    expect(silent.pinged).to.have.length(1);
    // never within the part of a round that a mere slow answer takes
    expect(closed - (silent.pinged[0] as number)).to.be.greaterThan(ROUND_MILLISECONDS / 2);
    for (const { pinged, closed: isClosed, socket } of [first, second]) {
      await eventually(() => (pinged.length >= 3 ? true : undefined));
      const [one = 0, , three = 0] = pinged;
      expect(three - one).to.be.greaterThan(ROUND_MILLISECONDS);
      expect(isClosed()).to.equal(undefined);
      expect(socket.readyState).to.equal(WebSocket.OPEN);
    }
  });
});
