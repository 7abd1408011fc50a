import { type AnyActorRef, assign, fromPromise, raise, setup, stateIn } from 'xstate';
import type { Detail } from '../src/lib/locale.js';

/**
 * `ended`: the application logged off; `deviceRefused`: the logical unit was refused; `failed`: no connection, or a
 * broken one; `otherProtocol`: only one side uses TLS.
 */
export type HostEndCause = 'ended' | 'deviceRefused' | 'failed' | 'otherProtocol';

export type BrowserSessionEnd =
  /** pf=DISCONNECT. */
  | { readonly kind: 'disconnected' }
  | { readonly kind: 'hostEnded'; readonly cause: HostEndCause; readonly detail: Detail }
  /** No user input during the timeout of the entry point. */
  | { readonly kind: 'idle' }
  /** The limit of sessions was reached, and this session was unused. */
  | { readonly kind: 'displaced' }
  /** The client did not return after the first page (SET-INITIAL-TIMEOUT). */
  | { readonly kind: 'abandoned' }
  /** The page was closed, and no other was opened in the time of the entry point. */
  | { readonly kind: 'pageClosed' }
  /** Too many values that could not be decrypted, in a row or in total. */
  | { readonly kind: 'undecipherable' }
  | { readonly kind: 'operator' }
  /** The user reached the limit of sign-ons, and a newer one replaced that of this session. */
  | { readonly kind: 'signOnReplaced' }
  | { readonly kind: 'stopped' }
  | { readonly kind: 'failed'; readonly detail: Detail };

interface BrowserSessionInput {
  readonly hasLogonScript: boolean;
  /** Scenarios process the host's screen before it is shown. */
  readonly hasScreenScenarios: boolean;
  /** Timeout of the request after the first page; starts with the session, when only the context is available. */
  readonly initialMilliseconds: number;
  /** Without user input. */
  readonly idleMilliseconds: number;
  /**
   * Called after the idle time for clients that do not send `browser.seen` for each message. If it returns false, the
   * rest of the idle time starts.
   */
  readonly isIdle?: () => boolean;
  /** Between a closed page and the next one. */
  readonly awayMilliseconds: number;
}

interface BrowserSessionContext extends BrowserSessionInput {
  readonly end: BrowserSessionEnd | undefined;
  /** Consecutive submits with a value that could not be decrypted. */
  readonly undecipherable: number;
  /** Total of such submits. */
  readonly undecipherableInAll: number;
  /** Connected pages. */
  readonly watchers: number;
  /** Error of the last request for a key pair, for the caller. */
  readonly keyRefusal: unknown;
}

/** Events never contain typed text: field values exist only as arguments of the call that enters them. */
export type BrowserSessionEvent =
  | { readonly type: 'host.ready' }
  | { readonly type: 'host.ended'; readonly cause: HostEndCause; readonly detail: Detail }
  /** A scenario processes the user's input. */
  | { readonly type: 'browser.entered' }
  /** The input is discarded. */
  | { readonly type: 'browser.withheld' }
  /** A scenario has sent its own input, and the host has responded. */
  | { readonly type: 'browser.answered' }
  /** A key was sent to the host. */
  | { readonly type: 'browser.submitted' }
  | { readonly type: 'browser.transferring' }
  | { readonly type: 'browser.transferred' }
  /** Any request or message of the client. */
  | { readonly type: 'browser.seen' }
  /** An open page polls for changes. Only the first poll has an effect. */
  | { readonly type: 'browser.followed' }
  | { readonly type: 'browser.pageClosed' }
  | { readonly type: 'browser.watchersChanged'; readonly watchers: number }
  | { readonly type: 'browser.disconnected' }
  | { readonly type: 'crypto.refused' }
  | { readonly type: 'crypto.accepted' }
  | { readonly type: 'key.wanted' }
  /** Raised by the machine itself. */
  | { readonly type: 'session.over' }
  /** Ends the session to make room for another one. */
  | { readonly type: 'server.sessionsShort' }
  | { readonly type: 'operator.ended' }
  | { readonly type: 'signOn.replaced' }
  | { readonly type: 'server.stopping' };

/** Failed decryptions, in a row and in total, that end a session (contract). */
const MOST_UNDECIPHERABLE = 5;
const MOST_UNDECIPHERABLE_IN_ALL = 50;

/** Maximum of a timer, some 25 days. */
export const FOR_EVER = 0x7fff_ffff;

const neverDone = fromPromise<void, AnyActorRef>(() => new Promise(() => undefined));

/**
 * Life cycle of a browser session: open, leaving, ended. While it is open, parallel regions track the exchange with the
 * host and the presence of the user. A further region tracks the key pair. The keys are never in the context: the actor
 * that waits for them passes them directly to the session. `src/sessions` implements actors and actions.
 */
export const browserSessionMachine = setup({
  types: {
    context: {} as BrowserSessionContext,
    events: {} as BrowserSessionEvent,
    input: {} as BrowserSessionInput,
    tags: {} as 'settled' | 'withScenario' | 'here' | 'away',
  },
  actors: {
    /** Runs the connection script `tioaAtLogon`; its input is the session's actor. */
    playLogonScript: neverDone,
    playLogoffScript: neverDone,
    lookAtMessage: neverDone,
    /** Waits for a key pair of the pool and passes it to the session; fails if the pool rejects the request. */
    takeKeyPair: neverDone,
  },
  actions: {
    connectHost: () => undefined,
    stopHost: () => undefined,
    release: () => undefined,
  },
  guards: {
    hasLogonScript: ({ context }) => context.hasLogonScript,
    hasScreenScenarios: ({ context }) => context.hasScreenScenarios,
    isIdle: ({ context }) => context.isIdle?.() ?? true,
    isWatched: ({ context }) => context.watchers > 0,
    isLastRefusal: ({ context: { undecipherable, undecipherableInAll } }) =>
      undecipherable + 1 >= MOST_UNDECIPHERABLE || undecipherableInAll + 1 >= MOST_UNDECIPHERABLE_IN_ALL,
  },
  delays: {
    /** For the first screen (contract). */
    firstScreen: 5_000,
    /** For the host's response to a key; after it, the page shows that the response is pending. */
    hostAnswer: 5_000,
    logonScript: 30_000,
    logoffScript: 5_000,
    hostStop: 3_000,
    initial: ({ context }) => Math.min(context.initialMilliseconds, FOR_EVER),
    idle: ({ context }) => Math.min(context.idleMilliseconds, FOR_EVER),
    /** Navigating back, reloading, and phones that free memory report a closed page, too. */
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
                /** Screens during the script and the INITIAL scenario are not shown. */
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
                /** Scenarios process the screen, within their own time limit. */
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
                    // unsolicited screens are messages, too
                    'host.ready': { guard: 'hasScreenScenarios', target: 'looking' },
                  },
                },
                /** Frames of a transfer are not messages of the host, and pages may show the locked screen. */
                transferring: {
                  tags: 'settled',
                  on: {
                    'browser.transferred': [
                      { guard: 'hasScreenScenarios', target: 'looking' },
                      { target: 'awaitingBrowser' },
                    ],
                  },
                },
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
                /** The idle time counts from the last message, whether or not a page is open. */
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
                      // the rest of the idle time starts; the state `away` is kept
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
                      // the second of two pages was closed: the time restarts
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
        /** The next page can request the key again. */
        refused: {
          exit: assign({ keyRefusal: undefined }),
          on: { 'key.wanted': 'waiting' },
        },
        dropped: { type: 'final', entry: 'release' },
      },
    },
  },
});
