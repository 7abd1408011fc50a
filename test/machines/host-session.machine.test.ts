import { expect } from 'chai';
import { initialTransition, transition } from 'xstate';
import { type HostSessionEvent, hostSessionMachine } from '../../machines/host-session.machine.js';

const DONE = { type: 'xstate.done.actor.0.hostSession.connecting' };
const NEGOTIATION_OVER = { type: 'xstate.after.negotiation.hostSession.negotiating' };
const CLOSING_OVER = { type: 'xstate.after.closing.hostSession.closing' };

/** Events in turn; the state they lead to, why the session ended, and the actions of the last step. */
function play(...events: ReadonlyArray<HostSessionEvent | { type: string; error?: Error }>) {
  let [snapshot, actions] = initialTransition(hostSessionMachine);
  for (const event of events) [snapshot, actions] = transition(hostSessionMachine, snapshot, event as HostSessionEvent);
  return {
    state: snapshot.value,
    end: snapshot.context.end,
    actions: actions.map(({ type }) => type).filter((type) => !type.startsWith('xstate.')),
  };
}

const connect = { type: 'operator.connect' } as const;
const stop = { type: 'operator.stop' } as const;
const found = { type: 'host.partnerFound' } as const;

describe('host session machine', () => {
  it('connects, agrees on a mode, and is connected', () => {
    expect(play().state).to.equal('idle');
    expect(play(connect).state).to.equal('connecting');
    expect(play(connect, DONE).state).to.equal('negotiating');
    expect(play(connect, DONE, found).state).to.equal('connected');
    expect(play(connect, DONE, found, found).state).to.equal('connected');
  });

  it('is closed at once where it cannot connect, and says why', () => {
    const { state, end, actions } = play(connect, {
      type: 'xstate.error.actor.0.hostSession.connecting',
      error: new Error('nobody there'),
    });
    expect([state, end]).to.deep.equal(['closed', { kind: 'failed', detail: 'nobody there' }]);
    expect(actions).to.deep.equal(['release']);
  });

  it('ends an agreement that does not come about in time, in an orderly way', () => {
    const over = play(connect, DONE, NEGOTIATION_OVER);
    expect([over.state, over.end, over.actions]).to.deep.equal(['closing', { kind: 'silent' }, ['endConnection']]);
    expect(play(connect, DONE, NEGOTIATION_OVER, CLOSING_OVER).state).to.equal('closed');
    expect(play(connect, DONE, found, NEGOTIATION_OVER).state, 'in time').to.equal('connected');
  });

  it('ends when it is told to, from every state, and keeps the first reason', () => {
    expect(play(stop)).to.deep.include({ state: 'closed', end: { kind: 'stopped' } });
    expect(play(connect, stop)).to.deep.include({ state: 'closed', end: { kind: 'stopped' } });
    for (const events of [
      [connect, DONE],
      [connect, DONE, found],
    ]) {
      expect(play(...events, stop)).to.deep.equal({
        state: 'closing',
        end: { kind: 'stopped' },
        actions: ['endConnection'],
      });
      expect(play(...events, stop, { type: 'host.ended' })).to.deep.equal({
        state: 'closed',
        end: { kind: 'stopped' },
        actions: ['release'],
      });
    }
  });

  it('is closed when the host ends it or the connection fails', () => {
    expect(play(connect, DONE, found, { type: 'host.ended' })).to.deep.include({
      state: 'closed',
      end: { kind: 'hostEnded' },
    });
    expect(play(connect, DONE, { type: 'host.failed', detail: 'reset' })).to.deep.include({
      state: 'closed',
      end: { kind: 'failed', detail: 'reset' },
    });
  });

  it('ends where the device is refused', () => {
    const refusals = [{ device: 'logical unit LU1', reason: { code: 'device.deviceInUse' as const } }];
    expect(play(connect, DONE, { type: 'host.deviceRefused', refusals })).to.deep.include({
      state: 'closing',
      end: { kind: 'deviceRefused', refusals },
    });
  });

  it('does nothing more once it is closed', () => {
    expect(play(stop, connect, found, stop).state).to.equal('closed');
  });
});
