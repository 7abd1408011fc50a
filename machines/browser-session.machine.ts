import { type AnyActorRef, assign, fromPromise, raise, setup, stateIn } from 'xstate';
import type { Detail } from '../src/lib/locale.js';

/**
 * The application logged off; the logical unit was refused; there was no connection, or it broke; the host speaks TLS where we do not, or
 * the other way round.
 */
export type HostEndCause = 'ended' | 'deviceRefused' | 'failed' | 'otherProtocol';

/** Why a browser session is over. */
export type BrowserSessionEnd =
  /** The user left: pf=DISCONNECT. */
  | { readonly kind: 'disconnected' }
  | { readonly kind: 'hostEnded'; readonly cause: HostEndCause; readonly detail: Detail }
  /** No message of the user for the time of the entry point. */
  | { readonly kind: 'idle' }
  /** There were as many sessions as there may be, and this one was not used. */
  | { readonly kind: 'displaced' }
  /** The client that began the session never came again (SET-INITIAL-TIMEOUT). */
  | { readonly kind: 'abandoned' }
  /** The page was closed, and no other came in the time of the entry point. */
  | { readonly kind: 'pageClosed' }
  /** Too many values that did not decrypt, in a row or in all. */
  | { readonly kind: 'undecipherable' }
  /** An operator has ended it. */
  | { readonly kind: 'operator' }
  /** Its user has as many sign-ons as allowed, and a newer one has replaced the one that began it. */
  | { readonly kind: 'signOnReplaced' }
  /** The server stops. */
  | { readonly kind: 'stopped' }
  | { readonly kind: 'failed'; readonly detail: Detail };

interface BrowserSessionInput {
  readonly hasLogonScript: boolean;
  /** Scenarios inspect the host's screen before the user sees it. */
  readonly hasScreenScenarios: boolean;
  /** Time until the client's next request after the first page. Measured from the start, when only the context is available. */
  readonly initialMilliseconds: number;
  /** Without a message of the user. */
  readonly idleMilliseconds: number;
  /** Asked when that time is over, of who does not send `browser.seen` for each message; false: what is left of it begins. */
  readonly isIdle?: () => boolean;
  /** Between the page that was closed and the next one. */
  readonly awayMilliseconds: number;
}

interface BrowserSessionContext extends BrowserSessionInput {
  readonly end: BrowserSessionEnd | undefined;
  /** Submits in a row with a value that did not decrypt. */
  readonly undecipherable: number;
  /** The same in all, whatever came in between. */
  readonly undecipherableInAll: number;
  /** Pages that are connected now. */
  readonly watchers: number;
  /** Why the last request for a key pair failed; the error for the caller. */
  readonly keyRefusal: unknown;
}

/** Events never contain typed text: field values exist only as arguments of the call that enters them. */
export type BrowserSessionEvent =
  /** The screen waits for the operator. */
  | { readonly type: 'host.ready' }
  | { readonly type: 'host.ended'; readonly cause: HostEndCause; readonly detail: Detail }
  /** A scenario inspects the user's input. */
  | { readonly type: 'browser.entered' }
  /** The input is discarded. */
  | { readonly type: 'browser.withheld' }
  /** The scenario has sent something of its own, and the host has answered. */
  | { readonly type: 'browser.answered' }
  /** A key went to the host. */
  | { readonly type: 'browser.submitted' }
  /** A file is sent or received; then not any more. */
  | { readonly type: 'browser.transferring' }
  | { readonly type: 'browser.transferred' }
  /** Any request, or message, of the client. */
  | { readonly type: 'browser.seen' }
  /** A page that is open asks whether the screen has changed. Only the first of these requests has an effect. */
  | { readonly type: 'browser.followed' }
  | { readonly type: 'browser.pageClosed' }
  | { readonly type: 'browser.watchersChanged'; readonly watchers: number }
  | { readonly type: 'browser.disconnected' }
  | { readonly type: 'crypto.refused' }
  | { readonly type: 'crypto.accepted' }
  /** A page asks for the public key. */
  | { readonly type: 'key.wanted' }
  /** The session raises it itself. */
  | { readonly type: 'session.over' }
  /** Another session needs the place of this one. */
  | { readonly type: 'server.sessionsShort' }
  | { readonly type: 'operator.ended' }
  | { readonly type: 'signOn.replaced' }
  | { readonly type: 'server.stopping' };

/** Cryptographic failures in a row that end a session, and those in all that do (contract). */
const MOST_UNDECIPHERABLE = 5;
const MOST_UNDECIPHERABLE_IN_ALL = 50;

/** The maximum of a timer, some 25 days. */
export const FOR_EVER = 0x7fff_ffff;

const neverDone = fromPromise<void, AnyActorRef>(() => new Promise(() => undefined));

/**
 * The life of a browser session: opened with its host, in use, leaving, ended. While it is open, parallel regions track the
 * exchange with the host and the presence of the user. A further region tracks its key pair, which is never in the context: the
 * actor that waits for it gives it directly to the session. `src/sessions` implements the steps.
 */
export const browserSessionMachine = setup({
  types: {
    context: {} as BrowserSessionContext,
    events: {} as BrowserSessionEvent,
    input: {} as BrowserSessionInput,
    tags: {} as 'settled' | 'withScenario' | 'here' | 'away',
  },
  actors: {
    /** Plays the connection script `tioaAtLogon`; its input is the session's actor. */
    playLogonScript: neverDone,
    playLogoffScript: neverDone,
    /** Runs the scenarios that look at a message of the host. */
    lookAtMessage: neverDone,
    /** Waits for a key pair of the pool and gives it to the session; fails if the pool refuses. */
    takeKeyPair: neverDone,
  },
  actions: {
    connectHost: () => undefined,
    stopHost: () => undefined,
    /** Drops the keys. */
    release: () => undefined,
  },
  guards: {
    hasLogonScript: ({ context }) => context.hasLogonScript,
    hasScreenScenarios: ({ context }) => context.hasScreenScenarios,
    isIdle: ({ context }) => context.isIdle?.() ?? true,
    /** Another page of the session is still connected. */
    isWatched: ({ context }) => context.watchers > 0,
    isLastRefusal: ({ context: { undecipherable, undecipherableInAll } }) =>
      undecipherable + 1 >= MOST_UNDECIPHERABLE || undecipherableInAll + 1 >= MOST_UNDECIPHERABLE_IN_ALL,
  },
  delays: {
    /** For the first screen (contract). */
    firstScreen: 5_000,
    /** For the host's answer to a key; the page then shows that it is still awaited. */
    hostAnswer: 5_000,
    logonScript: 30_000,
    logoffScript: 5_000,
    hostStop: 3_000,
    initial: ({ context }) => Math.min(context.initialMilliseconds, FOR_EVER),
    idle: ({ context }) => Math.min(context.idleMilliseconds, FOR_EVER),
    /** Back, a page that is loaded again, a phone that needs the memory: all of them say that the page was closed. */
    away: ({ context }) => Math.min(context.awayMilliseconds, FOR_EVER),
  },
}).createMachine({
  id: 'browserSession',
  context: ({ input }) => ({
    ...input,
    end: undefined,
    undecipherable: 0,
    undecipherableInAll: 0,
    watchers: 0,
    keyRefusal: undefined,
  }),
  type: 'parallel',
  states: {
    life: {
      initial: 'open',
      states: {
        open: {
          type: 'parallel',
          entry: 'connectHost',
          on: {
            'browser.disconnected': { target: 'leaving', actions: assign({ end: { kind: 'disconnected' } }) },
            'server.sessionsShort': { target: 'leaving', actions: assign({ end: { kind: 'displaced' } }) },
            'operator.ended': { target: 'leaving', actions: assign({ end: { kind: 'operator' } }) },
            'signOn.replaced': { target: 'leaving', actions: assign({ end: { kind: 'signOnReplaced' } }) },
            'server.stopping': { target: 'leaving', actions: assign({ end: { kind: 'stopped' } }) },
            'host.ended': {
              target: 'ended',
              actions: assign({
                end: ({ event }) => ({ kind: 'hostEnded', cause: event.cause, detail: event.detail }),
              }),
            },
            'crypto.refused': [
              { guard: 'isLastRefusal', target: 'leaving', actions: assign({ end: { kind: 'undecipherable' } }) },
              {
                actions: assign({
                  undecipherable: ({ context }) => context.undecipherable + 1,
                  undecipherableInAll: ({ context }) => context.undecipherableInAll + 1,
                }),
              },
            ],
            'crypto.accepted': { actions: assign({ undecipherable: 0 }) },
            'browser.watchersChanged': { actions: assign({ watchers: ({ event }) => event.watchers }) },
          },
          states: {
            conversation: {
              initial: 'connecting',
              states: {
                connecting: {
                  on: {
                    'host.ready': [
                      { guard: 'hasLogonScript', target: 'scripted' },
                      { guard: 'hasScreenScenarios', target: 'looking' },
                      { target: 'awaitingBrowser' },
                    ],
                  },
                  after: {
                    firstScreen: [{ guard: 'hasLogonScript', target: 'scripted' }, { target: 'awaitingBrowser' }],
                  },
                },
                /** Nobody sees the screens that the script and the INITIAL scenario walk through. */
                scripted: {
                  tags: 'withScenario',
                  invoke: {
                    src: 'playLogonScript',
                    input: ({ self }) => self,
                    onDone: [{ guard: 'hasScreenScenarios', target: 'looking' }, { target: 'awaitingBrowser' }],
                    onError: 'awaitingBrowser',
                  },
                  after: { logonScript: 'awaitingBrowser' },
                },
                /** Scenarios have the screen; how long, is their own bound. */
                looking: {
                  tags: 'withScenario',
                  invoke: {
                    src: 'lookAtMessage',
                    input: ({ self }) => self,
                    onDone: 'awaitingBrowser',
                    onError: 'awaitingBrowser',
                  },
                },
                awaitingBrowser: {
                  tags: 'settled',
                  on: {
                    'browser.submitted': 'awaitingHost',
                    'browser.entered': 'entering',
                    'browser.transferring': 'transferring',
                    // an unsolicited screen is a message, too
                    'host.ready': { guard: 'hasScreenScenarios', target: 'looking' },
                  },
                },
                /** Its frames are no messages of the host, and pages may look at the locked screen. */
                transferring: {
                  tags: 'settled',
                  on: {
                    'browser.transferred': [
                      { guard: 'hasScreenScenarios', target: 'looking' },
                      { target: 'awaitingBrowser' },
                    ],
                  },
                },
                /** A scenario inspects the user's input. */
                entering: {
                  tags: 'withScenario',
                  on: {
                    'browser.submitted': 'awaitingHost',
                    'browser.withheld': 'awaitingBrowser',
                    'browser.answered': 'looking',
                  },
                },
                awaitingHost: {
                  on: {
                    'host.ready': [{ guard: 'hasScreenScenarios', target: 'looking' }, { target: 'awaitingBrowser' }],
                    'browser.submitted': { target: 'awaitingHost', reenter: true },
                  },
                  after: { hostAnswer: 'awaitingBrowser' },
                },
              },
            },
            presence: {
              initial: 'expected',
              states: {
                expected: {
                  // a page may be closed before its first request
                  on: {
                    'browser.seen': 'present',
                    'browser.followed': 'present',
                    'browser.pageClosed': 'present.away',
                  },
                  after: {
                    initial: {
                      target: '#browserSession.life.leaving',
                      actions: assign({ end: { kind: 'abandoned' } }),
                    },
                  },
                },
                /** The idle time counts from the last message, whether a page is open or not. */
                present: {
                  initial: 'here',
                  on: { 'browser.seen': { target: 'present', reenter: true } },
                  after: {
                    idle: [
                      {
                        guard: 'isIdle',
                        target: '#browserSession.life.leaving',
                        actions: assign({ end: { kind: 'idle' } }),
                      },
                      // what is left of the time begins, and nobody comes back by that
                      {
                        guard: stateIn({ life: { open: { presence: { present: 'away' } } } }),
                        target: '.away',
                        reenter: true,
                      },
                      { target: 'present', reenter: true },
                    ],
                  },
                  states: {
                    here: { tags: 'here', on: { 'browser.pageClosed': 'away' } },
                    away: {
                      tags: 'away',
                      // the second of two pages was closed: the time starts now
                      on: { 'browser.pageClosed': { target: 'away', reenter: true } },
                      after: {
                        away: [
                          { guard: 'isWatched', target: 'here' },
                          {
                            target: '#browserSession.life.leaving',
                            actions: assign({ end: { kind: 'pageClosed' } }),
                          },
                        ],
                      },
                    },
                  },
                },
              },
            },
          },
        },
        leaving: {
          initial: 'scripted',
          on: { 'host.ended': 'ended' },
          states: {
            scripted: {
              invoke: {
                src: 'playLogoffScript',
                input: ({ self }) => self,
                onDone: 'stoppingHost',
                onError: 'stoppingHost',
              },
              after: { logoffScript: 'stoppingHost' },
            },
            stoppingHost: {
              entry: 'stopHost',
              after: { hostStop: '#browserSession.life.ended' },
            },
          },
        },
        ended: { type: 'final', entry: ['stopHost', raise({ type: 'session.over' })] },
      },
    },
    key: {
      initial: 'keyless',
      on: { 'session.over': '.dropped' },
      states: {
        keyless: {
          on: { 'key.wanted': 'waiting' },
        },
        waiting: {
          invoke: {
            src: 'takeKeyPair',
            input: ({ self }) => self,
            onDone: 'keyed',
            onError: { target: 'refused', actions: assign({ keyRefusal: ({ event }) => event.error }) },
          },
        },
        keyed: {},
        /** The next page asks again. */
        refused: {
          exit: assign({ keyRefusal: undefined }),
          on: { 'key.wanted': 'waiting' },
        },
        dropped: { type: 'final', entry: 'release' },
      },
    },
  },
});
