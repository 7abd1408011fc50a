import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createServer as createTlsServer, TLSSocket } from 'node:tls';
import { expect } from 'chai';
import type { HostSessionEnd } from '../../machines/host-session.machine.js';
import { findTerminalCodePage } from '../../src/codepage/terminal-code-page.js';
import { type HostTlsOptions, MOST_WAITING_BYTES, openHostConnection } from '../../src/host/host-connection.js';
import { HostSession } from '../../src/host/host-session.js';
import { allFunctions, type HostSessionOptions } from '../../src/host/host-session-options.js';
import { HostTrace, MOST_TRACE_BYTES } from '../../src/host/host-trace.js';
import { soundValue } from '../../src/read-outcome.js';
import { findTerminalModel } from '../../src/screen/screen-size.js';
import { makeCertificate } from '../support/certificate.js';
import { eventually } from '../support/eventually.js';
import { needCommand } from '../support/need.js';
import { AGREEMENT, BIND, ScriptedHost } from '../support/scripted-host.js';

interface Watched {
  readonly session: HostSession;
  readonly faults: string[];
  end: HostSessionEnd | undefined;
}

interface Options extends Partial<HostSessionOptions> {
  readonly port: number;
  readonly host?: string;
  readonly tls?: HostTlsOptions;
  readonly connectMilliseconds?: number;
}

describe('host session', () => {
  const hosts: ScriptedHost[] = [];
  const sessions: HostSession[] = [];

  afterEach(async () => {
    for (const session of sessions.splice(0)) session.stop();
    for (const host of hosts.splice(0)) await host.close();
  });

  async function scripted() {
    const host = new ScriptedHost();
    hosts.push(host);
    return { host, port: await host.listen() };
  }

  function connect({ port, host = '127.0.0.1', tls, connectMilliseconds = 5_000, ...further }: Options): Watched {
    const model = soundValue(findTerminalModel('3279-2-E'));
    const codePage = findTerminalCodePage('cp037');
    if (codePage === undefined) throw new Error('no code page');
    const address = { host, port };
    const watched: { session?: HostSession; faults: string[]; end: HostSessionEnd | undefined } = {
      faults: [],
      end: undefined,
    };
    const session = new HostSession(
      {
        model,
        codePage,
        entryRules: { numericLock: false, blankFill: false },
        deviceNames: [],
        tn3270e: true,
        functions: allFunctions,
        environment: new Map(),
        connect: (handler, signal) =>
          openHostConnection({ address, connectMilliseconds, signal, ...(tls === undefined ? {} : { tls }) }, handler),
        startTls: undefined,
        negotiationMilliseconds: 5_000,
        keepAlive: undefined,
        trace: undefined,
        ...further,
      },
      {
        changed: () => undefined,
        fault: (fault) => watched.faults.push(fault.reason),
        ended: (end) => {
          watched.end = end;
        },
      },
    );
    watched.session = session;
    sessions.push(session);
    session.connect();
    return watched as Watched;
  }

  const text = (session: HostSession, length: number) => session.screen.image.cells.slice(0, length).join('');
  const shows = (session: HostSession, expected: string) =>
    eventually(() => (text(session, expected.length) === expected ? true : undefined));

  it('agrees on TN3270E, is bound, draws and confirms (RFC 2355, sections 7 to 10)', async () => {
    const { host, port } = await scripted();
    const { session } = connect({ port });
    await host.send(`${AGREEMENT} ${BIND} 00 00 02 0007 f5c2 c1c2 ffef`);
    await shows(session, 'AB');
    expect(session.deviceName).to.equal('TEST');
    await host.hears('02 00 00 0007 00 ffef');
    await host.send('00 00 01 0008 f1c2 11 ffff ffff ffef');
    await host.hears('02 00 01 0008 02 ffef');
    await host.send('00 00 01 0009 99 ffef');
    await host.hears('02 00 01 0009 00 ffef');
    await shows(session, 'AB');
  });

  it('does so with a stream of single bytes', async () => {
    const { host, port } = await scripted();
    const { session } = connect({ port });
    const stream = `${AGREEMENT} ${BIND} 00 00 00 0001 f5c2 c1ffffc2 ffef`.replaceAll(' ', '');
    for (let at = 0; at < stream.length; at += 2) await host.send(stream.slice(at, at + 2));
    await shows(session, 'A●B');
  });

  it('disregards data before it is bound, and is unbound', async () => {
    const { host, port } = await scripted();
    const { session } = connect({ port });
    await host.send(`${AGREEMENT} 0000000000 f5c2 c1 ffef ${BIND} 0000000000 f5c2 c2 ffef`);
    await shows(session, 'B');
    await host.send('0400000000 01 ffef fffd06');
    await host.hears('fffb06');
    expect([session.screen.partner, text(session, 1)]).to.deep.equal(['unbound', ' ']);
  });

  it('answers a bid, and restores the keyboard where contention resolution says so', async () => {
    const { host, port } = await scripted();
    const { session } = connect({ port });
    const agreement = AGREEMENT.replace('000204', '00020405');
    await host.send(`${agreement} ${BIND} 09 00 02 0001 ffef`);
    await host.hears('02 00 00 0001 00 ffef');
    await host.send('00 03 00 0002 f5c0 1d40 13 ffef');
    await eventually(() => (session.screen.image.formatted ? true : undefined));
    session.screen.keyboard.press('Enter');
    expect(session.screen.image.locked).to.equal(true);
    await host.send('00 03 00 0003 f1c0 c1 ffef');
    await eventually(() => (session.screen.image.locked ? undefined : true));
  });

  it('goes over to plain TN3270 where the host leaves TN3270E', async () => {
    const { host, port } = await scripted();
    const { session } = connect({ port });
    await host.send(`${AGREEMENT} ${BIND} 0000000000 f5c2 c1 ffef`);
    await shows(session, 'A');
    await host.send('fffc28 fffd18 fffa1801fff0 fffd19 fffb19 fffd00 fffb00 f5c2 c2c3 ffef');
    await shows(session, 'BC');
    expect(session.mode).to.equal('tn3270');
  });

  it('shows a line terminal where the host is none of 3270', async () => {
    const { host, port } = await scripted();
    const { session } = connect({ port });
    await host.send(Buffer.from('login: ').toString('hex'));
    await shows(session, 'login: ');
    session.screen.keyboard.type('me');
    session.screen.keyboard.press('Enter');
    await host.hears(Buffer.from('me\r\n').toString('hex'));
  });

  it('sends ATTN and SYS REQ as TN3270E has them', async () => {
    const { host, port } = await scripted();
    const { session } = connect({ port });
    await host.send(`${AGREEMENT} ${BIND} 0000000000 f5c2 c1 ffef`);
    await shows(session, 'A');
    session.attention();
    await host.hears('fff4');
    session.systemRequest();
    await host.hears('fff5');
  });

  it('is with the services of the host after SYS REQ, and with the application after the next', async () => {
    const { host, port } = await scripted();
    const { session } = connect({ port });
    await host.send(`${AGREEMENT} ${BIND} 0000000000 f5c2 c1 ffef`);
    await shows(session, 'A');
    session.systemRequest();
    expect(session.screen.partner).to.equal('services');
    session.screen.keyboard.type('me');
    session.screen.keyboard.press('Enter');
    await host.hears('fff50700000000');
    session.systemRequest();
    expect(session.screen.partner).to.equal('application');
  });

  it('lives on after records that are wrong, and says what was', async () => {
    const { host, port } = await scripted();
    const { session, faults } = connect({ port });
    await host.send(`${AGREEMENT} ${BIND} 0000000000 f5c2 c1 ffef 0000 ffef 0000000000 f1c2 1d ffef fffd06`);
    await host.hears('fffb06');
    expect(faults).to.have.length(2);
    await host.send('0000000000 f1c2 c1c2 ffef');
    await shows(session, 'AB');
  });

  for (const [what, options, expected] of [
    ['refused', { port: 1 }, /127\.0\.0\.1:1: nothing listens there \(ECONNREFUSED\)/],
    ['not known', { port: 1, host: 'no.such.host.invalid' }, /no\.such\.host\.invalid:1: its name is not known/],
  ] as const) {
    it(`says that a connection is ${what}`, async () => {
      const watched = connect(options);
      const end = await eventually(() => watched.end);
      expect(end.kind).to.equal('failed');
      expect('detail' in end ? end.detail : '').to.match(expected);
    });
  }

  it('ends where the host ends, and where the connection is cut', async () => {
    for (const cut of [false, true]) {
      const { host, port } = await scripted();
      const watched = connect({ port });
      const socket = await host.connected();
      if (cut) socket.resetAndDestroy();
      else socket.end();
      const end = await eventually(() => watched.end);
      expect(end.kind).to.equal(cut ? 'failed' : 'hostEnded');
      expect(watched.session.isConnected).to.equal(false);
    }
  });

  it('does not take it for an end where the connection is cut in the middle of a record', async () => {
    for (const [sent, isCut] of [
      [`${AGREEMENT} ${BIND}`, false],
      [`${AGREEMENT} ${BIND} 0000000000 f5c3 11`, true],
      [`${AGREEMENT} ${BIND} 0000000000 f5c3 ff`, true],
      [`${AGREEMENT} ${BIND} fffa28`, true],
    ] as const) {
      const { host, port } = await scripted();
      const watched = connect({ port });
      await host.send(sent);
      (await host.connected()).end();
      expect(await eventually(() => watched.end), sent).to.deep.equal(
        isCut ? { kind: 'failed', detail: 'the connection was cut in the middle of a record' } : { kind: 'hostEnded' },
      );
    }
  });

  it('ends where the host says nothing in time', async () => {
    const { port } = await scripted();
    const watched = connect({ port, negotiationMilliseconds: 50 });
    expect((await eventually(() => watched.end)).kind).to.equal('silent');
  });

  it('ends where every device is refused', async () => {
    const { host, port } = await scripted();
    const watched = connect({ port, deviceNames: ['LU1'] });
    await host.send('fffd28 fffa280802fff0 fffa2802060501fff0');
    expect(await eventually(() => watched.end)).to.deep.equal({
      kind: 'deviceRefused',
      refusals: [{ device: 'logical unit LU1', reason: 'it is in use' }],
    });
  });

  it('ends a connection to a host that asks and does not read', async () => {
    const { host, port } = await scripted();
    const watched = connect({ port });
    (await host.connected()).pause();
    await host.send(`${AGREEMENT} ${BIND}`);
    const reads = '0000000000 f2 ffef'.repeat(2_000);
    const stop = { now: false };
    (async () => {
      while (!stop.now) {
        await host.send(reads);
        await new Promise((resolve) => setImmediate(resolve));
      }
    })().catch(() => undefined);
    // either it fails past the bound, or reading stops before: the memory is bounded both ways
    const waiting = () => host.sockets[0]?.writableLength ?? 0;
    await eventually(() => (watched.end !== undefined || waiting() > 4 * MOST_WAITING_BYTES ? true : undefined));
    stop.now = true;
  });

  it('sends something into a silence, to keep the connection', async () => {
    for (const [by, expected] of [
      ['noOperation', 'fff1'],
      ['timingMark', 'fffd06'],
    ] as const) {
      const { host, port } = await scripted();
      connect({ port, keepAlive: { milliseconds: 40, by } });
      await host.hears(`${expected}${expected}`);
    }
  });

  it('traces both ways in lines that others can read, up to a bound, and masks what is not displayed', async () => {
    const { host, port } = await scripted();
    const lines: string[] = [];
    const { session } = connect({ port, trace: new HostTrace({ write: (line) => lines.push(line) }) });
    await host.send(`${AGREEMENT} ${BIND} 0000000000 f5c2 1d40 13 0000 1d4c 000000 1d60 ffef`);
    await eventually(() => (session.screen.image.formatted ? true : undefined));
    session.screen.keyboard.type('ABCAT');
    session.screen.keyboard.press('Enter');
    await host.hears('c3c1e3');
    const sent = lines.filter((line) => /^> 0x[0-9a-f]+\s+[0-9a-f]+\s*$/.test(line)).join('\n');
    expect(sent).to.include('c1c2');
    expect(sent).to.include('5c5c5c').and.not.include('c3c1e3');
    expect(lines.some((line) => /^< 0x0\s+/.test(line))).to.equal(true);
    expect(
      lines.some((line) => /^< 0x20\s+/.test(line)),
      'further lines of one transfer',
    ).to.equal(true);
    const short: string[] = [];
    const bounded = new HostTrace({ write: (line) => short.push(line) }, 200);
    for (let written = 0; written < 100; written++) bounded.received(Uint8Array.of(1, 2, 3));
    expect(short.at(-1)).to.include('the trace ends here');
    expect(short.join('\n').length).to.be.below(400);
    expect(MOST_TRACE_BYTES).to.be.greaterThan(1 << 20);
  });

  describe('over TLS', () => {
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
        [{}, /self-signed: give that certificate as tls\.ca/],
        [
          { ca: readFileSync(files.cert), serverName: 'other.example' },
          /for another name: give that name as tls\.serverName/,
        ],
      ] as const) {
        const watched = connect({ port, tls });
        const end = await eventually(() => watched.end);
        expect('detail' in end ? end.detail : '').to.match(expected);
      }
    });

    it('says to which host it cannot connect with a key that is none', async () => {
      const { port } = await scripted();
      const watched = connect({ port, tls: { cert: readFileSync(files.cert), key: 'no key' } });
      const end = await eventually(() => watched.end);
      expect('detail' in end ? end.detail : '').to.match(new RegExp(`^127\\.0\\.0\\.1:${port}: TLS failed: ERR_`));
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
      expect('detail' in end ? end.detail : '').to.include('did not answer in time');
    });
  });
});
