import { assign, fromPromise, setup } from 'xstate';

/** Why a line could not open. The first two pass with time; the last one needs a person. */
export const openingFaults = { portTaken: 'portTaken', addressMissing: 'addressMissing', refused: 'refused' } as const;
export type OpeningFault = (typeof openingFaults)[keyof typeof openingFaults];

/** The result of an attempt to open a line. */
export type OpeningOutcome =
  | { readonly kind: 'listening' }
  | { readonly kind: 'fault'; readonly fault: OpeningFault; readonly reason: string };

interface LineInput {
  /** The delay before each further attempt; the last one is repeated. */
  readonly retryMilliseconds: readonly number[];
}

interface LineContext extends LineInput {
  /** Attempts that failed since the line was started. */
  readonly failedAttempts: number;
  /** Of the last attempt that failed; the reason is in words. */
  readonly fault: OpeningFault | undefined;
  readonly reason: string | undefined;
}

type LineEvent = { readonly type: 'operator.start' } | { readonly type: 'operator.stop' };

export const defaultRetryMilliseconds = [1_000, 2_000, 4_000, 8_000, 16_000, 30_000] as const;

/** The wait before the next attempt, in milliseconds. */
export function retryDelay({ retryMilliseconds, failedAttempts }: LineContext): number {
  const step = Math.min(Math.max(failedAttempts, 1), retryMilliseconds.length) - 1;
  return retryMilliseconds[step] ?? 0;
}

/**
 * The life of an inbound line: opening, retrying and closing. `src/lines/listener/inbound-line.ts` provides the two actors. An attempt
 * that is abandoned is aborted by its signal. If an actor throws instead of returning a result, the line fails.
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
