import { ServiceError } from '../../lib/errors.js';
import { steadyNow } from '../../lib/steady-clock.js';
import type { Failures, TryStore } from './try-store.js';

/** Failed sign-ons per address and window. The next sign-on is refused without a check. */
const MOST_FAILURES = 10;
const WINDOW_MILLISECONDS = 60_000;
export const MOST_LIMITED_ADDRESSES = 50_000;
const MOST_WAITING_TRIES = 500;
/** Other processes do not announce the end of their attempts, so the store is queried at this interval. */
const ANOTHER_LOOK_MILLISECONDS = 250;

interface Queue {
  present: number;
  readonly waiting: (() => void)[];
  ended: number;
  looks: NodeJS.Timeout | undefined;
}

/** Limits failed sign-ons per address to ten in any minute. Attempts in progress count (contract). */
export class FailureLimit {
  readonly #store: TryStore;
  readonly #now: () => number;
  readonly #queues = new Map<string, Queue>();

  constructor(store: TryStore, now: () => number = steadyNow) {
    this.#store = store;
    this.#now = now;
  }

  /** @throws ServiceError SVC_ERR_SIGNON_LIMIT with Retry-After. Errors of the store are passed on. */
  async check(address: string): Promise<void> {
    const now = this.#now();
    this.#refuseMore(await this.#store.failures(address, now), now);
  }

  /**
   * Starts an attempt. Waits while the attempts in progress could use up the limit.
   * @returns the ID to pass to `end`
   * @throws ServiceError as `check` does, and SVC_ERR_SERVICE_BUSY
   */
  async begin(address: string): Promise<string> {
    const queue = this.#queues.get(address) ?? { present: 0, waiting: [], ended: 0, looks: undefined };
    this.#queues.set(address, queue);
    queue.present++;
    try {
      for (let hasWaited = false; ; hasWaited = true) {
        const { ended } = queue;
        const now = this.#now();
        const begun = await this.#store.begin(address, { most: MOST_FAILURES, now, until: now + WINDOW_MILLISECONDS });
        if (begun.kind === 'begun') return begun.id;
        this.#refuseMore(begun.failures, now);
        // An attempt that ended during the query has woken no caller, so query again.
        if (queue.ended !== ended) continue;
        if (!hasWaited && queue.waiting.length >= MOST_WAITING_TRIES) throw new ServiceError('SVC_ERR_SERVICE_BUSY');
        queue.looks ??= setInterval(() => queue.waiting.shift()?.(), ANOTHER_LOOK_MILLISECONDS);
        await new Promise<void>((resolve) => queue.waiting.push(resolve));
      }
    } finally {
      // There may be room for another caller. After the tenth failure, every caller is refused.
      queue.waiting.shift()?.();
      queue.present--;
      if (queue.present === 0) {
        clearInterval(queue.looks);
        this.#queues.delete(address);
      }
    }
  }

  /** Never rejects. If the store is not available, the attempt counts as failed for a minute. */
  async end(address: string, id: string, hasFailed: boolean): Promise<void> {
    try {
      const now = this.#now();
      if (hasFailed) await this.#store.fail(address, id, { now, until: now + WINDOW_MILLISECONDS });
      else await this.#store.release(address, id);
    } catch {
      // The next call of `begin` reports the error.
    }
    const queue = this.#queues.get(address);
    if (queue === undefined) return;
    queue.ended++;
    queue.waiting.shift()?.();
  }

  #refuseMore({ count, firstUntil }: Failures, now: number): void {
    if (count < MOST_FAILURES) return;
    const seconds = Math.max(1, Math.ceil(((firstUntil ?? now) - now) / 1_000));
    throw new ServiceError('SVC_ERR_SIGNON_LIMIT', { headers: { 'Retry-After': String(seconds) } });
  }
}
