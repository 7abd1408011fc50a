import { expect } from 'chai';
import type { Application } from '../../src/demo/simulated-host/application.js';
import { menu } from '../../src/demo/simulated-host/applications/menu.js';
import { signOn } from '../../src/demo/simulated-host/applications/sign-on.js';
import type { FaultName } from '../../src/demo/simulated-host/fault-switches.js';
import type { CallOutcome } from '../../src/services/service-calls.js';
import { eventually } from '../support/eventually.js';
import { type HostedServices, hostedForEachTest, watched, watchedApplications } from './hosted-services.js';

const MOST_REFUSALS = 3;

const ada = { kind: 'done', extracts: { name: 'ADA LOVELACE', balance: '12540.75' } };

describe('a pool of signed-on sessions', () => {
  const start = hostedForEachTest();

  /** Sign-ons that the host has seen. */
  function counted(application: Application): { application: Application; count: () => number } {
    let count = 0;
    return {
      application: watched(application, () => {
        count++;
      }),
      count: () => count,
    };
  }

  it('walks services, one after the other in the same session', async () => {
    const signOns = counted(menu);
    const hosted = await start({ host: { applications: { MENU: signOns.application } }, pool: { most: 1 } });
    expect(await hosted.call('account-inquiry', { account: '10000001' })).to.deep.equal(ada);
    expect(await hosted.call('account-inquiry', { account: '99999999' })).to.deep.equal({
      kind: 'answered',
      status: 404,
      code: 'account-not-found',
      message: 'There is no account 99999999.',
    });
    const update = await hosted.call('account-update', { account: '10000003', limit: '1234.5' });
    expect(update).to.deep.equal({ kind: 'done', extracts: { name: 'KONRAD ZUSE', limit: '1234.50' } });
    const list = await hosted.call('member-list');
    const rows = list.kind === 'done' ? (list.extracts.members as readonly { name: string }[]) : [];
    expect(rows.length).to.equal(60);
    expect(new Set(rows.map(({ name }) => name)).size).to.equal(60);
    expect(hosted.host.sessions).to.equal(1);
  });

  it('tells the log when its sessions begin and end, and on which logical units they are', async () => {
    const hosted = await start({ pool: { most: 1 } });
    await hosted.call('account-inquiry', { account: '10000001' });
    const { name: pool, host } = hosted.definition;
    const facts = { kind: 'pool', pool, host, user: 'DEMO', lu: 'SIM00001' };
    const began = hosted.log.filter(({ msg }) => msg === 'session began');
    expect(began).to.have.length(1);
    expect(began[0]).to.include(facts);
    await hosted.stop(0);
    const [ended] = hosted.log.filter(({ msg }) => msg === 'session ended');
    expect(ended).to.include({ ...facts, session: began[0]?.session });
    // a session that is home signs off, and its host may be the first to close
    expect(ended?.end).to.be.oneOf(['stopped', 'hostEnded']);
    expect(ended?.bytesFromHost).to.be.greaterThan(1_000);
    expect(ended?.bytesToHost).to.be.greaterThan(100);
  });

  it('tells the log of each session that its host refuses, and why', async () => {
    const hosted = await start({ host: { faults: ['busy'] }, pool: { ready: 1, most: 1 } });
    const ended = await eventually(() => hosted.log.find(({ msg }) => msg === 'session ended'));
    expect(ended).to.include({ end: 'deviceRefused', detail: 'a logical unit: it is in use' });
    const why = 'the session has ended: a logical unit: it is in use';
    await eventually(() => (JSON.stringify(hosted.log).includes(why) ? true : undefined));
  });

  it('keeps as many signed on and waiting as it should, and has no more than it may', async () => {
    const hosted = await start({ pool: { ready: 2, most: 3 } });
    await eventually(() => (hosted.pool.state.free === 2 ? true : undefined));
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, () => hosted.call('account-inquiry', { account: '10000001' })),
    );
    expect(outcomes).to.deep.equal(Array.from({ length: 20 }, () => ada));
    expect(hosted.host.sessions).to.equal(3);
  });

  const failures: readonly (readonly [FaultName, string])[] = [
    ['disconnect', 'hostGone'],
    ['locked', 'timedOut'],
    ['garbage', 'screenFault'],
    ['broadcast', 'guardFailed'],
  ];
  for (const [fault, kind] of failures) {
    for (const [step, at] of [
      [1, 'the first'],
      [2, 'the second'],
    ] as const) {
      it(`${fault} at ${at} step: ${kind}, and the next call has a good session`, async () => {
        let shown = 0;
        const applications = watchedApplications((application, host) => {
          if (application === 'ACCOUNTS' && ++shown === step) host.faults.add(fault);
        });
        const hosted = await start({
          host: { applications },
          pool: { ready: 0, most: 1 },
          stepMilliseconds: fault === 'locked' || fault === 'broadcast' ? 1_000 : 20_000,
        });
        const outcome = await hosted.call('account-inquiry', { account: '10000001' });
        expect(outcome).to.deep.include({ kind: 'failed', step, pressed: true });
        expect(outcome.kind === 'failed' && outcome.failure.kind).to.equal(kind);
        if (kind === 'screenFault') {
          expect(hosted.log.map(({ msg }) => msg)).to.include('the host sent a faulty record');
        }
        expect(await hosted.call('account-inquiry', { account: '10000001' })).to.deep.equal(ada);
      });
    }
  }

  it('keeps a session that comes home after a screen that nobody expected, and ends one that does not', async () => {
    for (const [returnHome, signOns] of [
      [['pf3', 'pf3'], 1],
      [['pf5'], 2],
    ] as const) {
      let broadcasts = 1;
      const signedOn = counted(signOn);
      const applications = watchedApplications((application, host) => {
        if (application === 'ACCOUNTS' && broadcasts-- > 0) host.faults.add('broadcast');
      });
      const hosted = await start({
        host: { applications: { ...applications, SIGNON: signedOn.application } },
        pool: { ready: 0, most: 1, returnHome },
        stepMilliseconds: 1_000,
      });
      const outcome = await hosted.call('account-inquiry', { account: '10000001' });
      expect(outcome.kind === 'failed' && outcome.failure.kind).to.equal('guardFailed');
      expect(await hosted.call('account-inquiry', { account: '99999999' })).to.deep.include({ kind: 'answered' });
      expect(signedOn.count(), returnHome.join()).to.equal(signOns);
    }
  });

  /** Shows its first user the menu, and soon news in its place. */
  function newsHost() {
    const news = 'SYSTEM GOES DOWN';
    let menus = 0;
    let hasNews = false;
    let isLendable = () => false;
    const applications: Record<string, Application> = {
      MENU: async (terminal, host) => {
        if (menus++ > 0) return menu(terminal, host);
        // a panel that nobody asked for takes the place of the menu, once the session is at home
        const menuPanel = terminal
          .panel()
          .text(1, 2, 'MENU')
          .text(3, 2, 'Option ===>')
          .input('option', 3, 14, { length: 8 });
        const newsPanel = terminal.panel().text(1, 2, 'NEWS').text(3, 2, news);
        await terminal.showLive(menuPanel, 20, () => {
          hasNews ||= isLendable();
          return hasNews ? newsPanel : menuPanel;
        });
        return 'MENU';
      },
    };
    const watch = ({ pool }: HostedServices) => {
      isLendable = () => pool.state.free === 1;
    };
    return { applications, menus: () => menus, hasNews: () => hasNews, watch };
  }

  it('never lends a session that the host has taken from its home while nobody used it', async () => {
    const { applications, hasNews, menus, watch } = newsHost();
    const hosted = await start({ host: { applications }, pool: { ready: 1, most: 1 } });
    watch(hosted);
    // the pool may know of it later than the host: it is about to bring the session home, or has done so
    await eventually(() => (hasNews() && (hosted.pool.state.free === 0 || menus() === 2)) || undefined);
    expect(await hosted.call('account-inquiry', { account: '10000001' })).to.deep.equal(ada);
    expect(hosted.host.sessions).to.equal(1);
  });

  it('brings such a session home by itself, and replaces one that does not come, without haste', async () => {
    const [coming, staying] = [newsHost(), newsHost()];
    const pool = { ready: 1, most: 1 };
    const hosted = await start({ host: { applications: coming.applications }, pool });
    coming.watch(hosted);
    const other = await start({ host: { applications: staying.applications }, pool: { ...pool, returnHome: [] } });
    staying.watch(other);
    await eventually(() => (coming.menus() === 2 && hosted.pool.state.free === 1 ? true : undefined));
    expect(hosted.host.sessions).to.equal(1);
    await eventually(() => (other.pool.state.trouble !== undefined ? true : undefined));
    expect(other.pool.state.trouble).to.include('no key leads back');
    await eventually(() => (staying.menus() === 2 && other.pool.state.free === 1 ? true : undefined));
  }).timeout(30_000);

  it('signs its sessions off when it stops', async () => {
    const keys: string[] = [];
    const application: Application = async (terminal, host) => {
      const next = await menu(terminal, host);
      keys.push(next ?? 'logged off');
      return next;
    };
    const hosted = await start({ host: { applications: { MENU: application } }, pool: { ready: 2 } });
    await eventually(() => (hosted.pool.state.free === 2 ? true : undefined));
    await hosted.stop();
    expect(keys).to.deep.equal(['logged off', 'logged off']);
  });

  it('goes down to those that are kept ready when nobody needs the others', async () => {
    const hosted = await start({ pool: { ready: 1, most: 4, idleMilliseconds: 1 } });
    const calls = Array.from({ length: 4 }, () => hosted.call('account-inquiry', { account: '10000001' }));
    await Promise.all(calls);
    await eventually(() => (hosted.host.sessions === 1 && hosted.pool.state.free === 1 ? true : undefined));
    expect(await hosted.call('account-inquiry', { account: '10000001' })).to.deep.equal(ada);
  });

  it('stops a user whom the host refuses before he is locked, and goes on with the others', async function () {
    this.timeout(60_000);
    const tries: string[] = [];
    const application: Application = async (terminal, host) => {
      const panel = () =>
        terminal.panel().text(1, 2, 'SIGNON').text(8, 14, 'Userid  . . .').input('user', 8, 31, { length: 8 });
      for (;;) {
        const { fields } = await terminal.show(
          panel().text(10, 14, 'Password  . . .').input('password', 10, 31, { length: 8, hidden: true }),
        );
        tries.push(fields.user ?? '');
        if (host.users.signOn(fields.user ?? '', fields.password ?? '') === 'signedOn') return 'MENU';
      }
    };
    const users = [
      { user: 'WRONG', password: Buffer.from('guess1') },
      { user: 'DEMO', password: Buffer.from('demo') },
    ];
    const hosted = await start({
      host: { users: { DEMO: 'demo', WRONG: 'right' }, applications: { SIGNON: application } },
      pool: { ready: 4, most: 4, users, sessionsPerUser: 2 },
      stepMilliseconds: 1_500,
    });
    expect(await hosted.call('account-inquiry', { account: '10000001' })).to.deep.equal(ada);
    await eventually(() => {
      const [wrong] = hosted.pool.state.users;
      return wrong?.isStopped && wrong.sessions === 0 ? true : undefined;
    });
    await eventually(() => (hosted.pool.state.free === 2 ? true : undefined));
    expect(tries.filter((user) => user === 'WRONG').length).to.equal(MOST_REFUSALS);
    expect(hosted.pool.state.users).to.deep.equal([
      { user: 'WRONG', sessions: 0, refusals: 3, isStopped: true },
      { user: 'DEMO', sessions: 2, refusals: 0, isStopped: false },
    ]);
    const said = hosted.log.filter(({ msg }) => String(msg).startsWith('the host refused a sign-on'));
    expect(said.map(({ level, user }) => [level, user])).to.deep.equal([
      [40, 'WRONG'],
      [40, 'WRONG'],
      [50, 'WRONG'],
    ]);
    expect(JSON.stringify(hosted.log)).to.not.include('guess1');
  });

  it('answers at once when all its users are stopped', async function () {
    this.timeout(60_000);
    const users = [{ user: 'DEMO', password: Buffer.from('wrong') }];
    const hosted = await start({ pool: { users, waitMilliseconds: 60_000 }, stepMilliseconds: 300 });
    expect(await hosted.call('member-list')).to.deep.equal({ kind: 'cannotSignOn' });
    expect(await hosted.call('member-list')).to.deep.equal({ kind: 'cannotSignOn' });
    expect(hosted.pool.state.users).to.deep.equal([{ user: 'DEMO', sessions: 0, refusals: 3, isStopped: true }]);
  });

  it('blames no user where its host goes away behind his password', async () => {
    let times = 0;
    const applications = watchedApplications((application, host) => {
      if (application === 'MENU' && times++ === 0) host.faults.add('disconnect');
    });
    const hosted = await start({ host: { applications }, pool: { most: 1 } });
    await eventually(() => (hosted.pool.state.free === 1 ? true : undefined));
    const messages = hosted.log.map(({ msg }) => String(msg));
    expect(messages).to.include('a pool can have no session of its host');
    expect(messages.filter((text) => text.includes('refused'))).to.deep.equal([]);
  });

  it('says that its host is not there, blames no user, and has sessions once it is', async () => {
    const probe = await start({ pool: { ready: 0 } });
    const port = await freedPort(probe);
    const hosted = await start({ isListening: false, port, pool: { waitMilliseconds: 50 } });
    await eventually(() => (hosted.pool.state.trouble === undefined ? undefined : true));
    const outcome = await hosted.call('member-list');
    expect(outcome.kind).to.equal('hostUnreachable');
    expect(outcome.kind === 'hostUnreachable' && outcome.retryAfterSeconds).to.be.within(1, 2);
    expect(hosted.pool.state.users).to.deep.equal([{ user: 'DEMO', sessions: 0, refusals: 0, isStopped: false }]);
    await hosted.listen(port);
    await eventually(() => (hosted.pool.state.free === 1 ? true : undefined));
    expect(await hosted.call('account-inquiry', { account: '10000001' })).to.deep.equal(ada);
    expect(hosted.log.map(({ msg }) => msg)).to.include.members([
      'a pool can have no session of its host',
      'the pool has sessions again',
    ]);
  });

  /** A port that nobody has now. */
  async function freedPort(hosted: HostedServices): Promise<number> {
    const { createServer } = await import('node:net');
    await hosted.stop();
    return new Promise((resolve) => {
      const server = createServer().listen(0, '127.0.0.1', () => {
        const address = server.address();
        server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
      });
    });
  }

  it('has each user in as many sessions as he may have', async () => {
    const inUse = new Map<string, number>();
    const most = new Map<string, number>();
    const application: Application = async (terminal, host) => {
      const user = terminal.user ?? '';
      inUse.set(user, (inUse.get(user) ?? 0) + 1);
      most.set(user, Math.max(most.get(user) ?? 0, inUse.get(user) ?? 0));
      try {
        return await menu(terminal, host);
      } finally {
        inUse.set(user, (inUse.get(user) ?? 0) - 1);
      }
    };
    const names = ['ONE', 'TWO', 'THREE'];
    const hosted = await start({
      host: { users: Object.fromEntries(names.map((name) => [name, 'pass'])), applications: { MENU: application } },
      pool: { most: 3, sessionsPerUser: 1, users: names.map((user) => ({ user, password: Buffer.from('pass') })) },
    });
    const outcomes: CallOutcome[] = await Promise.all(
      Array.from({ length: 30 }, () => hosted.call('account-inquiry', { account: '10000001' })),
    );
    expect(new Set(outcomes.map(({ kind }) => kind))).to.deep.equal(new Set(['done']));
    expect([...most].sort()).to.deep.equal([
      ['ONE', 1],
      ['THREE', 1],
      ['TWO', 1],
    ]);
  });

  it('is drained: idle sessions end, a call under way ends as it began, others are told to come later, until it is resumed', async () => {
    let go = () => {};
    const held = new Promise<void>((resolve) => {
      go = resolve;
    });
    let isShown = () => {};
    const shown = new Promise<void>((resolve) => {
      isShown = resolve;
    });
    const hosted = await start({
      host: {
        applications: watchedApplications(async (application) => {
          if (application !== 'ACCOUNTS') return;
          isShown();
          await held;
        }),
      },
      pool: { ready: 2, most: 2 },
    });
    const { pool } = hosted;
    await eventually(() => (pool.state.free === 2 ? true : undefined));
    const inquiry = (caller: string) => hosted.call('account-inquiry', { account: '10000001' }, { caller });
    const underWay = [inquiry('one'), inquiry('two')];
    await shown;
    await eventually(() => (pool.state.lent === 2 ? true : undefined));
    const waiting = inquiry('three');
    await eventually(() => (pool.state.waiting === 1 ? true : undefined));
    pool.drain();
    const refused = { kind: 'drained', retryAfterSeconds: 30 };
    expect(await waiting).to.deep.equal(refused);
    expect(await inquiry('four')).to.deep.equal(refused);
    expect(pool.state).to.include({ isDrained: true, lent: 2, free: 0 });
    go();
    expect(await Promise.all(underWay)).to.deep.equal([ada, ada]);
    await eventually(() => (pool.sessions.length === 0 ? true : undefined));
    expect(await inquiry('four')).to.deep.equal(refused);
    expect(pool.sessions).to.have.length(0);
    pool.resume();
    await eventually(() => (pool.state.free === 2 ? true : undefined));
    expect(pool.state.isDrained).to.equal(false);
    expect(await inquiry('four')).to.deep.equal(ada);
    // idle ones, and one that signs on just then
    pool.drain();
    pool.resume();
    pool.drain();
    await eventually(() => (pool.sessions.length === 0 ? true : undefined));
    expect(pool.state.users[0]).to.include({ sessions: 0, refusals: 0 });
    expect(pool.state.trouble).to.equal(undefined);
  });
});
