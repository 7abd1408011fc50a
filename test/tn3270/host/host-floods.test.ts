import { type Duplex, duplexPair } from 'node:stream';
import { expect } from 'chai';
import { FairTurns } from '../../../src/lib/turns/fair-turns.js';
import { HostConnection } from '../../../src/tn3270/host/host-connection.js';
import { HostSession } from '../../../src/tn3270/host/host-session.js';
import { eventually } from '../../support/eventually.js';
import { hostSessionOptions } from '../../support/host-session-options.js';
import { AGREEMENT, BIND } from '../../support/scripted-host.js';

const bytes = (text: string) => Buffer.from(text.replaceAll(' ', ''), 'hex');
const times = (text: string, length: number) => Buffer.alloc(length, bytes(text));

/** How often a host is let work before another one is. */
const MOST_SLICES_BEFORE_ANOTHER = 4;
const FLOOD_BYTES = 1 << 16;
const LINE_END = Buffer.from('\r\n\x1b[2J\x1b[Hend');
const record = (text: string) => bytes(`0000000000 ${text} ffef`);
const BOUND = bytes(`${AGREEMENT} ${BIND}`);
const RECORD_END = record('f5c3 8595 84');

const floods: readonly { readonly name: string; readonly bytes: Buffer }[] = [
  ...Object.entries({
    'line feeds': '0a',
    'lines of one character': '780a',
    'inserted lines': '1b5b3939394c',
    'deleted lines': '1b5b3939394d',
    'form feeds': '0c',
    bells: '07',
    'bytes of 255': 'ffff',
    'bytes between commands': '78fff1',
    'questions for the cursor': '1b5b366e',
  }).map(([name, unit]) => ({ name, bytes: Buffer.concat([times(unit, FLOOD_BYTES), LINE_END]) })),
  ...Object.entries({
    'full writes': '7ec3',
    'writes with an alarm': 'f1c6',
    'repeats over the whole screen': `7ec3${'3c0000c1'.repeat(20)}`,
  }).map(([name, body]) => {
    const one = record(body);
    const count = Math.ceil(FLOOD_BYTES / one.length);
    return { name, bytes: Buffer.concat([BOUND, ...new Array<Buffer>(count).fill(one), RECORD_END]) };
  }),
  {
    name: 'one record of text for a line terminal',
    bytes: Buffer.concat([BOUND, bytes('0500000000'), times('780a', FLOOD_BYTES), LINE_END, bytes('ffef')]),
  },
];

/** Hosts that send more than anybody can look at, next to one that does not. */
describe('floods of a host', () => {
  const sessions: HostSession[] = [];

  afterEach(() => {
    for (const session of sessions.splice(0)) session.stop();
  });

  /** @param changed called whenever a slice of the host's bytes was carried out */
  function connect(turns: FairTurns, changed: () => void): { session: HostSession; host: Duplex } {
    const [terminal, host] = duplexPair();
    host.resume();
    const session = new HostSession(
      hostSessionOptions({
        oversize: '255x255',
        connect: async (handler) => new HostConnection(terminal, handler, { host: 'test', port: 0 }, { turns }),
      }),
      { changed, fault: () => undefined, ended: () => undefined },
    );
    sessions.push(session);
    session.connect();
    return { session, host };
  }

  const shown = ({ screen }: HostSession, text: string) =>
    screen.image.text.cells.slice(0, text.length).join('') === text;

  for (const flood of floods) {
    it(`${flood.name}: another host is drawn in between, and all of it comes to its end`, async () => {
      let milliseconds = 0;
      // a millisecond goes by at every look, so that the length of a slice is counted, not measured
      const turns = new FairTurns({ now: () => milliseconds++, nextTurn: (run) => setImmediate(run) });
      let slices = 0;
      let atSlice = 0;
      const flooding = connect(turns, () => slices++);
      const quiet = connect(turns, () => {
        if (shown(quiet.session, 'now')) atSlice ||= slices;
      });
      await eventually(() => (quiet.session.isConnected && flooding.session.isConnected ? true : undefined));
      flooding.host.write(flood.bytes);
      await eventually(() => (slices > 2 ? true : undefined));
      const before = slices;
      quiet.host.write('now');
      await eventually(() => (atSlice > 0 ? true : undefined));
      expect(atSlice - before, 'slices of the flood before the other host').to.be.at.most(MOST_SLICES_BEFORE_ANOTHER);
      await eventually(() => (shown(flooding.session, 'end') ? true : undefined));
      expect(slices, 'slices in all').to.be.greaterThan(100);
    });
  }

  it('wait at the host while nothing of them is carried out', async () => {
    const turns = new FairTurns({ now: () => 0, nextTurn: () => undefined });
    // somebody waits for a turn that never comes, and whoever comes later waits behind
    turns.run('somebody', () => false);
    const starved = connect(turns, () => undefined);
    await eventually(() => (starved.session.isConnected ? true : undefined));
    let isTaken = true;
    for (let chunk = 0; chunk < 64 && isTaken; chunk++) isTaken = starved.host.write(times('78', 1 << 16));
    expect(isTaken, 'the host may send on').to.equal(false);
    expect(starved.session.screen.image.text.cells.join('').trim()).to.equal('');
  });
});
