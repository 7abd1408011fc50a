import { assign, fromCallback, sendTo, setup } from 'xstate';

export interface RestartBounds {
  /** Maximum failed starts in a row: deaths and timeouts before the worker serves. Deaths by SIGKILL do not count. */
  readonly failedStarts: number;
  readonly withinMilliseconds: number;
  /** Wait after each death within that time; the last value is repeated. */
  readonly waitMilliseconds: readonly number[];
}

interface WorkerInput {
  readonly bounds: RestartBounds;
  /** Time limit until the worker serves. */
  readonly startMilliseconds: number;
  /** Time limits until a drained or stopped worker has ended. */
  readonly drainMilliseconds: number;
  readonly stopMilliseconds: number;
}

interface WorkerContext extends WorkerInput {
  /** Times of the deaths within `withinMilliseconds`, except deaths by SIGKILL. */
  readonly deaths: readonly number[];
  /** Since the worker last served. */
  readonly failedStarts: number;
  readonly restarts: number;
}

/** Events of the worker process. `at` is from a monotonic clock. */
export type WorkerLifeEvent =
  | { readonly type: 'worker.serving' }
  | { readonly type: 'worker.silent' }
  | { readonly type: 'worker.ended'; readonly at: number; readonly isKilled: boolean };

export type WorkerLifeOrder =
  | { readonly type: 'drain' }
  | { readonly type: 'stop' }
  | { readonly type: 'kill' }
  | { readonly type: 'killUnstarted' }
  | { readonly type: 'killSilent' };

type WorkerEvent =
  | WorkerLifeEvent
  | { readonly type: 'operator.restart' }
  /** Drains the worker without a replacement. */
  | { readonly type: 'operator.leave' }
  | { readonly type: 'operator.stop' };

export function restartWait({
  bounds: { waitMilliseconds },
  deaths,
}: Pick<WorkerContext, 'bounds' | 'deaths'>): number {
  const step = Math.min(Math.max(deaths.length, 1), waitMilliseconds.length) - 1;
  return waitMilliseconds[step] ?? 0;
}

/**
 * Life cycle of a worker: restarted after a death, killed if it hangs, given up after too many failed starts, drained
 * for a rolling restart. `src/server/workers/worker-life.ts` provides `life`, the actor of the process.
 */
export const workerMachine = setup({
  types: { context: {} as WorkerContext, input: {} as WorkerInput, events: {} as WorkerEvent },
  actors: { life: fromCallback<WorkerLifeOrder>(() => {}) },
  actions: {
    drain: sendTo('life', { type: 'drain' }),
    stop: sendTo('life', { type: 'stop' }),
    kill: sendTo('life', { type: 'kill' }),
    killUnstarted: sendTo('life', { type: 'killUnstarted' }),
    killSilent: sendTo('life', { type: 'killSilent' }),
    countDeath: assign(({ context: { bounds, deaths, restarts }, event }) => {
      if (event.type !== 'worker.ended') return {};
      // a killed worker does not lengthen the wait, because the cause does not affect the next process
      if (event.isKilled) return { restarts: restarts + 1 };
      const since = event.at - bounds.withinMilliseconds;
      return { deaths: [...deaths.filter((at) => at > since), event.at], restarts: restarts + 1 };
    }),
    countFailedStart: assign({
      failedStarts: ({ context: { failedStarts }, event }) =>
        event.type === 'worker.ended' && event.isKilled ? failedStarts : failedStarts + 1,
    }),
    forgetFailedStarts: assign({ failedStarts: 0 }),
    forgetDeaths: assign({ deaths: [], failedStarts: 0 }),
  },
  guards: { isGivenUp: ({ context: { bounds, failedStarts } }) => failedStarts > bounds.failedStarts },
  delays: {
    wait: ({ context }) => restartWait(context),
    startLimit: ({ context }) => context.startMilliseconds,
    drainLimit: ({ context }) => context.drainMilliseconds,
    stopLimit: ({ context }) => context.stopMilliseconds,
  },
}).createMachine({
  id: 'worker',
  context: ({ input }) => ({ ...input, deaths: [], failedStarts: 0, restarts: 0 }),
  initial: 'running',
  states: {
    running: {
      invoke: { src: 'life', id: 'life' },
      initial: 'starting',
      states: {
        starting: {
          after: { startLimit: { actions: ['killUnstarted', 'countFailedStart'] } },
          on: {
            'worker.serving': 'serving',
            'worker.ended': { target: '#worker.dead', actions: ['countDeath', 'countFailedStart'] },
          },
        },
        serving: {
          entry: 'forgetFailedStarts',
          on: { 'operator.restart': 'draining', 'worker.ended': { target: '#worker.dead', actions: 'countDeath' } },
        },
        draining: {
          entry: 'drain',
          after: { drainLimit: { actions: 'kill' } },
          on: { 'worker.ended': { target: '#worker.running', reenter: true } },
        },
        leaving: {
          entry: 'drain',
          after: { drainLimit: { actions: 'kill' } },
          on: { 'worker.ended': '#worker.ended' },
        },
        stopping: {
          entry: 'stop',
          after: { stopLimit: { actions: 'kill' } },
          on: { 'worker.ended': '#worker.ended', 'operator.stop': { actions: 'stop' } },
        },
      },
      on: { 'operator.leave': '.leaving', 'operator.stop': '.stopping', 'worker.silent': { actions: 'killSilent' } },
    },
    dead: {
      always: [{ guard: 'isGivenUp', target: 'givenUp' }, 'waiting'],
    },
    waiting: {
      after: { wait: 'running' },
      on: { 'operator.restart': 'running', 'operator.leave': 'ended', 'operator.stop': 'ended' },
    },
    givenUp: {
      on: {
        'operator.restart': { target: 'running', actions: 'forgetDeaths' },
        'operator.leave': 'ended',
        'operator.stop': 'ended',
      },
    },
    ended: { type: 'final' },
  },
});
