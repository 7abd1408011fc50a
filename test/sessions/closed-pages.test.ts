import { expect } from 'chai';
import type { BrowserSession, SessionWatcher } from '../../src/sessions/browser-session.js';
import { becomes, HostedSessions } from './hosted-session.js';

const page: SessionWatcher = { changed: () => undefined, ended: () => undefined };
const ended = (session: BrowserSession) => new Promise((tell) => session.whenEnded(() => tell(session.end)));

describe('a session whose page was closed', () => {
  let sessions: HostedSessions | undefined;

  afterEach(() => sessions?.stop());

  const start = async (reloadMilliseconds?: number) => {
    sessions = await HostedSessions.start(reloadMilliseconds);
    return sessions;
  };

  it('ends when nobody comes in its time, and not before', async () => {
    const hosted = await start();
    const [kept, left] = [hosted.connect(), hosted.connect({ awayMilliseconds: 30 })];
    for (const session of [kept, left]) {
      session.seen();
      session.pageClosed();
    }
    expect(await ended(left)).to.deep.equal({ kind: 'pageClosed' });
    expect(kept.isOpen).to.equal(true);
  });

  it('is away until somebody is there again, or still', async () => {
    const session = (await start()).connect();
    session.seen();
    expect(session.awayMilliseconds).to.equal(0);
    session.pageClosed();
    expect(session.awayMilliseconds).to.be.above(0);
    const leave = session.watch(page);
    expect(session.awayMilliseconds, 'another page').to.equal(0);
    leave();
    expect(session.awayMilliseconds).to.be.above(0);
    session.seen();
    expect(session.awayMilliseconds, 'it is back').to.equal(0);
  });

  it('makes room for the next one of its address, and one that is looked at does not', async () => {
    const hosted = await start(0);
    const two = { sessionsPerAddress: 2 };
    const [looked, closed] = [hosted.connect(two), hosted.connect(two)];
    looked.watch(page);
    looked.pageClosed();
    expect(() => hosted.connect(two)).to.throw('This address has the maximum number of sessions.');
    closed.pageClosed();
    hosted.connect(two);
    expect([looked.isOpen, closed.isOpen]).to.deep.equal([true, false]);
    expect(await ended(closed)).to.deep.equal({ kind: 'displaced' });
  });

  it('makes no room while it may be a page that is loaded again', async () => {
    const hosted = await start();
    const one = { sessionsPerAddress: 1 };
    const closed = hosted.connect(one);
    closed.pageClosed();
    expect(() => hosted.connect(one)).to.throw('This address has the maximum number of sessions.');
    expect(closed.isOpen).to.equal(true);
  });
});

describe('what is told of a session and its use', () => {
  let sessions: HostedSessions;

  before(async () => {
    sessions = await HostedSessions.start();
  });
  after(() => sessions.stop());

  it('is how long it lasts, which begins anew with each message', () => {
    const session = sessions.connect({ idleMilliseconds: 60_000 });
    const { use } = session;
    expect(use.idleMilliseconds).to.equal(60_000);
    expect(use.remainingMilliseconds).to.be.within(1, 60_000);
    const before = use.last;
    session.seen();
    expect(use.last).to.be.above(before);
    expect(use.begun).to.be.at.most(before);
  });

  it('is nothing of that where it does not end by itself', () => {
    const { use } = sessions.connect({ idleMilliseconds: Number.MAX_SAFE_INTEGER });
    expect([use.idleMilliseconds, use.remainingMilliseconds]).to.deep.equal([undefined, undefined]);
  });

  it('is the name that its user gives it, of 40 characters at most', () => {
    const { use } = sessions.connect();
    expect(use.name).to.equal('');
    expect(use.rename('  Payroll \t test ')).to.equal(undefined);
    expect(use.name).to.equal('Payroll test');
    expect(use.rename('😀'.repeat(40))).to.equal(undefined);
    for (const [wrong, code] of [
      ['x'.repeat(41), 'session.longName'],
      ['a\u0007b', 'session.name'],
      ['a\u202eb', 'session.name'],
      ['a\ud800', 'session.name'],
    ] as const) {
      expect(use.rename(wrong), wrong).to.have.property('code', code);
    }
    expect(use.name, 'the one before stays').to.equal('😀'.repeat(40));
    use.rename('');
    expect(use.name).to.equal('');
  });

  it('is whether its host was reached, as the last session has found it', async () => {
    const { hostStates } = sessions.service;
    const fresh = await HostedSessions.start();
    try {
      expect(fresh.service.hostStates.of('HOST')).to.equal('unknown');
      await fresh.beginWith('f5c3 1d40');
      expect(fresh.service.hostStates.of('HOST')).to.equal('reached');
      await fresh.host.close();
      fresh.connect();
      await becomes(() => fresh.service.hostStates.of('HOST') === 'notReached');
      expect(hostStates.of('NOBODY')).to.equal('unknown');
    } finally {
      await fresh.stop();
    }
  });
});
