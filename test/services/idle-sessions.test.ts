import { expect } from 'chai';
import { eventually } from '../support/eventually.js';
import { hostedForEachTest } from './hosted-services.js';

describe('sessions of a pool that nobody uses', () => {
  const start = hostedForEachTest();
  const realNow = performance.now;
  const realInterval = globalThis.setInterval;
  afterEach(() => {
    performance.now = realNow;
    globalThis.setInterval = realInterval;
  });

  /** A pool whose clock, and whose looks for idle sessions, are those of the test. */
  async function withClock(idleMilliseconds: number) {
    const looks: { look: () => void; every: number | undefined }[] = [];
    globalThis.setInterval = ((look: () => void, every?: number) => {
      looks.push({ look, every });
      return realInterval(() => {}, 2_147_483_647);
    }) as unknown as typeof setInterval;
    const hosted = await start({ pool: { ready: 1, most: 3, idleMilliseconds } });
    globalThis.setInterval = realInterval;
    let ahead = 0;
    performance.now = () => realNow.call(performance) + ahead;
    const one = looks.filter(({ every }) => every !== undefined);
    return {
      hosted,
      every: one.map(({ every }) => every),
      look: () => one[0]?.look(),
      advance: (milliseconds: number) => {
        ahead += milliseconds;
      },
    };
  }

  const inquiry = { account: '10000001' };

  it('end after their idle time, the one used last not among them, and no others begin in their place', async () => {
    const { hosted, every, look, advance } = await withClock(600_000);
    expect(every).to.deep.equal([150_000]);
    const ids = () => hosted.pool.sessions.map(({ conversation }) => conversation.id).sort();
    const free = (count: number) => eventually(() => (hosted.pool.state.free === count ? true : undefined));
    const useAll = async () => {
      await Promise.all(Array.from({ length: 3 }, () => hosted.call('account-inquiry', inquiry)));
      await free(3);
    };
    await useAll();
    const all = ids();
    expect(all).to.have.length(3);
    look();
    expect(hosted.pool.state.free).to.equal(3);
    advance(590_000);
    look();
    expect(hosted.pool.state.free).to.equal(3);
    await useAll();
    advance(20_000);
    look();
    expect(hosted.pool.state.free).to.equal(3);
    await hosted.call('account-inquiry', inquiry);
    await free(3);
    advance(590_000);
    look();
    expect(hosted.pool.state.free).to.equal(1);
    await eventually(() => (hosted.pool.sessions.length === 1 ? true : undefined));
    const kept = ids();
    expect(all).to.include.members(kept);
    advance(86_400_000);
    look();
    expect(hosted.pool.state).to.include({ free: 1, between: 0 });
    expect(ids()).to.deep.equal(kept);
  });

  it('are looked for once a second at most', async () => {
    expect((await withClock(1)).every).to.deep.equal([1_000]);
  });
});
