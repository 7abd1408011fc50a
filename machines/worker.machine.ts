import { assign, fromCallback, sendTo, setup } from 'xstate';

/** How often a worker may die before it serves until it is given up, and how long it waits after each death. */
export interface RestartBounds {
  /** In a row, by itself. One that has served, and one that was killed, is always started again. */
  readonly failedStarts: number;
  readonly withinMilliseconds: number;
  /** After each further death within that time; the last one is repeated. */
  readonly waitMilliseconds: readonly number[];
}

interface WorkerInput {
  readonly bounds: RestartBounds;
  /** In which it must serve. */
  readonly startMilliseconds: number;
  /** In which a worker that is drained, and one that is stopped, must have ended. */
  readonly drainMilliseconds: number;
  readonly stopMilliseconds: number;
}

interface WorkerContext extends WorkerInput {
  /** When it died by itself, without having been told to end, of those within the time. */
  readonly deaths: readonly number[];
  /** Since it has served. */
  readonly failedStarts: number;
  readonly restarts: number;
}

/** What the process of a worker tells. `at` is of a clock that never goes back. */
export type WorkerLifeEvent =
  | { readonly type: 'worker.serving' }
  | { readonly type: 'worker.silent' }
  | { readonly type: 'worker.ended'; readonly at: number; readonly isKilled: boolean };

/** What it is told. */
export type WorkerLifeOrder =
  | { readonly type: 'drain' }
  | { readonly type: 'stop' }
  /** It has not ended in time. */
  | { readonly type: 'kill' }
  /** It does not serve in time. */
  | { readonly type: 'killUnstarted' }
  | { readonly type: 'killSilent' };

type WorkerEvent =
  | WorkerLifeEvent
  | { readonly type: 'operator.restart' }
  /** Drained for good: nothing takes its place. */
  | { readonly type: 'operator.leave' }
  | { readonly type: 'operator.stop' };

/** The wait after the deaths that there were, in milliseconds. */
export function restartWait({
  bounds: { waitMilliseconds },
  deaths,
}: Pick<WorkerContext, 'bounds' | 'deaths'>): number {
  const step = Math.min(Math.max(deaths.length, 1), waitMilliseconds.length) - 1;
  return waitMilliseconds[step] ?? 0;
}

/**
 * The life of a worker: started, restarted where it dies, killed where it hangs, given up where it dies again and again before it serves, drained for a rolling restart.
 * `src/server/workers/worker-seat.ts` provides `life`: the process, which is there as long as the actor is.
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
      // the next one will not die of what this one was killed for
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
