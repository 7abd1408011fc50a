import { expect } from 'chai';
import { initialTransition, transition } from 'xstate';
import { browserSessionMachine } from '../../machines/browser-session.machine.js';
import {
  AWAY,
  conversations,
  disconnected,
  done,
  type Event,
  everyEvent,
  failed,
  hostEnded,
  hostStopOver,
  IDLE,
  INITIAL,
  initialOver,
  LOGOFF,
  logoffScriptOver,
  open,
  play,
  presences,
  ready,
  stopping,
  TAKING,
  wanted,
} from './browser-session-events.js';

describe('the key pair of a browser session', () => {
  const keys: Readonly<Record<string, readonly Event[]>> = {
    keyless: [],
    waiting: [wanted],
    keyed: [wanted, done(TAKING)],
    refused: [wanted, failed(TAKING)],
  };

  for (const [key, way] of Object.entries(keys)) {
    it(`${key}: every event, whatever else goes on`, () => {
      for (const [conversation, before] of Object.entries(conversations)) {
        for (const [presence, steps] of Object.entries(presences)) {
          const there = [...before.way, ...steps, ...way];
          const reached = play(before.scripted, ...there);
          expect([reached.key, reached.state]).to.deep.equal([key, open(conversation, presence)]);
          for (const event of everyEvent) {
            const asked = event.type === 'key.wanted' && (key === 'keyless' || key === 'refused');
            const expected = event.type === 'host.ended' ? 'dropped' : asked ? 'waiting' : key;
            expect(play(before.scripted, ...there, event).key, `${conversation} ${event.type}`).to.equal(expected);
          }
        }
      }
    });
  }

  it('is asked for when a page wants it, once for all that want it, and never again', () => {
    expect(play(false, ready).starts).to.deep.equal([]);
    expect(play(false, ready, wanted).starts).to.deep.equal(['takeKeyPair']);
    expect(play(false, ready, wanted, wanted)).to.deep.include({ key: 'waiting', starts: [] });
    expect(play(false, ready, wanted, done(TAKING), wanted)).to.deep.include({ key: 'keyed', starts: [] });
  });

  it('that is refused is asked for again by the next page, and the session goes on', () => {
    const refusedKey = play(false, ready, wanted, failed(TAKING));
    expect(refusedKey).to.deep.include({
      key: 'refused',
      state: open('awaitingBrowser', 'expected'),
      end: undefined,
    });
    expect(refusedKey.keyRefusal).to.deep.include({ message: 'it broke' });
    const again = play(false, ready, wanted, failed(TAKING), wanted);
    expect(again).to.deep.include({ key: 'waiting', starts: ['takeKeyPair'], keyRefusal: undefined });
    expect(play(false, wanted, failed(TAKING), wanted, done(TAKING)).key).to.equal('keyed');
  });

  it('is dropped when the session is over, for good and once', () => {
    for (const way of Object.values(keys)) {
      const overs = [
        [hostEnded],
        [disconnected, hostEnded],
        [stopping, done(LOGOFF), hostStopOver],
        [initialOver, logoffScriptOver, hostEnded],
      ];
      for (const events of overs) {
        const left = play(false, ready, ...way, ...events);
        expect([left.key, left.status]).to.deep.equal(['dropped', 'done']);
        expect(left.does.filter((name) => name === 'release')).to.have.length(1);
      }
    }
    for (const late of [wanted, done(TAKING), failed(TAKING), hostEnded]) {
      expect(play(false, wanted, hostEnded, late), late.type).to.deep.include({
        key: 'dropped',
        starts: [],
        does: [],
      });
    }
  });

  it('is waited for no longer where the session is over', () => {
    expect(play(false, ready, wanted, hostEnded).stops).to.equal(1);
    expect(play(false, ready, wanted, done(TAKING), hostEnded).stops).to.equal(0);
  });

  it('is not in the context, whatever its actor resolves with', () => {
    const given = { ...done(TAKING), output: 'the-canary-key' } as Event;
    let [snapshot] = initialTransition(browserSessionMachine, {
      hasLogonScript: false,
      hasScreenScenarios: false,
      initialMilliseconds: INITIAL,
      idleMilliseconds: IDLE,
      awayMilliseconds: AWAY,
    });
    for (const event of [wanted, given])
      [snapshot] = transition(browserSessionMachine, snapshot, event as typeof wanted);
    expect(snapshot.value.key).to.equal('keyed');
    expect(JSON.stringify(snapshot)).to.not.include('canary');
  });
});
