import { FairQueue } from '../lib/turns/fair-queue.js';
import type { PoolOutcome } from './pool-definition.js';
import { withinTime } from './time-limit.js';

/** Scenarios that services run at once. */
export const MOST_RUNNING = 100;
const MOST_WAITING = 1_000;
const MOST_WAITING_OF_CALLER = 100;
const WAIT_MILLISECONDS = 5_000;
const RETRY_AFTER_SECONDS = 5;

/** Nobody's turn came in time, or too many wait. */
class NoTurnError extends Error {
  override readonly name = 'NoTurnError';
}

interface Run {
  readonly controller: AbortController;
  /** Resolves when it is over, however it went. */
  readonly over: Promise<unknown>;
}

/** So many scenarios run at once, and callers are served in turn, each its own calls in the order they came. */
export class ScenarioTurns {
  readonly #queue = new FairQueue<void>({
    most: MOST_WAITING,
    mostOfAddress: MOST_WAITING_OF_CALLER,
    refusal: () => new NoTurnError('too many calls wait'),
  });
  readonly #runs = new Set<Run>();
  /** Turns that are taken; one that is handed on stays taken. */
  #taken = 0;
  #isStopping = false;

  /**
   * Does something when it is the caller's turn.
   * @throws what the signal was aborted with, and what `work` throws
   */
  async run<Result>(
    caller: string,
    signal: AbortSignal,
    work: (signal: AbortSignal) => Promise<Result>,
  ): Promise<Result | Extract<PoolOutcome, { kind: 'noSession' | 'stopping' }>> {
    signal.throwIfAborted();
    if (this.#isStopping) return { kind: 'stopping' };
    const refusal = await this.#turn(caller, signal);
    if (refusal !== undefined) return refusal;
    const controller = new AbortController();
    const give = () => controller.abort(signal.reason);
    signal.addEventListener('abort', give, { once: true });
    if (signal.aborted) give();
    const isStopped = () => controller.signal.aborted && !signal.aborted;
    const working = work(controller.signal);
    const run = { controller, over: working.catch(() => {}) };
    this.#runs.add(run);
    try {
      const result = await working;
      return isStopped() ? { kind: 'stopping' } : result;
    } catch (error) {
      signal.throwIfAborted();
      if (isStopped()) return { kind: 'stopping' };
      throw error;
    } finally {
      signal.removeEventListener('abort', give);
      this.#runs.delete(run);
      if (!this.#queue.serve()) this.#taken--;
    }
  }

  /** Ends what runs, and refuses what waits; resolves when nothing runs. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    this.#queue.refuseAll();
    const runs = [...this.#runs];
    for (const { controller } of runs) controller.abort(new Error('the server stops'));
    await Promise.all(runs.map(({ over }) => over));
  }

  /** @returns why there is none */
  async #turn(
    caller: string,
    signal: AbortSignal,
  ): Promise<Extract<PoolOutcome, { kind: 'noSession' | 'stopping' }> | undefined> {
    if (this.#taken < MOST_RUNNING) {
      this.#taken++;
      return undefined;
    }
    try {
      const over = new NoTurnError('no turn came in time');
      await withinTime(WAIT_MILLISECONDS, signal, over, (within) => this.#queue.wait(caller, within));
      return undefined;
    } catch (error) {
      if (!(error instanceof NoTurnError)) throw error;
      return this.#isStopping ? { kind: 'stopping' } : { kind: 'noSession', retryAfterSeconds: RETRY_AFTER_SECONDS };
    }
  }
}
