import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect } from 'chai';
import { silentLog } from '../../src/lib/log/log.js';
import { startServer } from '../../src/server/server.js';
import { freePort } from '../support/free-port.js';
import { ExchangeSite } from './exchange-site.js';

/** Ports can be had again. */
describe('parts of a server', () => {
  it('are stopped where a later one cannot start, which says why', async () => {
    const site = new ExchangeSite();
    const port = await freePort();
    const hosts = `SIM: { simulated: true, users: { DEMO: demo }, listen: '127.0.0.1:${port}' }`;
    mkdirSync(join(site.folder, 'data'));
    writeFileSync(join(site.folder, 'data', 'macros'), 'no folder');
    const configuration = await site.configuration({ hosts, more: 'macros: ./data/macros' });
    let reason = '';
    await startServer(configuration, silentLog).catch((error: Error) => {
      reason = error.message;
    });
    expect(reason).to.include(join('data', 'macros'));
    await listenOnce(port);
    await site.stop();
  });

  it('take no other configuration once they stop', async () => {
    const site = new ExchangeSite();
    await site.start();
    const next = await site.configuration({ pages: 'new/pages' });
    const stopped = site.stop();
    let reason = '';
    await site.replaceBy(next).catch((error: Error) => {
      reason = error.message;
    });
    expect(reason).to.equal('the server stops');
    await stopped;
  });
});

async function listenOnce(port: number): Promise<void> {
  const server = createServer().listen(port, '127.0.0.1');
  await once(server, 'listening');
  server.close();
  await once(server, 'close');
}
