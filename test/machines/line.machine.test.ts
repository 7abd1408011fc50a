import { expect } from 'chai';
import { type AnyEventObject, initialTransition, transition } from 'xstate';
import { lineMachine, retryDelay } from '../../machines/line.machine.js';

const start = { type: 'operator.start' };
const stop = { type: 'operator.stop' };
const opened = { type: 'xstate.done.actor.open', actorId: 'open', output: { kind: 'listening' } };
const fault = (name: string) => ({
  type: 'xstate.done.actor.open',
  actorId: 'open',
  output: { kind: 'fault', fault: name, reason: `because of ${name}` },
});
const taken = fault('portTaken');
const missing = fault('addressMissing');
const refused = fault('refused');
const openThrew = { type: 'xstate.error.actor.open', actorId: 'open', error: new Error('boom') };
const retry = { type: 'xstate.after.retry.line.opening.waiting' };
const closed = { type: 'xstate.done.actor.close', actorId: 'close', output: undefined };

function run(events: readonly AnyEventObject[], retryMilliseconds: readonly number[] = [1, 2, 4]) {
  let [snapshot, actions] = initialTransition(lineMachine, { retryMilliseconds });
  // events of actors are no part of the machine's own event type
  for (const event of events) [snapshot, actions] = transition(lineMachine, snapshot, event as typeof start as never);
  return { snapshot, actions };
}

describe('line machine', () => {
  const table: readonly [events: readonly AnyEventObject[], state: unknown][] = [
    [[], 'closed'],
    [[stop], 'closed'],
    [[start], { opening: 'attempting' }],
    [[start, start], { opening: 'attempting' }],
    [[start, opened], 'listening'],
    [[start, opened, start], 'listening'],
    [[start, taken], { opening: 'waiting' }],
    [[start, missing], { opening: 'waiting' }],
    [[start, taken, retry], { opening: 'attempting' }],
    [[start, taken, retry, opened], 'listening'],
    [[start, taken, stop], 'closing'],
    [[start, stop], 'closing'],
    [[start, refused], 'failed'],
    [[start, taken, retry, refused], 'failed'],
    [[start, openThrew], 'failed'],
    [[start, refused, start], { opening: 'attempting' }],
    [[start, refused, stop], 'closed'],
    [[start, opened, stop], 'closing'],
    [[start, opened, stop, start], 'closing'],
    [[start, opened, stop, closed], 'closed'],
    [[start, opened, stop, closed, start], { opening: 'attempting' }],
  ];
  for (const [events, state] of table) {
    it(`${events.map(({ type, output }) => output?.fault ?? type).join(', ') || 'nothing'} → ${JSON.stringify(state)}`, () => {
      expect(run(events).snapshot.value).to.deep.equal(state);
    });
  }

  it('waits 1, 2, 4 … and then the last delay for ever', () => {
    const delays: number[] = [];
    const events: AnyEventObject[] = [start];
    for (let attempt = 0; attempt < 5; attempt += 1) {
      events.push(taken);
      delays.push(retryDelay(run(events).snapshot.context));
      events.push(retry);
    }
    expect(delays).to.deep.equal([1, 2, 4, 4, 4]);
  });

  it('begins with the first delay again after a restart', () => {
    const { snapshot } = run([start, taken, retry, taken, stop, closed, start, taken]);
    expect(retryDelay(snapshot.context)).to.equal(1);
  });

  it('keeps the reason of the last fault, and forgets it at the next start', () => {
    expect(run([start, taken, retry, refused]).snapshot.context.reason).to.equal('because of refused');
    expect(run([start, openThrew]).snapshot.context.reason).to.contain('boom');
    expect(run([start, refused, start]).snapshot.context.reason).to.equal(undefined);
  });

  it('starts the actors that the states are named for', () => {
    const spawned = (events: readonly AnyEventObject[]) =>
      run(events)
        .actions.filter(({ type }) => type === 'xstate.spawnChild')
        .map(({ params }) => (params as { id: string }).id);
    expect(spawned([start])).to.deep.equal(['open']);
    expect(spawned([start, taken, retry])).to.deep.equal(['open']);
    expect(spawned([start, opened, stop])).to.deep.equal(['close']);
  });
});
