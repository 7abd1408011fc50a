import { FairQueue } from '../lib/turns/fair-queue.js';
import type { PoolOutcome } from './pool-state.js';
import { withinTime } from './time-limit.js';

export const MOST_RUNNING = 100;
const MOST_WAITING = 1_000;
const MOST_WAITING_OF_CALLER = 100;
const WAIT_MILLISECONDS = 5_000;
const RETRY_AFTER_SECONDS = 5;

class NoTurnError extends Error {
  override readonly name = 'NoTurnError';
}

interface Run {
  readonly controller: AbortController;
  readonly over: Promise<unknown>;
}

/** Limits concurrent scenarios. Callers are served in turn, and the calls of one caller in order of arrival. */
export class ScenarioTurns {
  readonly #queue = new FairQueue<void>({
    most: MOST_WAITING,
    mostOfAddress: MOST_WAITING_OF_CALLER,
    refusal: () => new NoTurnError('too many calls wait'),
  });
  readonly #runs = new Set<Run>();
  /** Includes turns that are passed directly to a waiting call. */
  #taken = 0;
  #isStopping = false;

  /** @throws the abort reason of `signal`, and errors of `work` */
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

  /** Aborts running work and rejects waiting calls. Resolves when nothing runs. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    this.#queue.refuseAll();
    const runs = [...this.#runs];
    for (const { controller } of runs) controller.abort(new Error('the server stops'));
    await Promise.all(runs.map(({ over }) => over));
  }

  /** @returns undefined if the call got its turn, otherwise the reason */
  async #turn(
    caller: string,
    signal: AbortSignal,
  ): Promise<Extract<PoolOutcome, { kind: 'noSession' | 'stopping' }> | undefined> {
    if (this.#taken < MOST_RUNNING) {
      this.#taken++;
      return undefined;
    }
    try {
      const over = new NoTurnError('no slot became free in time');
      await withinTime(WAIT_MILLISECONDS, signal, over, (within) => this.#queue.wait(caller, within));
      return undefined;
    } catch (error) {
      if (!(error instanceof NoTurnError)) throw error;
      return this.#isStopping ? { kind: 'stopping' } : { kind: 'noSession', retryAfterSeconds: RETRY_AFTER_SECONDS };
    }
  }
}
