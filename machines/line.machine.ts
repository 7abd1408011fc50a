import { assign, fromPromise, setup } from 'xstate';

/** Reason why a line could not open. The first two may be temporary; `refused` requires an administrator. */
export const openingFaults = { portTaken: 'portTaken', addressMissing: 'addressMissing', refused: 'refused' } as const;
export type OpeningFault = (typeof openingFaults)[keyof typeof openingFaults];

export type OpeningOutcome =
  | { readonly kind: 'listening' }
  | { readonly kind: 'fault'; readonly fault: OpeningFault; readonly reason: string };

interface LineInput {
  /** Delay before each further attempt; the last one is repeated. */
  readonly retryMilliseconds: readonly number[];
}

interface LineContext extends LineInput {
  /** Failed attempts since the start of the line. */
  readonly failedAttempts: number;
  readonly fault: OpeningFault | undefined;
  readonly reason: string | undefined;
}

type LineEvent = { readonly type: 'operator.start' } | { readonly type: 'operator.stop' };

export const defaultRetryMilliseconds = [1_000, 2_000, 4_000, 8_000, 16_000, 30_000] as const;

export function retryDelay({ retryMilliseconds, failedAttempts }: LineContext): number {
  const step = Math.min(Math.max(failedAttempts, 1), retryMilliseconds.length) - 1;
  return retryMilliseconds[step] ?? 0;
}

/**
 * Life cycle of an inbound line. `src/lines/listener/inbound-line.ts` provides the actors. An abandoned attempt is
 * aborted by its signal. If an actor throws instead of returning a result, the line fails.
 */
export const lineMachine = setup({
  types: {
    context: {} as LineContext,
    input: {} as LineInput,
    events: {} as LineEvent,
  },
  actors: {
    open: fromPromise<OpeningOutcome>(async () => ({ kind: 'listening' })),
    close: fromPromise<void>(async () => {}),
  },
  delays: { retry: ({ context }) => retryDelay(context) },
}).createMachine({
  id: 'line',
  context: ({ input }) => ({ ...input, failedAttempts: 0, fault: undefined, reason: undefined }),
  initial: 'closed',
  states: {
    closed: {
      on: { 'operator.start': 'opening' },
    },
    opening: {
      entry: assign({ failedAttempts: 0, fault: undefined, reason: undefined }),
      initial: 'attempting',
      states: {
        attempting: {
          invoke: {
            src: 'open',
            id: 'open',
            onDone: [
              { guard: ({ event }) => event.output.kind === 'listening', target: '#line.listening' },
              {
                guard: ({ event }) => event.output.kind === 'fault' && event.output.fault === openingFaults.refused,
                target: '#line.failed',
                actions: assign(({ event }) => (event.output.kind === 'fault' ? { reason: event.output.reason } : {})),
              },
              {
                target: 'waiting',
                actions: assign(({ context, event }) => ({
                  failedAttempts: context.failedAttempts + 1,
                  fault: event.output.kind === 'fault' ? event.output.fault : undefined,
                  reason: event.output.kind === 'fault' ? event.output.reason : undefined,
                })),
              },
            ],
            onError: {
              target: '#line.failed',
              actions: assign({ reason: ({ event }) => String(event.error) }),
            },
          },
        },
        waiting: {
          after: { retry: 'attempting' },
        },
      },
      on: { 'operator.stop': 'closing' },
    },
    listening: {
      on: { 'operator.stop': 'closing' },
    },
    closing: {
      invoke: {
        src: 'close',
        id: 'close',
        onDone: 'closed',
        onError: {
          target: 'failed',
          actions: assign({ reason: ({ event }) => String(event.error) }),
        },
      },
    },
    failed: {
      on: { 'operator.start': 'opening', 'operator.stop': 'closed' },
    },
  },
});
