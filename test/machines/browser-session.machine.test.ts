import { expect } from 'chai';
import { initialTransition, transition } from 'xstate';
import { type BrowserSessionEnd, browserSessionMachine } from '../../machines/browser-session.machine.js';
import {
  AWAY,
  accepted,
  awayOver,
  conversations,
  disconnected,
  done,
  type Event,
  everyEvent,
  failed,
  firstScreenOver,
  hostAnswerOver,
  hostEnded,
  hostStopOver,
  IDLE,
  INITIAL,
  idleOver,
  initialOver,
  LOGOFF,
  LOGON,
  logoffScriptOver,
  logonScriptOver,
  open,
  pageClosed,
  play,
  presences,
  ready,
  refused,
  seen,
  submitted,
  transferring,
  watchers,
} from './browser-session-events.js';

const MOST_UNDECIPHERABLE = 5;
const MOST_UNDECIPHERABLE_IN_ALL = 50;

/** Where an event leads to; what is not named stays as it is. */
const moves: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'connecting host.ready': { conversation: 'awaitingBrowser' },
  'awaitingBrowser browser.submitted': { conversation: 'awaitingHost' },
  'awaitingBrowser browser.transferring': { conversation: 'transferring' },
  'transferring browser.transferred': { conversation: 'awaitingBrowser' },
  'awaitingHost host.ready': { conversation: 'awaitingBrowser' },
  'expected browser.seen': { presence: 'here' },
  'expected browser.followed': { presence: 'here' },
  'away browser.seen': { presence: 'here' },
  'expected browser.pageClosed': { presence: 'away' },
  'here browser.pageClosed': { presence: 'away' },
};
const endings: Readonly<Record<string, { readonly state: unknown; readonly end: BrowserSessionEnd }>> = {
  'browser.disconnected': { state: { leaving: 'scripted' }, end: { kind: 'disconnected' } },
  'server.sessionsShort': { state: { leaving: 'scripted' }, end: { kind: 'displaced' } },
  'operator.ended': { state: { leaving: 'scripted' }, end: { kind: 'operator' } },
  'signOn.replaced': { state: { leaving: 'scripted' }, end: { kind: 'signOnReplaced' } },
  'server.stopping': { state: { leaving: 'scripted' }, end: { kind: 'stopped' } },
  'host.ended': { state: 'ended', end: { kind: 'hostEnded', cause: 'ended', detail: 'it logged off' } },
};
describe('browser session machine', () => {
  describe('every event in every state of an open session', () => {
    for (const [conversation, { scripted, way }] of Object.entries(conversations)) {
      for (const [presence, steps] of Object.entries(presences)) {
        it(`${conversation}, ${presence}`, () => {
          const before = play(scripted, ...way, ...steps);
          expect(before.state, 'the way there').to.deep.equal(open(conversation, presence));
          for (const event of everyEvent) {
            const { state, end } = play(scripted, ...way, ...steps, event);
            const moved = {
              conversation,
              presence,
              ...moves[`${conversation} ${event.type}`],
              ...moves[`${presence} ${event.type}`],
            };
            const expected = endings[event.type] ?? { state: open(moved.conversation, moved.presence), end: undefined };
            expect({ state, end }, event.type).to.deep.equal(expected);
          }
        });
      }
    }
  });

  it('connects at once, and waits for the first screen and for its client', () => {
    const { state, does, timers } = play(false);
    expect(state).to.deep.equal(open('connecting', 'expected'));
    expect(does).to.deep.equal(['connectHost']);
    expect(timers, 'contract: 5 s for the first screen').to.have.members([5_000, INITIAL]);
  });

  it('is settled when the next move is the browser’s, and only then', () => {
    expect(play(false).isSettled).to.equal(false);
    expect(play(true, ready).isSettled).to.equal(false);
    expect(play(false, ready).isSettled).to.equal(true);
    expect(play(false, ready, submitted).isSettled).to.equal(false);
    expect(play(false, ready, submitted, ready).isSettled).to.equal(true);
    expect(play(false, ready, transferring).isSettled, 'pages show the locked screen').to.equal(true);
  });

  describe('logon script', () => {
    it('is played once the host is there', () => {
      expect(play(true, ready)).to.deep.include({ state: open('scripted', 'expected'), starts: ['playLogonScript'] });
      expect(play(true, ready, ready).starts, 'once').to.deep.equal([]);
    });

    it('is played for a host that has sent nothing in time, too: it may have to speak first', () => {
      expect(play(true, firstScreenOver)).to.deep.include({
        state: open('scripted', 'expected'),
        starts: ['playLogonScript'],
      });
    });

    it('leaves the session to its user when it is over, has failed, or takes too long', () => {
      for (const over of [done(LOGON), failed(LOGON)]) {
        expect(play(true, ready, over)).to.deep.include({ state: open('awaitingBrowser', 'expected'), end: undefined });
      }
      const late = play(true, ready, logonScriptOver);
      expect(late).to.deep.include({ state: open('awaitingBrowser', 'expected'), end: undefined, stops: 1 });
    });

    it('is stopped with its session', () => {
      expect(play(true, ready, disconnected)).to.deep.include({ stops: 1, starts: ['playLogoffScript'] });
      expect(play(true, ready, hostEnded).stops).to.equal(1);
    });
  });

  describe('times', () => {
    it('are those of the chart in docs/write/browser-sessions.md', () => {
      expect(play(true).timers).to.have.members([5_000, INITIAL]);
      expect(play(true, ready).timers, 'logon script').to.deep.equal([30_000]);
      expect(play(false, ready, submitted).timers, 'answer').to.deep.equal([5_000]);
      expect(play(false, ready, seen).timers, 'idle').to.deep.equal([IDLE]);
      expect(play(false, ready, seen, pageClosed).timers, 'away').to.deep.equal([AWAY]);
      expect(play(false, ready, disconnected).timers, 'logoff script').to.deep.equal([5_000]);
      expect(play(false, ready, disconnected, done(LOGOFF)).timers, 'stopping of the host').to.deep.equal([3_000]);
    });

    it('shows the page without a first screen after five seconds', () => {
      expect(play(false, firstScreenOver)).to.deep.include({ state: open('awaitingBrowser', 'expected') });
    });

    it('shows the page without an answer of the host in time', () => {
      expect(play(false, ready, submitted).timers).to.deep.equal([5_000]);
      expect(play(false, ready, submitted, hostAnswerOver)).to.deep.include({
        state: open('awaitingBrowser', 'expected'),
        end: undefined,
      });
    });

    it('counts the host’s time from the last key', () => {
      const { state, timers } = play(false, ready, submitted, submitted);
      expect([state, timers]).to.deep.equal([open('awaitingHost', 'expected'), [5_000]]);
    });

    it('ends a session whose client never came again', () => {
      expect(play(false, ready, initialOver)).to.deep.include({
        state: { leaving: 'scripted' },
        end: { kind: 'abandoned' },
      });
    });

    it('ends an idle session, counted from the last message', () => {
      expect(play(false, ready, seen, seen).timers, 'begins anew').to.deep.equal([IDLE]);
      expect(play(false, ready, seen, idleOver)).to.deep.include({
        state: { leaving: 'scripted' },
        end: { kind: 'idle' },
      });
    });

    it('takes no timer for longer than there are timers: it would be over at once', () => {
      const input = {
        hasLogonScript: false,
        hasScreenScenarios: false,
        initialMilliseconds: Number.MAX_SAFE_INTEGER,
        idleMilliseconds: 1,
        awayMilliseconds: 1,
      };
      const [, actions] = initialTransition(browserSessionMachine, input);
      const delays = actions.map(({ params }) => (params as { delay?: number } | undefined)?.delay ?? 0);
      expect(Math.max(...delays)).to.equal(2 ** 31 - 1);
    });

    it('is not idle because the host speaks, or is waited for', () => {
      expect(play(false, seen, ready).timers).to.deep.equal([]);
      expect(play(false, seen, ready, submitted).timers).to.deep.equal([5_000]);
    });

    it('ends a session whose only page was closed', () => {
      for (const steps of [[pageClosed], [seen, pageClosed], [watchers(1), pageClosed, watchers(0)]]) {
        expect(play(false, ready, ...steps, awayOver)).to.deep.include({
          state: { leaving: 'scripted' },
          end: { kind: 'pageClosed' },
        });
      }
    });

    it('keeps a session whose page was loaded again', () => {
      expect(play(false, ready, seen, pageClosed, seen).state).to.deep.equal(open('awaitingBrowser', 'here'));
    });

    it('keeps a session that another page still shows', () => {
      const { state, end, timers } = play(false, ready, seen, watchers(2), pageClosed, watchers(1), awayOver);
      expect([state, end]).to.deep.equal([open('awaitingBrowser', 'here'), undefined]);
      expect(timers, 'and its idle time counts on').to.deep.equal([]);
    });

    it('gives the second of two pages the whole time after it was closed, too', () => {
      const { state, timers } = play(false, ready, seen, watchers(2), pageClosed, watchers(1), pageClosed);
      expect([state, timers]).to.deep.equal([open('awaitingBrowser', 'away'), [AWAY]]);
    });

    it('counts the idle time of who is away, too, and of who was never there', () => {
      for (const steps of [[seen, pageClosed], [pageClosed]]) {
        expect(play(false, ready, ...steps).timers).to.include(AWAY);
        expect(play(false, ready, ...steps, idleOver)).to.deep.include({
          state: { leaving: 'scripted' },
          end: { kind: 'idle' },
        });
      }
    });
  });

  describe('an idle time that is over, though somebody was heard of', () => {
    const over = (...events: readonly Event[]) => {
      const input = {
        hasLogonScript: false,
        hasScreenScenarios: false,
        initialMilliseconds: 1,
        idleMilliseconds: IDLE,
        awayMilliseconds: AWAY,
        isIdle: () => false,
      };
      let [snapshot, actions] = initialTransition(browserSessionMachine, input);
      for (const event of [ready, ...events, idleOver]) {
        [snapshot, actions] = transition(browserSessionMachine, snapshot, event as typeof ready);
      }
      const delays = actions.flatMap(({ params }) => (params as { delay?: number } | undefined)?.delay ?? []);
      return { state: snapshot.value.life, delays };
    };

    it('begins again for who is there', () => {
      expect(over(seen)).to.deep.equal({ state: open('awaitingBrowser', 'here'), delays: [IDLE] });
    });

    it('leaves who is away where they are', () => {
      const { state, delays } = over(seen, pageClosed);
      expect(state).to.deep.equal(open('awaitingBrowser', 'away'));
      expect(delays).to.have.members([IDLE, AWAY]);
    });
  });

  describe('values that do not decrypt', () => {
    const times = (count: number) => Array<Event>(count).fill(refused);

    it('end the session at the fifth in a row', () => {
      expect(MOST_UNDECIPHERABLE).to.equal(5);
      expect(play(false, ready, ...times(4))).to.deep.include({
        state: open('awaitingBrowser', 'expected'),
        undecipherable: 4,
        end: undefined,
      });
      expect(play(false, ready, ...times(5))).to.deep.include({
        state: { leaving: 'scripted' },
        end: { kind: 'undecipherable' },
      });
    });

    it('are counted anew after a success', () => {
      expect(play(false, ready, ...times(4), accepted).undecipherable).to.equal(0);
      expect(play(false, ready, ...times(4), accepted, ...times(4)).end).to.equal(undefined);
      expect(play(false, ready, ...times(4), accepted, ...times(5)).end).to.deep.equal({ kind: 'undecipherable' });
    });

    it('end the session at the fiftieth in all, however many decrypt in between', () => {
      expect(MOST_UNDECIPHERABLE_IN_ALL).to.equal(50);
      const fourAndOne = [...times(4), accepted];
      const fortyEight = Array.from({ length: 12 }, () => fourAndOne).flat();
      expect(play(false, ready, ...fortyEight, ...times(1)).end).to.equal(undefined);
      expect(play(false, ready, ...fortyEight, ...times(2)).end).to.deep.equal({ kind: 'undecipherable' });
    });

    it('are not forgotten because of anything else', () => {
      const between = [submitted, ready, seen, pageClosed, seen, watchers(1)];
      expect(play(false, ready, ...times(4), ...between, refused).end).to.deep.equal({ kind: 'undecipherable' });
    });
  });

  describe('leaving', () => {
    it('plays the logoff script, stops the host, and is over when the host is', () => {
      expect(play(false, ready, disconnected).starts).to.deep.equal(['playLogoffScript']);
      const stops = play(false, ready, disconnected, done(LOGOFF));
      expect([stops.state, stops.does]).to.deep.equal([{ leaving: 'stoppingHost' }, ['stopHost']]);
      const over = play(false, ready, disconnected, done(LOGOFF), hostEnded);
      expect(over).to.deep.include({ state: 'ended', status: 'done' });
      expect(over.does).to.include('release');
    });

    it('stops the host whatever becomes of the script', () => {
      expect(play(false, disconnected, failed(LOGOFF)).state).to.deep.equal({ leaving: 'stoppingHost' });
      expect(play(false, disconnected, logoffScriptOver)).to.deep.include({
        state: { leaving: 'stoppingHost' },
        stops: 1,
      });
    });

    it('is over in time where the host does not end', () => {
      const over = play(false, disconnected, done(LOGOFF), hostStopOver);
      expect(over).to.deep.include({ state: 'ended', status: 'done', end: { kind: 'disconnected' } });
      expect(over.does, 'nothing is left open').to.include.members(['stopHost', 'release']);
    });

    it('is over at once where the host ends during the script', () => {
      expect(play(false, disconnected, hostEnded)).to.deep.include({ state: 'ended', stops: 1 });
    });

    it('heeds nothing but the host, and keeps the first reason', () => {
      for (const steps of [[disconnected], [disconnected, done(LOGOFF)]]) {
        const { state, end } = play(false, ready, ...steps);
        for (const event of everyEvent.filter(({ type }) => type !== 'host.ended')) {
          const then = play(false, ready, ...steps, event);
          expect([then.state, then.end], event.type).to.deep.equal([state, end]);
        }
        expect(play(false, ready, ...steps, hostEnded).end).to.deep.equal({ kind: 'disconnected' });
      }
    });
  });

  describe('the end', () => {
    const causes = ['ended', 'deviceRefused', 'failed'] as const;
    for (const cause of causes) {
      it(`tells how the host has ended: ${cause}`, () => {
        const over = play(false, { type: 'host.ended', cause, detail: 'because' });
        expect(over).to.deep.include({
          state: 'ended',
          status: 'done',
          end: { kind: 'hostEnded', cause, detail: 'because' },
        });
        expect(over.does).to.include.members(['stopHost', 'release']);
      });
    }

    it('is final', () => {
      for (const event of everyEvent) {
        const over = play(false, hostEnded, event);
        expect(over, event.type).to.deep.include({ state: 'ended', status: 'done', does: [] });
        expect(over.end).to.deep.equal(endings['host.ended']?.end);
      }
    });

    it('starts neither timer nor script', () => {
      const over = play(true, ready, seen, hostEnded);
      expect([over.timers, over.starts]).to.deep.equal([[], []]);
    });
  });
});
