import { ServiceError } from '../../lib/errors.js';
import { steadyNow } from '../../lib/steady-clock.js';
import type { Failures, TryStore } from './try-store.js';

/** Sign-ons of one address that may fail within the time; the next one is not looked at. */
const MOST_FAILURES = 10;
const WINDOW_MILLISECONDS = 60_000;
/** Addresses that are counted at the same time. */
export const MOST_LIMITED_ADDRESSES = 50_000;
/** Tries of one address that wait until it is known whether those before them failed. */
const MOST_WAITING_TRIES = 500;
/** Tries that other processes have under way end without a word. */
const ANOTHER_LOOK_MILLISECONDS = 250;

/** Those of an address that want to begin a try here. */
interface Queue {
  present: number;
  readonly waiting: (() => void)[];
  /** Tries that have ended while somebody was here. */
  ended: number;
  looks: NodeJS.Timeout | undefined;
}

/** Bounds the sign-ons of an address that fail: ten within any minute, those under way among them (contract). */
export class FailureLimit {
  readonly #store: TryStore;
  readonly #now: () => number;
  readonly #queues = new Map<string, Queue>();

  constructor(store: TryStore, now: () => number = steadyNow) {
    this.#store = store;
    this.#now = now;
  }

  /** @throws ServiceError SVC_ERR_SIGNON_LIMIT, with Retry-After, and what the store throws */
  async check(address: string): Promise<void> {
    const now = this.#now();
    this.#refuseMore(await this.#store.failures(address, now), now);
  }

  /**
   * One more try; waits while those under way could be the last that may fail.
   * @returns what `end` is to be told
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
        // one that ended while the store was asked wakes nobody who comes to wait now
        if (queue.ended !== ended) continue;
        if (!hasWaited && queue.waiting.length >= MOST_WAITING_TRIES) throw new ServiceError('SVC_ERR_SERVICE_BUSY');
        queue.looks ??= setInterval(() => queue.waiting.shift()?.(), ANOTHER_LOOK_MILLISECONDS);
        await new Promise<void>((resolve) => queue.waiting.push(resolve));
      }
    } finally {
      // there may be room for another, and after the tenth failure each is refused
      queue.waiting.shift()?.();
      queue.present--;
      if (queue.present === 0) {
        clearInterval(queue.looks);
        this.#queues.delete(address);
      }
    }
  }

  /** Rejects never: where the store cannot be told, the try counts for a minute as if it had failed. */
  async end(address: string, id: string, hasFailed: boolean): Promise<void> {
    try {
      const now = this.#now();
      if (hasFailed) await this.#store.fail(address, id, { now, until: now + WINDOW_MILLISECONDS });
      else await this.#store.release(address, id);
    } catch {
      // whoever begins the next one is told
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
