import { expect } from 'chai';
import type { Application } from '../../src/demo/simulated-host/application.js';
import { PoolUsers } from '../../src/services/pool-users.js';
import { eventually } from '../support/eventually.js';
import { hostedForEachTest, watchedApplications } from './hosted-services.js';

/** RACF and its like revoke a user after a few wrong passwords; docs/run/configuration.md promises that a pool stops after three. */
describe('sign-ons of a pool that its host refuses', () => {
  const start = hostedForEachTest();
  const wrong = [{ user: 'DEMO', password: Buffer.from('guess1') }];

  /** Counts the passwords that the host is sent, and answers each after `answer` resolves. */
  function countingHost(answer: (count: number) => Promise<void> = async () => {}) {
    let count = 0;
    const application: Application = async (terminal, host) => {
      for (;;) {
        const panel = terminal
          .panel()
          .text(1, 2, 'SIGNON')
          .text(8, 14, 'Userid  . . .')
          .input('user', 8, 31, { length: 8 })
          .text(10, 14, 'Password  . . .')
          .input('password', 10, 31, { length: 8, hidden: true });
        const { fields } = await terminal.show(panel);
        count++;
        await answer(count);
        if (host.users.signOn(fields.user ?? '', fields.password ?? '') === 'signedOn') return 'MENU';
      }
    };
    return { applications: { SIGNON: application }, count: () => count };
  }

  it('are three in all where five sessions would sign on at once', async () => {
    const host = countingHost();
    const hosted = await start({
      host: { applications: host.applications },
      pool: { ready: 5, most: 5, users: wrong, sessionsPerUser: 5 },
      stepMilliseconds: 300,
    });
    await eventually(() => {
      const [user] = hosted.pool.state.users;
      return user?.isStopped && user.sessions === 0 ? true : undefined;
    });
    expect(hosted.pool.state.users).to.deep.equal([{ user: 'DEMO', sessions: 0, refusals: 3, isStopped: true }]);
    expect(host.count()).to.equal(3);
  }).timeout(60_000);

  it('are three in all where the configuration is reloaded after the first', async () => {
    let letGo = () => {};
    const gate = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    const host = countingHost((count) => (count === 1 ? Promise.resolve() : gate));
    const hosted = await start({
      host: { applications: host.applications },
      pool: { ready: 1, most: 1, users: wrong },
      stepMilliseconds: 300,
    });
    await eventually(() => (hosted.pool.state.users[0]?.refusals === 1 ? true : undefined));
    hosted.replacePool({ ready: 4, most: 4, users: wrong });
    expect(hosted.pool.state.users[0]).to.include({ refusals: 1, isStopped: false });
    letGo();
    await eventually(() => {
      const [user] = hosted.pool.state.users;
      return user?.isStopped && user.sessions === 0 ? true : undefined;
    });
    hosted.replacePool({ ready: 2, most: 2, users: wrong });
    expect(hosted.pool.state.users).to.deep.equal([{ user: 'DEMO', sessions: 0, refusals: 3, isStopped: true }]);
    expect(host.count()).to.equal(3);
  }).timeout(60_000);

  it('are not those where the host shows another screen before it was sent the password', async () => {
    const news: Application = async (terminal) => {
      for (;;) await terminal.show(terminal.panel().text(1, 2, 'NEWS').input('any', 3, 2, { length: 1 }));
    };
    const hosted = await start({ host: { applications: { SIGNON: news } }, stepMilliseconds: 300 });
    await eventually(() => (hosted.pool.state.trouble === undefined ? undefined : true));
    expect(hosted.pool.state.users[0]).to.include({ refusals: 0, isStopped: false });
    const messages = hosted.log.map(({ msg }) => String(msg));
    expect(messages).to.include('a pool can have no session of its host');
    expect(messages.filter((text) => text.includes('refused a sign-on'))).to.deep.equal([]);
  }).timeout(30_000);

  it('are, where the host shows a screen that the steps do not expect after the password', async () => {
    const applications = watchedApplications(() => {});
    const elsewhere: Application = async (terminal) => {
      for (;;) await terminal.show(terminal.panel().text(1, 2, 'NEWS').input('any', 3, 2, { length: 1 }));
    };
    const hosted = await start({ host: { applications: { ...applications, MENU: elsewhere } }, stepMilliseconds: 300 });
    await eventually(() => (hosted.pool.state.users[0]?.refusals === 1 ? true : undefined));
    const messages = hosted.log.map(({ msg }) => String(msg));
    expect(messages).to.include('the host refused a sign-on of a pool; it will be retried');
  }).timeout(30_000);

  describe('and when users may sign on again', () => {
    const definitions = [{ user: 'DEMO', password: Buffer.from('guess1') }];
    const never = Number.MAX_SAFE_INTEGER;

    it('is while no other sign-on of the user is undecided', () => {
      const users = new PoolUsers(definitions, 8);
      const [first, second] = [users.take(0), users.take(0)];
      first?.refused();
      expect(users.take(never)).to.equal(undefined);
      expect(users.nextAt).to.equal(undefined);
      second?.undecided();
      expect(users.take(never)).to.not.equal(undefined);
    });

    it('is 1 second after the first refusal, and 2 seconds after the second', () => {
      const users = new PoolUsers(definitions, 8);
      for (const pause of [1_000, 2_000]) {
        const life = users.take(never);
        const before = performance.now();
        life?.refused();
        const after = performance.now();
        life?.leave();
        expect(users.nextAt).to.be.within(before + pause, after + pause);
        expect(users.take(before + pause - 1)).to.equal(undefined);
      }
      expect(users.take(never)?.refused()).to.equal(true);
      expect(users.take(never)).to.equal(undefined);
    });
  });
});
