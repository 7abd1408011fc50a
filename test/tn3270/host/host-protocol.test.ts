import { readFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Server, type Socket, connect as tcpConnect } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { expect } from 'chai';
import type { HostSessionEnd } from '../../../machines/host-session.machine.js';
import { detailText } from '../../../src/lib/locale.js';
import type { HostTlsOptions } from '../../../src/tn3270/host/host-connection.js';
import { openCheckedConnection, silenceDiagnosis } from '../../../src/tn3270/host/protocol-probe.js';
import { makeCertificate } from '../../support/certificate.js';
import { eventually } from '../../support/eventually.js';
import { needCommand } from '../../support/need.js';
import { ScriptedSessions, shows, text } from './scripted-sessions.js';

const PLAIN =
  'TLS is configured, but the port speaks plain TELNET. Configure the port for TLS, or set tls: false. If the host begins TLS with STARTTLS, set startTls: required';
const TLS = 'the host sent nothing, and its port speaks TLS. Set tls: true, or configure the port without TLS';
const inEnglish = (end: HostSessionEnd) => ('detail' in end ? { ...end, detail: detailText(end.detail, 'en') } : end);
/** IAC DO TN3270E, and IAC DO TERMINAL-TYPE behind it. */
const [THREE_BYTES, SIX_BYTES] = ['fffd28', 'fffd28fffd18'];

describe('a host that speaks TLS where we do not, or the other way round', () => {
  const sessions = new ScriptedSessions();
  const servers: Server[] = [];
  const sockets = new Set<Socket>();
  const files = { cert: '', key: '' };

  before(function () {
    needCommand(this, 'openssl');
    Object.assign(files, makeCertificate());
  });
  afterEach(async () => {
    await sessions.close();
    for (const socket of sockets) socket.destroy();
    for (const server of servers.splice(0)) server.close();
  });

  /** @param accept is called with each connection and its number, from 1 on */
  async function listen(accept: (socket: Socket, number: number) => void): Promise<number> {
    let count = 0;
    const server = createServer((socket) => {
      sockets.add(socket);
      socket.on('error', () => undefined);
      count += 1;
      accept(socket, count);
    });
    servers.push(server);
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    return (server.address() as AddressInfo).port;
  }

  /** A server with TLS, which says `hello` as a line terminal's host does. */
  function tlsServer() {
    return createTlsServer({ cert: readFileSync(files.cert), key: readFileSync(files.key) }, (socket) => {
      socket.on('error', () => undefined);
      socket.write('hello');
    }).on('tlsClientError', () => undefined);
  }

  /** A session as the server has it. */
  function session(port: number, tls?: HostTlsOptions, connectMilliseconds = 60_000) {
    const address = { host: '127.0.0.1', port };
    const reasons: (string | undefined)[] = [];
    const watched = sessions.connect({
      port,
      connect: (handler, signal) =>
        openCheckedConnection({ address, connectMilliseconds, signal, ...(tls && { tls }) }, handler),
      negotiationMilliseconds: 60_000,
      diagnoseSilence: tls === undefined ? silenceDiagnosis({ address }) : undefined,
      silent: (reason) => reasons.push(reason && detailText(reason, 'en')),
    });
    return { watched, reasons, where: `127.0.0.1:${port}` };
  }

  for (const first of [THREE_BYTES, SIX_BYTES]) {
    it(`is told if TLS is asked of a host that begins with ${first}`, async () => {
      const port = await listen((socket) => socket.write(Buffer.from(first, 'hex')));
      const { watched, where } = session(port, { verify: false });
      expect(inEnglish(await eventually(() => watched.end))).to.deep.equal({
        kind: 'failed',
        detail: `${where}: ${PLAIN}`,
        isOtherProtocol: true,
      });
    });
  }

  it('is not told if TLS is asked of a host that says nothing', async () => {
    const port = await listen(() => undefined);
    const { watched, where } = session(port, { verify: false }, 2_500);
    const end = await eventually(() => watched.end);
    expect(inEnglish(end)).to.deep.equal({ kind: 'failed', detail: `${where}: the host did not answer in time` });
  });

  it('is not told of a host with TLS whose answer comes in pieces, and the session goes on', async () => {
    const secure = tlsServer();
    servers.push(secure);
    await new Promise<void>((resolve) => {
      secure.listen(0, '127.0.0.1', resolve);
    });
    const behind = (secure.address() as AddressInfo).port;
    let goOn = () => {};
    const probed = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    // the second connection finds out what the port speaks: it is told nothing, as by any server with TLS
    const port = await listen((socket, number) => {
      if (number > 1) return goOn();
      const onward = tcpConnect(behind, '127.0.0.1');
      sockets.add(onward);
      onward.on('error', () => undefined);
      socket.pipe(onward);
      onward.once('data', async (answer: Buffer) => {
        socket.write(answer.subarray(0, 3));
        await probed;
        socket.write(answer.subarray(3));
        onward.pipe(socket);
      });
    });
    const { watched } = session(port, { verify: false });
    await shows(watched.session, 'hello');
    expect(watched.end).to.equal(undefined);
  });

  it('is told if a host with TLS is asked nothing, and is the reason when it closes', async () => {
    const secure = tlsServer();
    const port = await listen((socket) => secure.emit('connection', socket));
    const { watched, reasons, where } = session(port);
    expect(await eventually(() => reasons[0])).to.equal(`${where}: ${TLS}`);
    expect(watched.end, 'it may be slow').to.equal(undefined);
    for (const socket of sockets) socket.end();
    expect(inEnglish(await eventually(() => watched.end))).to.deep.equal({
      kind: 'failed',
      detail: `${where}: ${TLS}`,
      isOtherProtocol: true,
    });
  });

  it('is told once, and taken back, of a port that waits for TLS and then speaks TELNET', async () => {
    // CONNTYPE ANY of z/OS: a ClientHello begins TLS, and after a while of silence TELNET begins
    const secure = tlsServer();
    let plain: Socket | undefined;
    const port = await listen((socket, number) => {
      if (number === 1) plain = socket;
      else secure.emit('connection', socket);
    });
    const { watched, reasons, where } = session(port);
    await eventually(() => reasons[0]);
    plain?.write('hello');
    await shows(watched.session, 'hello');
    expect(reasons).to.deep.equal([`${where}: ${TLS}`, undefined]);
    expect(watched.end).to.equal(undefined);
  });

  it('is not told of a host that is slow', async () => {
    let plain: Socket | undefined;
    let count = 0;
    const port = await listen((socket, number) => {
      count = number;
      plain ??= socket;
      // the question of the second connection means nothing to it
      if (number > 1) socket.once('data', () => socket.destroy());
    });
    const { watched, reasons } = session(port);
    await eventually(() => (count > 1 ? true : undefined));
    await eventually(() => ([...sockets].at(-1)?.destroyed ? true : undefined));
    plain?.write('hello');
    await shows(watched.session, 'hello');
    expect(reasons).to.deep.equal([]);
    expect(watched.end).to.equal(undefined);
  });

  it('is told at once by an alert of TLS, and not by text that begins like one', async () => {
    // handshake failure
    const alerting = await listen((socket) => socket.write(Buffer.from('15030300020228', 'hex')));
    const alerted = session(alerting);
    const end = await eventually(() => alerted.watched.end);
    expect(inEnglish(end)).to.deep.equal({
      kind: 'failed',
      detail: 'The host answers with TLS on a plain connection. Set tls: true, or configure the port without TLS.',
      isOtherProtocol: true,
    });
    const talking = await listen((socket) => socket.write(Buffer.from('150368656c6c6f', 'hex')));
    const { watched } = session(talking);
    await eventually(() => (text(watched.session, 80).includes('hello') ? true : undefined));
    expect(watched.end).to.equal(undefined);
  });
});
