import { expect } from 'chai';
import { portOf } from '../lines/listener/definition.js';
import { RawConnection } from '../lines/listener/raw-connection.js';
import { eventually } from '../support/eventually.js';
import { AGREEMENT, BIND, ScriptedHost } from '../support/scripted-host.js';
import { type SessionSite, startSessionSite } from './session-site.js';

const bytes = (text: string) => Buffer.from(text.replaceAll(' ', ''), 'hex');
/** Erase/Write, keyboard unlocked, `HI`. */
const FIRST_SCREEN = bytes(`${BIND} 00 00 00 0000 f5c3 c8c9 ffef`);
const REQUEST = 'GET /WEB2SUB.HTML+SCR HTTP/1.1\r\nHost: x\r\n\r\n';

describe('a session whose client resets at once', () => {
  let host: ScriptedHost;
  let site: SessionSite;

  before(async () => {
    host = new ScriptedHost();
    site = await startSessionSite({
      hosts: `SCR: { address: '127.0.0.1:${await host.listen()}' }`,
      transactions: 'SCR: { applicationType: 1, application: SCR }',
    });
  });

  after(async () => {
    await site.stop();
    await host.close();
  });

  async function newHostSession(before: number) {
    return eventually(() => (host.sockets.length > before ? host.sockets.at(-1) : undefined));
  }

  async function allEnd(count: number): Promise<void> {
    await eventually(() => (site.log().split('"msg":"session ended"').length > count ? true : undefined));
  }

  it('ends when the answer cannot be written any more', async () => {
    for (let count = 1; count <= 10; count++) {
      const before = host.sockets.length;
      const client = await RawConnection.open(portOf(site.url));
      await client.send(REQUEST);
      const socket = await newHostSession(before);
      socket.write(bytes(AGREEMENT));
      await host.hears('fffa 2803');
      // the server finds both at the same time: the answer is made before it knows that nobody is there
      socket.write(FIRST_SCREEN);
      client.socket.resetAndDestroy();
      await allEnd(count);
      expect(client.text).to.equal('');
    }
  });

  it('ends when the client has gone before the session began', async () => {
    const ended = site.log().split('"msg":"session ended"').length - 1;
    const began = host.sockets.length;
    const clients = await Promise.all(Array.from({ length: 40 }, () => RawConnection.open(portOf(site.url))));
    for (const { socket } of clients) socket.write(REQUEST, () => socket.resetAndDestroy());
    await eventually(() => (site.log().split('"status":499').length > 40 ? true : undefined));
    await allEnd(ended + host.sockets.length - began);
  });
});
