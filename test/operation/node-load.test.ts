import { expect } from 'chai';
import { readNodeLoad, sumOfLoads } from '../../src/operation/node-load.js';

const MINUTE = 60_000;
const NOON = 1_800_000 * MINUTE;
const minute = (at: number, sessions: number, requests: number) => ({ at: NOON + at * MINUTE, sessions, requests });

describe('how much all servers do', () => {
  it('adds minutes that passed at the same time, by whichever clock, and none that are older than an hour', () => {
    const own = { now: NOON + 1_000, sessions: 2, connections: 3, lastHour: [minute(-1, 4, 10), minute(0, 2, 1)] };
    // its clock is two minutes ahead
    const other = {
      now: NOON + 2 * MINUTE + 500,
      sessions: 5,
      connections: 7,
      lastHour: [minute(-58, 9, 9), minute(1, 6, 20), minute(2, 5, 2)],
    };
    expect(sumOfLoads(own, [other])).to.deep.equal({
      now: own.now,
      sessions: 7,
      connections: 10,
      lastHour: [minute(-1, 10, 30), minute(0, 7, 3)],
    });
    const { lastHour } = sumOfLoads({ ...own, lastHour: [] }, [{ ...other, lastHour: [minute(-57, 9, 9)] }]);
    expect(lastHour).to.deep.equal([minute(-59, 9, 9)]);
  });

  it('believes no other version that says something else', () => {
    const load = { now: 1, sessions: 2, connections: 3, lastHour: [{ at: 0, sessions: 1, requests: 0 }] };
    expect(readNodeLoad(JSON.stringify(load))).to.deep.equal(load);
    const hour = Array.from({ length: 60 }, () => ({ at: 0, sessions: 1, requests: 0 }));
    expect(readNodeLoad(JSON.stringify({ ...load, lastHour: hour }))?.lastHour).to.have.lengthOf(60);
    for (const wrong of [
      { ...load, sessions: -1 },
      { ...load, connections: '3' },
      { ...load, now: 1.5 },
      { ...load, lastHour: {} },
      { ...load, lastHour: [null] },
      { ...load, lastHour: [{ at: 0, sessions: 1 }] },
      { ...load, lastHour: [...hour, ...hour.slice(0, 1)] },
      null,
      [],
    ]) {
      expect(readNodeLoad(JSON.stringify(wrong)), JSON.stringify(wrong)).to.equal(undefined);
    }
    for (const text of ['', '{', 'null']) expect(readNodeLoad(text), text).to.equal(undefined);
  });
});
