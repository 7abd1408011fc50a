import { type AnyActorRef, assign, fromPromise, setup } from 'xstate';
import type { Detail } from '../src/lib/locale.js';
import { errorDetail } from '../src/lib/reasons.js';
import type { DeviceRefusal } from './device-refusal.js';

export type HostSessionEnd =
  | { readonly kind: 'stopped' }
  | { readonly kind: 'hostEnded' }
  | { readonly kind: 'silent' }
  | { readonly kind: 'deviceRefused'; readonly refusals: readonly DeviceRefusal[] }
  | {
      readonly kind: 'failed';
      readonly detail: Detail;
      /** Only one side uses TLS. */
      readonly isOtherProtocol?: true;
    };

interface HostSessionContext {
  readonly end: HostSessionEnd | undefined;
}

export type HostSessionEvent =
  | { readonly type: 'operator.connect' }
  | { readonly type: 'operator.stop' }
  /** A mode was negotiated, or the host uses plain line mode. */
  | { readonly type: 'host.partnerFound' }
  | { readonly type: 'host.deviceRefused'; readonly refusals: readonly DeviceRefusal[] }
  | { readonly type: 'host.ended' }
  | { readonly type: 'host.failed'; readonly detail: Detail; readonly isOtherProtocol?: true };

/** Life cycle of a host session. `src/tn3270/host` implements the connection. */
export const hostSessionMachine = setup({
  types: {
    context: {} as HostSessionContext,
    events: {} as HostSessionEvent,
  },
  actors: {
    /**
     * Resolves when bytes can be sent; rejects with an error whose message is the reason. Its input is the session's
     * actor, so that one machine can serve every session.
     */
    connect: fromPromise<void, AnyActorRef>(() => Promise.reject(new Error('no connect actor was provided'))),
  },
  actions: {
    endConnection: () => undefined,
    release: () => undefined,
  },
  delays: {
    negotiation: 30_000,
    closing: 2_000,
  },
}).createMachine({
  id: 'hostSession',
  context: { end: undefined },
  initial: 'idle',
  on: {
    'host.ended': {
      target: '.closed',
      actions: assign({ end: ({ context }) => context.end ?? { kind: 'hostEnded' } }),
    },
    'host.failed': {
      target: '.closed',
      actions: assign({
        end: ({ context, event: { type: _, ...failure } }) => context.end ?? { kind: 'failed', ...failure },
      }),
    },
  },
  states: {
    idle: {
      on: {
        'operator.connect': 'connecting',
        'operator.stop': { target: 'closed', actions: assign({ end: { kind: 'stopped' } }) },
      },
    },
    connecting: {
      invoke: {
        src: 'connect',
        input: ({ self }) => self,
        onDone: 'negotiating',
        onError: {
          target: 'closed',
          actions: assign({
            end: ({ event }) => ({
              kind: 'failed',
              detail: errorDetail(event.error),
              ...(Object(event.error).kind === 'protocol' ? { isOtherProtocol: true } : {}),
            }),
          }),
        },
      },
      on: {
        'operator.stop': { target: 'closed', actions: assign({ end: { kind: 'stopped' } }) },
        'host.partnerFound': 'connected',
      },
    },
    negotiating: {
      after: { negotiation: { target: 'closing', actions: assign({ end: { kind: 'silent' } }) } },
      on: {
        'host.partnerFound': 'connected',
        'host.deviceRefused': {
          target: 'closing',
          actions: assign({ end: ({ event }) => ({ kind: 'deviceRefused', refusals: event.refusals }) }),
        },
        'operator.stop': { target: 'closing', actions: assign({ end: { kind: 'stopped' } }) },
      },
    },
    connected: {
      on: {
        'host.deviceRefused': {
          target: 'closing',
          actions: assign({ end: ({ event }) => ({ kind: 'deviceRefused', refusals: event.refusals }) }),
        },
        'operator.stop': { target: 'closing', actions: assign({ end: { kind: 'stopped' } }) },
      },
    },
    closing: {
      entry: 'endConnection',
      after: { closing: 'closed' },
    },
    closed: {
      entry: 'release',
      type: 'final',
    },
  },
});
