import { expect } from 'chai';
import type { BrowserSession } from '../../src/sessions/browser-session.js';
import { becomes, HostedSessions, submission } from './hosted-session.js';

/** An input field of eight at 1, protected from 9 on, the cursor at 1. */
const INPUT = 'f5c3 1d40 13 0000000000000000 1d60';
const ENTER = submission([{ wire: 'abc' }]);

interface Counts {
  watchers: number;
  operators: number;
  waits: number;
}

/** Counts the calls of a watcher, of a watching operator and of a wait that does not end before the session. */
function countNotifications(session: BrowserSession): Counts {
  const counts = { watchers: 0, operators: 0, waits: 0 };
  // the first message of a browser is a change, too
  session.seen();
  session.watch({
    changed: () => {
      counts.watchers++;
    },
    ended: () => undefined,
  });
  session.supervision.watch({
    name: 'OPERATOR',
    changed: () => {
      counts.operators++;
    },
  });
  void session.waitUntil(() => {
    counts.waits++;
    return false;
  });
  Object.assign(counts, { watchers: 0, operators: 0, waits: 0 });
  return counts;
}

const ONE = { watchers: 1, operators: 1, waits: 1 };
const TWO = { watchers: 2, operators: 2, waits: 2 };

describe('notifications of a session', () => {
  let sessions: HostedSessions;

  before(async () => {
    sessions = await HostedSessions.start();
  });

  after(() => sessions.stop());

  it('come once for a key, and once for the answer of the host', async () => {
    const session = await sessions.beginWith(INPUT);
    const counts = countNotifications(session);
    expect(await session.guarded.enter(ENTER)).to.deep.equal({ kind: 'done' });
    expect(counts).to.deep.equal(ONE);
    await sessions.host.hears('7d 40c1 11 40c1 818283');
    await sessions.draws('f5c3 1d40 13 00 1d60 c1');
    await becomes(() => session.isSettled);
    expect(counts).to.deep.equal(TWO);
  });

  it('come once for a screen that nobody has requested', async () => {
    const session = await sessions.beginWith(INPUT);
    const counts = countNotifications(session);
    await sessions.draws('f1c3 11 5d7f c1');
    await becomes(() => session.screen.image.text.cells[1_919] === 'A');
    expect(counts).to.deep.equal(ONE);
  });

  it('come once for a key that a step presses', async () => {
    const session = await sessions.beginWith(INPUT);
    const counts = countNotifications(session);
    const step = session.guarded
      .walk('127.0.0.1')
      .step({ at: undefined, act: { press: 'Enter' }, withinMilliseconds: 5_000 });
    await sessions.host.hears('7d 40c1 ffef');
    expect(counts.watchers).to.equal(1);
    expect(counts.operators).to.equal(1);
    await sessions.draws('f5c3 1d40 13 00 1d60 c1');
    expect(await step).to.include({ kind: 'done' });
    expect(counts).to.deep.include({ watchers: 2, operators: 2 });
  });

  it('come once for a key that the keyboard rejects', async () => {
    const session = await sessions.beginWith(INPUT);
    const counts = countNotifications(session);
    const unknown = submission([], { key: { kind: 'attention', name: 'PF99' } });
    await session.guarded.enter(unknown);
    expect(counts).to.deep.equal(ONE);
    expect(session.isSettled).to.equal(true);
  });

  it('reach the other watchers if one of them fails', async () => {
    const session = await sessions.beginWith(INPUT);
    session.watch({
      changed: () => {
        throw new Error('a page fails');
      },
      ended: () => undefined,
    });
    const counts = countNotifications(session);
    await sessions.draws('f1c3 11 5d7f c1');
    await becomes(() => session.screen.image.text.cells[1_919] === 'A');
    expect(counts).to.deep.equal(ONE);
    expect(sessions.logged).to.contain('a page fails');
  });
});
