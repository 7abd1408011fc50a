import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createServer as createTlsServer, TLSSocket } from 'node:tls';
import { expect } from 'chai';
import { detailText } from '../../../src/lib/locale.js';
import type { HostSession } from '../../../src/tn3270/host/host-session.js';
import { makeCertificate } from '../../support/certificate.js';
import { eventually } from '../../support/eventually.js';
import { needCommand } from '../../support/need.js';
import { AGREEMENT, BIND } from '../../support/scripted-host.js';
import { ScriptedSessions, shows } from './scripted-sessions.js';

describe('a host session over TLS', () => {
  const sessions = new ScriptedSessions();
  const { scripted, connect } = sessions;
  afterEach(() => sessions.close());

  const files = { cert: '', key: '' };
  let server: ReturnType<typeof createTlsServer>;
  let port = 0;

  before(async function () {
    needCommand(this, 'openssl');
    Object.assign(files, makeCertificate());
    server = createTlsServer({ cert: readFileSync(files.cert), key: readFileSync(files.key) }, (socket) => {
      socket.on('error', () => undefined);
      // DO STARTTLS, which is there
      socket.write(Buffer.from('fffd2e fffa2e01fff0'.replace(' ', ''), 'hex'));
      socket.write(Buffer.from('hello'));
    });
    server.on('tlsClientError', () => undefined);
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    port = (server.address() as AddressInfo).port;
  });

  after(() => server?.close());

  it('trusts its own authority, by address and by name', async () => {
    const ca = readFileSync(files.cert);
    for (const tls of [{ ca }, { ca, serverName: 'localhost' }, { verify: false }]) {
      const { session } = connect({ port, tls });
      await shows(session, 'hello');
      expect(session.secured).to.match(/^TLSv1\.[23] /);
    }
  });

  it('refuses a certificate that nobody vouches for, and one for another name, and says what to do', async () => {
    for (const [tls, expected] of [
      [{}, /self-signed; configure it as tls\.ca/],
      [
        { ca: readFileSync(files.cert), serverName: 'other.example' },
        /for another name; configure that name as tls\.serverName/,
      ],
    ] as const) {
      const watched = connect({ port, tls });
      const end = await eventually(() => watched.end);
      expect('detail' in end ? detailText(end.detail, 'en') : '').to.match(expected);
    }
  });

  it('says to which host it cannot connect with a key that is none', async () => {
    const { port } = await scripted();
    const watched = connect({ port, tls: { cert: readFileSync(files.cert), key: 'no key' } });
    const end = await eventually(() => watched.end);
    expect('detail' in end ? detailText(end.detail, 'en') : '').to.match(
      new RegExp(`^127\\.0\\.0\\.1:${port}: TLS failed: ERR_`),
    );
  });

  /** A host that says something, asks for TLS half-way, and says the rest over it. @returns the session with it */
  async function upgraded(before: string, over: string): Promise<HostSession> {
    const options = { cert: readFileSync(files.cert), key: readFileSync(files.key) };
    const { host, port } = await scripted();
    const { session } = connect({
      port,
      startTls: (connection, signal) => connection.startTls({ ca: readFileSync(files.cert) }, signal, 5_000),
    });
    // DO STARTTLS; the terminal answers WILL STARTTLS and FOLLOWS
    await host.send(`${before} fffd2e`);
    await host.hears('fffa2e01fff0');
    const socket = await host.connected();
    socket.removeAllListeners('data');
    await host.send('fffa2e01fff0');
    const secure = new TLSSocket(socket, { isServer: true, ...options });
    secure.on('error', () => undefined);
    secure.write(Buffer.from(over.replaceAll(' ', ''), 'hex'));
    return session;
  }

  it('starts half-way where the host asks for it, and takes nothing that was said before as said over it', async () => {
    const session = await upgraded('', Buffer.from('secret hello').toString('hex'));
    await shows(session, 'secret hello');
    expect(session.secured).to.match(/^TLSv1\.[23] /);
  });

  it('starts once: layers of TLS within one another, without end, would end the process', async () => {
    const again = 'fffd2e fffa2e01fff0';
    await shows(await upgraded('', again + Buffer.from('once').toString('hex')), 'once');
    const { session } = connect({
      port,
      tls: { verify: false },
      startTls: (connection, signal) => connection.startTls({ verify: false }, signal, 5_000),
    });
    await shows(session, 'hello');
    expect(session.agreed.own, 'STARTTLS').to.not.include(46);
  });

  it('begins no record before TLS that ends over it', async () => {
    // of NVT data
    const begun = '0500000000 4849';
    const session = await upgraded(`${AGREEMENT} ${begun}`, `${AGREEMENT} ${BIND} 0000000000 f5c2 c1c2 ffef`);
    await shows(session, 'AB');
    expect(session.secured).to.match(/^TLSv1\.[23] /);
  });

  it('gives up on a handshake that does not come about in time', async () => {
    const silent = await scripted();
    const watched = connect({ port: silent.port, tls: {}, connectMilliseconds: 100 });
    const end = await eventually(() => watched.end);
    expect('detail' in end ? detailText(end.detail, 'en') : '').to.include('did not answer in time');
  });
});
