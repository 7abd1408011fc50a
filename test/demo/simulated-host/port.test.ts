import { type AddressInfo, createServer, Server } from 'node:net';
import { expect } from 'chai';
import pino from 'pino';
import { SimulatedHost, type SimulatedHostOptions } from '../../../src/demo/simulated-host/simulated-host.js';
import { inTurns, type RestingWork } from '../../../src/lib/turns/work-in-turns.js';
import { SimulatedHostPort } from '../../../src/server/parts/hosts-part.js';
import { findCodePage } from '../../../src/tn3270/codepage/code-pages.js';
import { eventually } from '../../support/eventually.js';
import { PrintingHost } from '../../support/printing-host.js';
import { RawTerminal, type RawTerminalOptions } from '../../support/raw-terminal.js';

const MILLISECONDS_A_TURN = 12;

const BREAK = Buffer.from('fff3', 'hex');
const FLOOD_BYTES = 256 * 1024;
const MOST_DEVICE_NAMES = 100_000;
const ebcdic = (text: string) => Buffer.from(findCodePage('IBM037')?.encode(text) ?? []);
const ascii = (text: string) => Buffer.from(text);

/** What terminals may do to the port of the simulated host, and to each other. */
describe('port of the simulated host', () => {
  const hosts: SimulatedHost[] = [];
  const terminals: RawTerminal[] = [];

  afterEach(async () => {
    for (const terminal of terminals.splice(0)) terminal.destroy();
    for (const host of hosts.splice(0)) await host.close();
  });

  function simulatedHost(options: Partial<SimulatedHostOptions> = {}): SimulatedHost {
    const codePage = findCodePage('IBM037');
    if (codePage === undefined) throw new Error('no code page 37');
    const host = new SimulatedHost({ codePage, users: {}, start: 'MENU', ...options });
    hosts.push(host);
    return host;
  }

  async function listening(options: Partial<SimulatedHostOptions> = {}) {
    const host = simulatedHost(options);
    const { port } = await host.listen({ host: '127.0.0.1', port: 0 });
    return { host, port };
  }

  function terminal(options: RawTerminalOptions): RawTerminal {
    const started = new RawTerminal(options);
    terminals.push(started);
    return started;
  }

  it('gives a terminal one device at a time, however often it asks', async () => {
    const { host, port } = await listening({ limits: { agreeMilliseconds: 120_000 } });
    const greedy = terminal({ port });
    greedy.send('fffb28');
    greedy.send(Buffer.concat(new Array(MOST_DEVICE_NAMES + 1).fill(RawTerminal.deviceRequest)));
    // the name after the last is the first again
    await greedy.hears(ascii('SIM99999'));
    const last = greedy.received.indexOf('SIM99999');
    await eventually(() => (greedy.received.indexOf('SIM00001', last) > 0 ? true : undefined));
    expect(host.devicesInUse).to.equal(1);
    await terminal({ port }).agree();
    expect(host.devicesInUse).to.equal(2);
  });

  it('has a device again however its terminal goes', async () => {
    const { host, port } = await listening({ deviceNames: ['ONLY'], limits: { endMilliseconds: 50 } });
    const free = () => eventually(() => (host.devicesInUse === 0 ? true : undefined));
    const cut = terminal({ port });
    await cut.agree();
    cut.destroy();
    await free();
    const ending = terminal({ port });
    await ending.agree();
    ending.socket.end();
    await free();
    // told to go, it does not end its side
    const staying = terminal({ port, ends: false });
    await staying.agree();
    staying.send(
      Buffer.concat([
        Buffer.from('fff5 0700000000'.replace(' ', ''), 'hex'),
        ebcdic('LOGOFF'),
        Buffer.from('ffef', 'hex'),
      ]),
    );
    await staying.ended();
    await free();
    const session = host.connect();
    session.destroy();
    await eventually(() => (host.sessions === 0 ? true : undefined));
    await terminal({ port }).agree();
  });

  for (const [name, options, words] of [
    ['NOPE', { deviceNames: ['ONLY'] }, 'There is no device of this name.'],
    ['ONLY', { deviceNames: ['ONLY'], faults: ['busy'] }, 'The device is in use, or all of them are.'],
    ['', { faults: ['busy'] }, 'The device is in use, or all of them are.'],
  ] as const) {
    it(`tells a plain TN3270 terminal why it does not get ${name === '' ? 'any device' : name}`, async () => {
      const { port } = await listening(options);
      const plain = terminal({ port });
      plain.send('fffc28 fffb18');
      const type = ascii(name === '' ? 'IBM-3278-2' : `IBM-3278-2@${name}`);
      plain.send(Buffer.concat([Buffer.from('fffa1800', 'hex'), type, Buffer.from('fff0', 'hex')]));
      await plain.ended();
      expect(plain.received.toString('latin1')).to.include(`${words}\r\n`).and.not.include('3270 terminals only');
    });
  }

  it('answers a flood of IAC BREAK with no more than came', async () => {
    const { port } = await listening();
    const flooding = terminal({ port });
    await flooding.agree();
    const before = flooding.received.length;
    flooding.send(Buffer.alloc(FLOOD_BYTES, BREAK));
    // the answer to this comes behind all of them
    flooding.send('fffd06');
    await flooding.hears('fffb06');
    expect(flooding.received.length - before).to.be.within(ebcdic('Option').length, FLOOD_BYTES);
  });

  it('carries out what a terminal sends just before it leaves, also where others have the turn', async () => {
    const host = await PrintingHost.start();
    hosts.push(host.host);
    terminals.push(host.display);
    const printer = terminal({ port: host.port });
    // WILL TN3270E, an IBM-3287-1 named LAST, RESPONSES and SCS-CTL-CODES
    printer.send('fffb28 fffa280207 49424d2d333238372d31 01 4c415354 fff0 fffa280307 0203 fff0');
    const printed = host.print('LAST', { stream: 'scs', records: [ebcdic('X')] });
    await printer.hears('01 00 02 0000 e7 ffef');
    printer.send('02 00 00 0000 00 ffef');
    await printer.hears('08 00 02 0001 ffef');
    for (let others = 0; others < 10; others++) void inTurns(wholeTurns(2));
    printer.socket.end(Buffer.from('0200000001 00 ffef'.replaceAll(' ', ''), 'hex'));
    expect(await printed).to.deep.equal({ kind: 'printed' });
  });

  it('ends terminals that agree on nothing in time, and tells them', async () => {
    const { host, port } = await listening({ limits: { agreeMilliseconds: 50 } });
    const silent = terminal({ port });
    const chatting = terminal({ port });
    const chat = setInterval(() => chatting.send('fff1'), 5);
    await Promise.all([silent.ended(), chatting.ended()]);
    clearInterval(chat);
    for (const one of [silent, chatting])
      expect(one.received.toString('latin1')).to.include('The negotiation did not complete');
    await eventually(() => (host.sessions === 0 ? true : undefined));
  });

  it('ends terminals that nobody types at, and tells them; sessions of this process stay', async () => {
    const { host, port } = await listening({ limits: { idleMilliseconds: 100 } });
    const session = host.connect();
    let ofSession = Buffer.alloc(0);
    session.on('data', (chunk: Buffer) => {
      ofSession = Buffer.concat([ofSession, chunk]);
    });
    session.write(Buffer.from('fffb28fffa280207 49424d2d333237382d32 fff0fffa28030704fff0'.replaceAll(' ', ''), 'hex'));
    const idle = terminal({ port });
    await idle.agree();
    await idle.ended();
    expect(idle.received.includes(ebcdic('No key was pressed'))).to.equal(true);
    await eventually(() => (ofSession.includes(ebcdic('Option')) ? true : undefined));
    // the terminal hears of its end before the host has let go of it
    await eventually(() => (host.sessions === 1 ? true : undefined));
    expect(session.destroyed).to.equal(false);
    session.destroy();
  });

  it('takes so many terminals of an address, tells the next one, and has room again', async () => {
    const { port } = await listening({ limits: { terminalsPerAddress: 2 } });
    const first = terminal({ port });
    await first.agree();
    await terminal({ port }).agree();
    const third = terminal({ port });
    await third.ended();
    expect(third.received.toString('latin1')).to.equal(
      'This host accepts no more terminals: there are more than 2 terminals of one address.\r\n',
    );
    await terminal({ port, localAddress: '127.0.0.2' }).agree();
    first.destroy();
    await eventually(async () => {
      const next = terminal({ port });
      await Promise.race([next.ended(), next.hears('fffd28')]);
      return next.received.includes(Buffer.from('fffd28', 'hex')) ? true : undefined;
    });
  });

  it('takes so many terminals in all, and sessions of this process all the same', async () => {
    const { host, port } = await listening({ limits: { terminals: 2 } });
    for (const localAddress of ['127.0.0.2', '127.0.0.3']) await terminal({ port, localAddress }).agree();
    const refused = terminal({ port });
    await refused.ended();
    expect(refused.received.toString('latin1')).to.include('there are more than 2 terminals.');
    const session = host.connect();
    const hello = await new Promise<Buffer>((resolve) => session.once('data', resolve));
    expect(hello.toString('hex')).to.equal('fffd28');
    session.destroy();
  });

  it('tells of an error of its listener, and goes on', async () => {
    const listened: Server[] = [];
    const { listen } = Server.prototype;
    Server.prototype.listen = function (this: Server, ...args: unknown[]) {
      listened.push(this);
      return listen.apply(this, args as never);
    } as typeof listen;
    const told: string[] = [];
    try {
      const { port } = await listening({ report: (trouble) => told.push(trouble) });
      listened[0]?.emit('error', new Error('accept EMFILE'));
      expect(told).to.deep.equal(['the port of the simulated host: accept EMFILE']);
      await terminal({ port }).agree();
    } finally {
      Server.prototype.listen = listen;
    }
  });

  it('is tried again while it is taken, as the port of a line is', async () => {
    const squatter = createServer();
    await new Promise<void>((resolve) => squatter.listen(0, '127.0.0.1', resolve));
    const { port } = squatter.address() as AddressInfo;
    const lines: string[] = [];
    const log = pino({}, { write: (line: string) => lines.push(line) });
    const host = simulatedHost();
    const opening = new SimulatedHostPort({
      name: 'SIM',
      host,
      address: { host: '127.0.0.1', port },
      log,
      retryMilliseconds: [10],
    });
    await opening.start();
    expect([opening.state, opening.url]).to.deep.equal(['waiting', `tn3270://127.0.0.1:${port}`]);
    expect(lines[0]).to.include(`host SIM: cannot listen on 127.0.0.1:${port}: the port is taken by another program`);
    await new Promise((resolve) => squatter.close(resolve));
    await eventually(() => (opening.state === 'listening' ? true : undefined));
    await terminal({ port }).agree();
    await opening.stop();
    const after = createServer();
    await new Promise<void>((resolve, reject) => {
      after.once('error', reject);
      after.listen(port, '127.0.0.1', resolve);
    });
    after.close();
  });

  it('tells the session of this process that it is refused', async () => {
    const session = simulatedHost({ faults: ['refuse'] }).connect();
    await new Promise((resolve) => session.once('close', resolve));
  });
});

/** Leaves nothing of a turn to those behind it. */
function* wholeTurns(turns: number): RestingWork<void> {
  for (let turn = 0; turn < turns; turn++) {
    const end = performance.now() + MILLISECONDS_A_TURN;
    while (performance.now() < end);
    yield;
  }
}
