import { readFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { expect } from 'chai';
import { detailText } from '../../../src/lib/locale.js';
import { openHostConnection } from '../../../src/tn3270/host/host-connection.js';
import { probeStartTls } from '../../../src/tn3270/host/start-tls.js';
import { makeCertificate } from '../../support/certificate.js';
import { eventually } from '../../support/eventually.js';
import { needCommand } from '../../support/need.js';
import { TestPrinter } from '../../support/printing-host.js';
import { ScriptedSessions, shows } from './scripted-sessions.js';

const hex = (text: string) => Buffer.from(text.replaceAll(' ', ''), 'hex');

/** DO STARTTLS. */
const DO = 'fffd2e';
/** SB STARTTLS FOLLOWS SE, of either side. */
const FOLLOWS = 'fffa2e01fff0';
/** WILL STARTTLS and FOLLOWS: all that may leave this end in clear text. */
const AGREED = `fffb2e${FOLLOWS}`;
/** DO TERMINAL-TYPE, and the question for it. */
const TERMINAL_TYPE = 'fffd18 fffa1801fff0';
const HELLO = Buffer.from('hello').toString('hex');
/** The server sends a record to the device: header of 3270 data, erase/write, and an A. */
const RECORD = '0000000000 f5c2 c1 ffef';

interface Attack {
  readonly name: string;
  /** Bytes of the host for the terminal, as hexadecimal; `TLS`: the handshake follows. Each part after an answer of the terminal, except the first. */
  readonly sends: readonly string[];
  /** The connection is closed after the parts. */
  readonly closes?: boolean;
  readonly reason: RegExp;
  /** Clear text that the terminal has sent. */
  readonly sent: string;
}

const attacks: readonly Attack[] = [
  { name: 'silence, as if DO STARTTLS were removed', sends: [''], reason: /it did not do so in time/, sent: '' },
  { name: 'another option first', sends: ['fffd28'], reason: /it sent DO 40 first/, sent: '' },
  { name: 'another option, and STARTTLS after it', sends: [`fffd18${DO}`], reason: /it sent DO 24 first/, sent: '' },
  { name: 'WILL of another option', sends: [`fffb00${DO}`], reason: /it sent WILL 0 first/, sent: '' },
  { name: 'a timing mark', sends: [`fffd06${DO}`], reason: /it sent DO 6 first/, sent: '' },
  { name: 'WONT STARTTLS', sends: ['fffc2e'], reason: /it rejected STARTTLS \(WONT\)/, sent: '' },
  { name: 'DONT STARTTLS', sends: ['fffe2e'], reason: /it rejected STARTTLS \(DONT\)/, sent: '' },
  { name: 'DONT STARTTLS after DO', sends: [DO, 'fffe2e'], reason: /it rejected STARTTLS \(DONT\)/, sent: AGREED },
  { name: 'a command', sends: [`fff6${DO}`], reason: /it sent command 246 first/, sent: '' },
  { name: 'a subnegotiation', sends: [`fffa1801fff0${DO}`], reason: /it sent a subnegotiation first/, sent: '' },
  { name: 'an option between DO and FOLLOWS', sends: [DO, 'fffd18'], reason: /it sent DO 24 first/, sent: AGREED },
  { name: 'a question for the terminal type', sends: [TERMINAL_TYPE], reason: /it sent DO 24 first/, sent: '' },
  { name: 'an end at once', sends: [], closes: true, reason: /it closed the connection/, sent: '' },
  { name: 'an end after DO STARTTLS', sends: [DO], closes: true, reason: /it closed the connection/, sent: AGREED },
  {
    name: 'clear text in place of the handshake',
    sends: [DO, `${FOLLOWS}`, HELLO],
    reason: /TLS failed/,
    sent: AGREED,
  },
  {
    name: 'an end in place of the handshake',
    sends: [DO, FOLLOWS],
    closes: true,
    reason: /TLS failed|connection was interrupted/,
    sent: AGREED,
  },
];

describe('STARTTLS that is required', () => {
  const sessions = new ScriptedSessions();
  const files = { cert: '', key: '' };
  const servers: Server[] = [];
  const printers: TestPrinter[] = [];

  before(function () {
    needCommand(this, 'openssl');
    Object.assign(files, makeCertificate());
  });
  afterEach(async () => {
    await sessions.close();
    for (const printer of printers.splice(0)) printer.stop();
    for (const server of servers.splice(0)) server.close();
  });

  async function listening(accept: (socket: Socket) => void): Promise<number> {
    const server = createServer((socket) => {
      socket.on('error', () => undefined);
      accept(socket);
    });
    servers.push(server);
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    return (server.address() as AddressInfo).port;
  }

  /** An attacker on the path, who answers in place of the host. */
  async function attacker({ sends, closes }: Attack) {
    const heard = { clear: Buffer.alloc(0), isClosed: false };
    const port = await listening((socket) => {
      const left = [...sends];
      const next = () => {
        const part = left.shift();
        if (part !== undefined && part !== '') socket.write(hex(part));
        if (left.length === 0 && closes === true) socket.end();
      };
      socket.on('data', (chunk) => {
        heard.clear = Buffer.concat([heard.clear, chunk]);
        if (left.length > 0) next();
      });
      socket.on('close', () => {
        heard.isClosed = true;
      });
      next();
    });
    return { port, heard };
  }

  /** A TLS record: 0x16, version 3.x. Only the client's handshake may follow the negotiation. */
  function clearTextOf(bytes: Buffer): string {
    const text = bytes.toString('hex');
    const handshake = text.indexOf('1603');
    return handshake < 0 ? text : text.slice(0, handshake);
  }

  const startTls = (
    connection: import('../../../src/tn3270/host/host-connection.js').HostConnection,
    signal: AbortSignal,
  ) => connection.startTls({ ca: readFileSync(files.cert) }, signal, 5_000);
  const required = { startTls, requiresStartTls: true } as const;

  for (const attack of attacks) {
    const limit = attack.reason.source.includes('in time') ? 50 : 30_000;

    it(`ends a display after ${attack.name}, and tells the host nothing`, async () => {
      const { port, heard } = await attacker(attack);
      const watched = sessions.connect({
        port,
        ...required,
        deviceNames: ['SECRETLU'],
        negotiationMilliseconds: limit,
        keepAlive: { milliseconds: 1, by: 'noOperation' },
      });
      const end = await eventually(() => watched.end);
      expect(end.kind).to.equal('failed');
      expect('detail' in end ? detailText(end.detail, 'en') : '').to.match(attack.reason);
      await eventually(() => heard.isClosed || undefined);
      expect(clearTextOf(heard.clear)).to.equal(attack.sent);
      expect(watched.session.screen.image.text.cells.join('').trim()).to.equal('');
    });

    it(`ends a printer after ${attack.name}, and tells the host nothing`, async () => {
      const { port, heard } = await attacker(attack);
      const printer = new TestPrinter(port, { ...required, deviceNames: ['SECRETLU'], negotiationMilliseconds: limit });
      printers.push(printer);
      expect(await printer.ended())
        .to.match(/^failed/)
        .and.match(attack.reason);
      await eventually(() => heard.isClosed || undefined);
      expect(clearTextOf(heard.clear)).to.equal(attack.sent);
      expect(printer.documents).to.deep.equal([]);
    });

    it(`is missing for doctor after ${attack.name}`, async () => {
      const { port, heard } = await attacker(attack);
      const { signal } = new AbortController();
      const fault = await probeStartTls({
        connect: (handler) =>
          openHostConnection({ address: { host: '127.0.0.1', port }, connectMilliseconds: 5_000, signal }, handler),
        startTls,
        milliseconds: limit,
      }).then(
        () => 'none',
        (error: Error) => error.message,
      );
      expect(fault).to.match(attack.reason);
      await eventually(() => heard.isClosed || undefined);
      expect(clearTextOf(heard.clear)).to.equal(attack.sent);
    });
  }

  it('takes no text, record or option of a display that came before TLS', async () => {
    for (const injected of [HELLO, RECORD, `${HELLO}${DO}${FOLLOWS}`]) {
      const { port, heard } = await attacker({ name: '', sends: [injected], reason: /./, sent: '' });
      const watched = sessions.connect({ port, ...required });
      const end = await eventually(() => watched.end);
      expect('detail' in end ? detailText(end.detail, 'en') : '').to.match(/it sent data first/);
      await eventually(() => heard.isClosed || undefined);
      expect(heard.clear.toString('hex')).to.equal('');
    }
  });

  /** A host that begins TLS by STARTTLS, as z/OS does. @returns what it hears in clear text, and over TLS */
  async function host(over: string, behindFollows = '') {
    const heard = { clear: Buffer.alloc(0), secure: Buffer.alloc(0) };
    const options = { cert: readFileSync(files.cert), key: readFileSync(files.key) };
    const port = await listening((socket) => {
      socket.write(hex(DO));
      const negotiate = (chunk: Buffer) => {
        heard.clear = Buffer.concat([heard.clear, chunk]);
        if (!heard.clear.includes(hex(FOLLOWS))) return;
        socket.off('data', negotiate);
        socket.write(hex(FOLLOWS + behindFollows));
        const secure = new TLSSocket(socket, { isServer: true, ...options });
        secure.on('error', () => undefined);
        secure.on('data', (bytes: Buffer) => {
          heard.secure = Buffer.concat([heard.secure, bytes]);
        });
        secure.write(hex(over));
      };
      socket.on('data', negotiate);
    });
    return { port, heard };
  }

  it('lets a session through that begins with it, which tells the terminal type over TLS only', async () => {
    const { port, heard } = await host(TERMINAL_TYPE);
    const { session } = sessions.connect({ port, ...required });
    // TERMINAL-TYPE IS IBM-3279-2-E
    await eventually(() => heard.secure.includes(hex('fffa180049424d2d333237392d322d45fff0')) || undefined);
    expect(session.secured).to.match(/^TLSv1\.[23] /);
    expect(heard.clear.toString('hex')).to.equal(AGREED);
  });

  it('never carries out clear text that an attacker put behind the word that starts TLS', async () => {
    // in one write, so in one segment: a text, and the option for which the terminal would tell its type
    const { port, heard } = await host(Buffer.from('over TLS').toString('hex'), '');
    const { session } = sessions.connect({ port, ...required });
    await shows(session, 'over TLS');
    expect(heard.secure.toString('hex')).to.equal('');

    const { port: attacked, heard: told } = await host(HELLO, `${HELLO}${TERMINAL_TYPE}`);
    const watched = sessions.connect({ port: attacked, ...required, deviceNames: ['SECRETLU'] });
    // dropped where it was read with the word; a handshake that it became part of fails
    await eventually(() => watched.end ?? (watched.session.secured === undefined ? undefined : true));
    if (watched.end === undefined) await shows(watched.session, 'hello');
    expect(told.clear.toString('hex')).to.equal(AGREED);
    expect(told.secure.toString('hex')).to.equal('');
    expect(watched.session.agreed.own).to.deep.equal([]);
  });

  it('trusts no certificate that it was not told to', async () => {
    const { port, heard } = await host(TERMINAL_TYPE);
    const watched = sessions.connect({
      port,
      startTls: (connection, signal) => connection.startTls({}, signal, 5_000),
      requiresStartTls: true,
    });
    const end = await eventually(() => watched.end);
    expect('detail' in end ? detailText(end.detail, 'en') : '').to.match(/self-signed; configure it as tls\.ca/);
    expect(heard.secure.toString('hex')).to.equal('');
  });

  it('is no hindrance where it is only accepted', async () => {
    const port = await listening((socket) => socket.write('hello'));
    const { session } = sessions.connect({ port, startTls });
    await shows(session, 'hello');
  });
});
