import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { expect } from 'chai';
import pino from 'pino';
import { type RunningSite, startSite } from '../support/site.js';

/** 1000 hundredths of a second, less what the clocks of timers and tests may differ by. */
const LEAST_MILLISECONDS = 9_900;

describe('the shipped scenarios', () => {
  const sockets: Socket[] = [];
  let service: Server;
  let site: RunningSite;

  before(async () => {
    service = createServer((socket) => sockets.push(socket.resume())).listen(0, '127.0.0.1');
    await once(service, 'listening');
    const { port } = service.address() as { port: number };
    site = await startSite({ service: `127.0.0.1:${port}`, maxTime: 1_000, log: pino({ enabled: false }) });
  });
  after(async () => {
    await site.stop();
    for (const socket of sockets) socket.destroy();
    service.close();
  });

  it('wait 1000 hundredths of a second for a silent service, then answer', async () => {
    const waitOf = async (transaction: string) => {
      const begun = performance.now();
      const { status } = await fetch(`${site.url}/WS1.HTML+${transaction}?FROMCURRENCY=EUR&TOCURRENCY=USD`);
      return { status, isLong: performance.now() - begun >= LEAST_MILLISECONDS };
    };
    const waits = await Promise.all(['WS3', 'WS4'].map(waitOf));
    expect(waits).to.deep.equal([
      { status: 200, isLong: true },
      { status: 200, isLong: true },
    ]);
    expect(sockets).to.have.length(2);
  }).timeout(60_000);
});
