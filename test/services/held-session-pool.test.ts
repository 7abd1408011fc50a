import { expect } from 'chai';
import { eventually } from '../support/eventually.js';
import { hostedForEachTest, watchedApplications } from './hosted-services.js';

const MOST_WAITING_OF_CALLER = 250;

const ada = { kind: 'done', extracts: { name: 'ADA LOVELACE', balance: '12540.75' } };

describe('a pool of signed-on sessions whose host is held', () => {
  const start = hostedForEachTest();

  /** Holds the walk of the first call at its first screen until it is let go, unless the call ends before. */
  async function held(pool: Parameters<typeof start>[0] = {}) {
    let letGo = () => {};
    let hold: (() => void) | undefined;
    const gate = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    const isHeld = new Promise<void>((resolve) => {
      hold = resolve;
    });
    const applications = watchedApplications(async (application) => {
      if (application !== 'ACCOUNTS' || hold === undefined) return;
      hold();
      hold = undefined;
      await gate;
    });
    const hosted = await start({ ...pool, host: { applications }, pool: { ready: 0, most: 1, ...pool.pool } });
    await eventually(() => (hosted.pool.state.free === hosted.definition.ready ? true : undefined));
    const first = hosted.call('account-inquiry', { account: '10000001' });
    await Promise.race([isHeld, first]);
    return { hosted, first, letGo };
  }

  it('serves callers in turn', async () => {
    const { hosted, first, letGo } = await held();
    const served: string[] = [];
    const calls = ['a1', 'a2', 'a3', 'b1', 'c1', 'b2'].map(async (name) => {
      const outcome = await hosted.call('account-inquiry', { account: '10000001' }, { caller: name.charAt(0) });
      expect(outcome).to.deep.equal(ada);
      served.push(name);
    });
    letGo();
    await Promise.all([first, ...calls]);
    expect(served).to.deep.equal(['a1', 'b1', 'c1', 'a2', 'b2', 'a3']);
  });

  it('tells a call that has waited for too long when to come again', async () => {
    // the first call itself does not wait for a session to sign on
    const { hosted, first, letGo } = await held({ pool: { ready: 1, waitMilliseconds: 50 } });
    expect(await hosted.call('member-list')).to.deep.equal({ kind: 'noSession', retryAfterSeconds: 1 });
    expect(hosted.pool.state.waiting).to.equal(0);
    letGo();
    expect(await first).to.deep.equal(ada);
  });

  it('lets as many calls of a caller wait as may, and not one more', async () => {
    const { hosted, first, letGo } = await held();
    const waiting = Array.from({ length: MOST_WAITING_OF_CALLER }, () =>
      hosted.call('account-inquiry', { account: '10000001' }),
    );
    expect(hosted.pool.state.waiting).to.equal(MOST_WAITING_OF_CALLER);
    expect(await hosted.call('member-list')).to.deep.include({ kind: 'noSession' });
    const other = hosted.call('account-inquiry', { account: '10000001' }, { caller: 'other' });
    letGo();
    expect(new Set((await Promise.all([first, other, ...waiting])).map(({ kind }) => kind))).to.deep.equal(
      new Set(['done']),
    );
  });

  it('gives the place of a call that was given up to the next', async () => {
    const { hosted, first, letGo } = await held();
    const gone = new AbortController();
    const given = hosted.call('member-list', {}, { signal: gone.signal });
    const next = hosted.call('account-inquiry', { account: '10000001' });
    const reason = new Error('the caller is gone');
    gone.abort(reason);
    expect(await given.catch((error: unknown) => error)).to.equal(reason);
    letGo();
    expect([await first, await next]).to.deep.equal([ada, ada]);
  });

  it('ends a call that takes longer than a session is lent for, and replaces the session', async () => {
    const { hosted, first, letGo } = await held({ pool: { checkoutMilliseconds: 300 } });
    expect(await first).to.deep.equal({ kind: 'overTime', seconds: 1 });
    letGo();
    await eventually(() => (hosted.host.sessions === 0 ? true : undefined));
    const again = await start({ pool: { ready: 0, most: 1 } });
    expect(await again.call('account-inquiry', { account: '10000001' })).to.deep.equal(ada);
  });

  it('ends what is under way when it stops, after a grace, and those who wait at once', async () => {
    const { hosted, first } = await held();
    const waiting = hosted.call('member-list');
    const stopped = hosted.stop(100);
    expect(await waiting).to.deep.equal({ kind: 'stopping' });
    expect(await first).to.deep.equal({ kind: 'stopping' });
    await stopped;
    expect(await hosted.call('member-list')).to.deep.equal({ kind: 'stopping' });
  });
});
