import { expect } from 'chai';
import { type AnyEventObject, initialTransition, transition } from 'xstate';
import { restartWait, workerMachine } from '../../machines/worker.machine.js';

const input = {
  bounds: { failedStarts: 2, withinMilliseconds: 1_000, waitMilliseconds: [10, 20] },
  startMilliseconds: 5,
  drainMilliseconds: 5,
  stopMilliseconds: 5,
};
const serving = { type: 'worker.serving' };
const restart = { type: 'operator.restart' };
const leave = { type: 'operator.leave' };
const stop = { type: 'operator.stop' };
const silent = { type: 'worker.silent' };
const waited = { type: 'xstate.after.wait.worker.waiting' };
const late = { type: 'xstate.after.startLimit.worker.running.starting' };
const died = (at: number, isKilled = false) => ({ type: 'worker.ended', at, isKilled });

function run(events: readonly AnyEventObject[]) {
  let [snapshot, actions] = initialTransition(workerMachine, input);
  // events of delays are no part of the machine's own event type
  for (const event of events) [snapshot, actions] = transition(workerMachine, snapshot, event as never);
  return { snapshot, actions: actions.map(({ type }) => type) };
}

describe('worker machine', () => {
  const table: readonly [events: readonly AnyEventObject[], state: unknown][] = [
    [[], { running: 'starting' }],
    [[restart], { running: 'starting' }],
    [[serving], { running: 'serving' }],
    [[serving, restart], { running: 'draining' }],
    [[serving, restart, died(1)], { running: 'starting' }],
    [[serving, restart, stop], { running: 'stopping' }],
    [[serving, leave], { running: 'leaving' }],
    [[serving, leave, died(1)], 'ended'],
    [[stop], { running: 'stopping' }],
    [[serving, stop, died(1)], 'ended'],
    [[died(1)], 'waiting'],
    [[serving, died(1)], 'waiting'],
    [[serving, died(1), stop], 'ended'],
    [[serving, died(1), leave], 'ended'],
    [[serving, died(1), waited], { running: 'starting' }],
    [[serving, died(1), restart], { running: 'starting' }],
    [[died(1), waited, died(2), waited, died(3)], 'givenUp'],
    // one that has served is started again, however often it dies
    [[died(1), waited, died(2), waited, serving, died(3)], 'waiting'],
    [[serving, died(1), waited, serving, died(2), waited, serving, died(3)], 'waiting'],
    [[serving, died(1), waited, died(2), waited, died(3), waited, died(4)], 'givenUp'],
    [[late], { running: 'starting' }],
    [[late, serving], { running: 'serving' }],
    [[late, died(1, true)], 'waiting'],
    // that it never served is its own doing
    [[late, died(1, true), waited, late, died(2, true), waited, late, died(3, true)], 'givenUp'],
    // so is one that was killed
    [[died(1), waited, died(2), waited, died(3, true)], 'waiting'],
    [[died(1), waited, died(2), waited, died(3, true), waited, died(4)], 'givenUp'],
    [[died(1), waited, died(2), waited, died(3), restart], { running: 'starting' }],
    [[died(1), waited, died(2), waited, died(3), restart, died(4)], 'waiting'],
    [[died(1), waited, died(2), waited, died(3), stop], 'ended'],
    [[died(1), waited, died(2), waited, died(3), leave], 'ended'],
  ];
  for (const [events, state] of table) {
    it(`${events.map(({ type, at, isKilled }) => `${type}${at === undefined ? '' : ` ${at}`}${isKilled ? ' killed' : ''}`).join(', ') || 'nothing'} → ${JSON.stringify(state)}`, () => {
      expect(run(events).snapshot.value).to.deep.equal(state);
    });
  }

  it('kills one that hangs, whatever it is to do; its end is that of one that was killed', () => {
    for (const before of [[serving], [serving, restart], [serving, leave], [serving, stop]]) {
      expect(run([...before, silent]).actions).to.deep.equal(['xstate.sendTo']);
      expect(run([...before, silent]).snapshot.value).to.deep.equal(run(before).snapshot.value);
    }
    expect(run([serving, silent, died(1, true), waited]).snapshot.value).to.deep.equal({ running: 'starting' });
  });

  it('kills one that does not serve in time', () => {
    expect(run([late]).actions).to.include('xstate.sendTo');
  });

  it('knows the deaths of some time, and no earlier ones', () => {
    const deathsOf = (events: readonly AnyEventObject[]) => run(events).snapshot.context.deaths;
    expect(deathsOf([serving, died(1), waited, serving, died(1_000)])).to.deep.equal([1, 1_000]);
    expect(deathsOf([serving, died(1), waited, serving, died(1_001)])).to.deep.equal([1_001]);
    // what kills it from outside says nothing of it
    expect(deathsOf([serving, died(1), waited, serving, died(2, true)])).to.deep.equal([1]);
  });

  it('waits longer after each death, and then as long as the last time', () => {
    const waits = [[1], [1, 2], [1, 2, 3]].map((deaths) => restartWait({ bounds: input.bounds, deaths }));
    expect(waits).to.deep.equal([10, 20, 20]);
  });

  it('counts restarts after deaths, and no others', () => {
    expect(run([serving, restart, died(1), serving, died(2), waited]).snapshot.context.restarts).to.equal(1);
  });
});
