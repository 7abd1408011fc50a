import { expect } from 'chai';
import type { Application } from '../../src/demo/simulated-host/application.js';
import { signOn } from '../../src/demo/simulated-host/applications/sign-on.js';
import type { FaultSwitches } from '../../src/demo/simulated-host/fault-switches.js';
import { eventually } from '../support/eventually.js';
import { hostedForEachTest, watched, watchedApplications } from './hosted-services.js';

const ada = { kind: 'done', extracts: { name: 'ADA LOVELACE', balance: '12540.75' } };

describe('the sessions that a pool opens', () => {
  const start = hostedForEachTest();

  function gate() {
    let letGo = () => {};
    const isOpen = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    return { letGo: () => letGo(), isOpen };
  }

  /** Signs on nobody before it is let go; `first` fails the first sign-ons. */
  function heldSignOn(first: (sessions: number, faults: FaultSwitches) => boolean = () => false) {
    const { letGo, isOpen } = gate();
    let sessions = 0;
    let held = 0;
    const application: Application = (terminal, host) => {
      const isFailed = first(++sessions, host.faults);
      return watched(signOn, async () => {
        if (isFailed) return;
        held++;
        await isOpen;
      })(terminal, host);
    };
    return { applications: { SIGNON: application }, letGo, held: () => held };
  }

  it('sign on all at once if the host is in no trouble', async () => {
    const { applications, held, letGo } = heldSignOn();
    const hosted = await start({ host: { applications }, pool: { ready: 3, most: 4 } });
    expect(hosted.pool.sessions).to.have.length(3);
    await eventually(() => (held() === 3 ? true : undefined));
    letGo();
    await eventually(() => (hosted.pool.state.free === 3 ? true : undefined));
    expect(hosted.pool.sessions).to.have.length(3);
  });

  it('sign on one at a time after trouble, until the host has accepted one', async () => {
    const { applications, held, letGo } = heldSignOn((session, faults) => {
      if (session > 3) return false;
      faults.add('disconnect');
      return true;
    });
    const hosted = await start({ host: { applications }, pool: { ready: 3, most: 3 } });
    await eventually(() => (held() > 0 ? true : undefined));
    expect(hosted.pool.state.trouble).to.be.a('string');
    expect(hosted.pool.sessions).to.have.length(1);
    letGo();
    await eventually(() => (hosted.pool.state.free === 3 ? true : undefined));
    expect(hosted.pool.state.trouble).to.equal(undefined);
  });

  it('may be more than ten at once without a warning of Node', async () => {
    const warnings: string[] = [];
    const note = ({ name }: Error) => {
      warnings.push(name);
    };
    process.on('warning', note);
    try {
      const { applications, held, letGo } = heldSignOn();
      // at most three sign-ons of a user are under way
      const names = ['ONE', 'TWO', 'THREE', 'FOUR'];
      const hosted = await start({
        host: { applications, users: { ONE: 'pass', TWO: 'pass', THREE: 'pass', FOUR: 'pass' } },
        pool: { ready: 11, most: 11, users: names.map((user) => ({ user, password: Buffer.from('pass') })) },
      });
      await eventually(() => (held() === 11 ? true : undefined));
      letGo();
      await eventually(() => (hosted.pool.state.free === 11 ? true : undefined));
    } finally {
      process.off('warning', note);
    }
    expect(warnings).to.not.include('MaxListenersExceededWarning');
  });

  /** A pool whose only session is lent to a call; the host answers it when it is let go. */
  async function lent(before: (faults: FaultSwitches) => void = () => {}) {
    const { letGo, isOpen } = gate();
    let isHeld = false;
    const applications = watchedApplications(async (application, host) => {
      if (application !== 'ACCOUNTS') return;
      isHeld = true;
      await isOpen;
      before(host.faults);
    });
    const hosted = await start({ host: { applications }, pool: { ready: 1, most: 1 } });
    const call = hosted.call('account-inquiry', { account: '10000001' });
    await eventually(() => (isHeld ? true : undefined));
    return { hosted, pool: hosted.pool, call, letGo };
  }

  it('end when their pool is retired and its calls are served, and the pool is empty then and not before', async () => {
    const { hosted, pool, call, letGo } = await lent();
    const waiting = hosted.call('account-inquiry', { account: '10000001' }, { caller: 'other' });
    hosted.replacePool({ ready: 0 });
    expect(pool.isEmpty).to.equal(false);
    letGo();
    expect([await call, await waiting]).to.deep.equal([ada, ada]);
    await eventually(() => (pool.sessions.length === 0 ? true : undefined));
    expect(pool.isEmpty).to.equal(true);
  });

  it('have no successors in a retired pool', async () => {
    const { hosted, pool, call, letGo } = await lent((faults) => faults.add('disconnect'));
    hosted.replacePool({ ready: 0 });
    letGo();
    expect(await call).to.deep.include({ kind: 'failed' });
    await eventually(() => (pool.sessions.length === 0 ? true : undefined));
    expect(pool.isEmpty).to.equal(true);
  });
});
