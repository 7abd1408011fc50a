import { initialTransition, transition } from 'xstate';
import { type BrowserSessionEvent, browserSessionMachine } from '../../machines/browser-session.machine.js';

export type Event = BrowserSessionEvent | { readonly type: `xstate.${string}`; readonly error?: Error };

export const ready = { type: 'host.ready' } as const;
export const submitted = { type: 'browser.submitted' } as const;
export const transferring = { type: 'browser.transferring' } as const;
export const transferred = { type: 'browser.transferred' } as const;
export const seen = { type: 'browser.seen' } as const;
export const followed = { type: 'browser.followed' } as const;
export const pageClosed = { type: 'browser.pageClosed' } as const;
export const disconnected = { type: 'browser.disconnected' } as const;
export const stopping = { type: 'server.stopping' } as const;
export const sessionsShort = { type: 'server.sessionsShort' } as const;
export const refused = { type: 'crypto.refused' } as const;
export const accepted = { type: 'crypto.accepted' } as const;
export const wanted = { type: 'key.wanted' } as const;
export const hostEnded = { type: 'host.ended', cause: 'ended', detail: 'it logged off' } as const;
export const watchers = (count: number) => ({ type: 'browser.watchersChanged', watchers: count }) as const;

export const after = (delay: string, state: string) =>
  ({ type: `xstate.after.${delay}.browserSession.life.${state}` }) as const;
export const firstScreenOver = after('firstScreen', 'open.conversation.connecting');
export const logonScriptOver = after('logonScript', 'open.conversation.scripted');
export const hostAnswerOver = after('hostAnswer', 'open.conversation.awaitingHost');
export const initialOver = after('initial', 'open.presence.expected');
export const idleOver = after('idle', 'open.presence.present');
export const awayOver = after('away', 'open.presence.present.away');
export const logoffScriptOver = after('logoffScript', 'leaving.scripted');
export const hostStopOver = after('hostStop', 'leaving.stoppingHost');
export const done = (state: string) => ({ type: `xstate.done.actor.0.browserSession.${state}` }) as const;
export const failed = (state: string) =>
  ({ type: `xstate.error.actor.0.browserSession.${state}`, error: new Error('it broke') }) as const;
export const INITIAL = 101_000;
export const IDLE = 720 * 60_000;
export const AWAY = 5 * 60_000;
export const LOGON = 'life.open.conversation.scripted';
export const LOGOFF = 'life.leaving.scripted';
export const TAKING = 'key.waiting';

/** Events in turn: the state they lead to, what the session remembers, and what the last step asks for. */
export function play(hasLogonScript: boolean, ...events: readonly Event[]) {
  let [snapshot, actions] = initialTransition(browserSessionMachine, {
    hasLogonScript,
    hasScreenScenarios: false,
    initialMilliseconds: INITIAL,
    idleMilliseconds: IDLE,
    awayMilliseconds: AWAY,
  });
  for (const event of events) [snapshot, actions] = transition(browserSessionMachine, snapshot, event as typeof ready);
  const { end, undecipherable, watchers: watching } = snapshot.context;
  return {
    state: snapshot.value.life,
    key: snapshot.value.key,
    keyRefusal: snapshot.context.keyRefusal,
    status: snapshot.status,
    isSettled: snapshot.hasTag('settled'),
    end,
    undecipherable,
    watching,
    does: actions.map(({ type }) => type).filter((type) => !type.startsWith('xstate.')),
    starts: actions
      .filter(({ type }) => type === 'xstate.spawnChild')
      .map(({ params }) => (params as { src?: unknown }).src),
    stops: actions.filter(({ type }) => (type as string) === 'xstate.stopChild').length,
    timers: actions
      .filter(({ type, params }) => type === 'xstate.raise' && (params as { delay?: number }).delay !== undefined)
      .map(({ params }) => (params as { delay: number }).delay),
  };
}

/** Somebody has been there: now, or before the page was closed. */
const present = ['here', 'away'];
export const open = (conversation: string, presence: string) => ({
  open: { conversation, presence: present.includes(presence) ? { present: presence } : presence },
});

/** Ways into the states of an open session; with a logon script only where the state needs one. */
export const conversations: Readonly<Record<string, { readonly scripted: boolean; readonly way: readonly Event[] }>> = {
  connecting: { scripted: false, way: [] },
  scripted: { scripted: true, way: [ready] },
  awaitingBrowser: { scripted: false, way: [ready] },
  awaitingHost: { scripted: false, way: [ready, submitted] },
  transferring: { scripted: false, way: [ready, transferring] },
};
export const presences: Readonly<Record<string, readonly Event[]>> = {
  expected: [],
  here: [seen],
  away: [seen, pageClosed],
};

export const everyEvent: readonly BrowserSessionEvent[] = [
  ready,
  transferring,
  transferred,
  submitted,
  seen,
  followed,
  pageClosed,
  disconnected,
  sessionsShort,
  { type: 'operator.ended' },
  { type: 'signOn.replaced' },
  stopping,
  refused,
  accepted,
  wanted,
  hostEnded,
  watchers(1),
];
