import { expect } from 'chai';
import { detailText } from '../../../src/lib/locale.js';
import { HostTrace } from '../../../src/tn3270/host/host-trace.js';
import { eventually } from '../../support/eventually.js';
import { AGREEMENT, BIND } from '../../support/scripted-host.js';
import { ScriptedSessions, shows, text } from './scripted-sessions.js';

const MOST_WAITING_BYTES = 1 << 20;
const MOST_TRACE_BYTES = 64 << 20;

describe('host session', () => {
  const sessions = new ScriptedSessions();
  const { scripted, connect } = sessions;
  afterEach(() => sessions.close());

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
    await host.hears('fffc06');
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
    await host.hears('fffc06');
    expect(faults).to.have.length(2);
    await host.send('0000000000 f1c2 c1c2 ffef');
    await shows(session, 'AB');
  });

  for (const [what, options, expected] of [
    ['refused', { port: 1 }, /127\.0\.0\.1:1: connection refused \(ECONNREFUSED\)/],
    [
      'not known',
      { port: 1, host: 'no.such.host.invalid' },
      /no\.such\.host\.invalid:1: the host name cannot be resolved/,
    ],
  ] as const) {
    it(`says that a connection is ${what}`, async () => {
      const watched = connect(options);
      const end = await eventually(() => watched.end);
      expect(end.kind).to.equal('failed');
      expect('detail' in end ? detailText(end.detail, 'en') : '').to.match(expected);
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
        isCut ? { kind: 'failed', detail: { code: 'end.cutInRecord' } } : { kind: 'hostEnded' },
      );
    }
  });

  it('ends where the host sends nothing in time', async () => {
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
      refusals: [{ device: 'logical unit LU1', reason: { code: 'device.deviceInUse' } }],
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

  it('masks both parts of a hidden field that goes on from the end of the screen to its beginning', async () => {
    const { host, port } = await scripted();
    const lines: string[] = [];
    connect({ port, trace: new HostTrace({ write: (line) => lines.push(line) }) });
    // SBA to position 1917 of 1920: a hidden field of 5 positions; CAT is typed from position 1919 on; Read Buffer
    const screen = '0000000000 f5c3 11 5d7d 1d4d c2c3 c1e3 1d60 ffef';
    await host.send(`${AGREEMENT} ${BIND} ${screen} 0000000000 f2 ffef`);
    await host.hears('60 4040 c1e3 1d60');
    await host.hears('1d4d c2c3 ffef');
    const sent = lines.flatMap((line) => /^> 0x[0-9a-f]+\s+([0-9a-f]+)\s*$/.exec(line)?.[1] ?? []).join('');
    // header, AID, cursor
    expect(sent).to.include('6040405c5c1d60').and.include('1d4d5c5cffef');
    expect(sent).not.to.include('c1e31d60').and.not.include('c2c3ff');
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
});
