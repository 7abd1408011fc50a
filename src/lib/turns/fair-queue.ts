import type { StopSignal } from '../stop-signal.js';

interface FairQueueBounds {
  readonly most: number;
  readonly mostOfAddress: number;
  readonly refusal: () => Error;
}

interface Waiter<Value> {
  readonly resolve: (value: Value) => void;
  readonly reject: (error: Error) => void;
}

/**
 * Queue for a scarce resource. Addresses are served in turn, and each address in order of arrival, so an address with
 * many requests only delays itself. If the queue is full, the address with the most entries loses its last one to an
 * address with fewer.
 */
export class FairQueue<Value> {
  readonly #bounds: FairQueueBounds;
  /** In the order of their turns, without empty lists. */
  readonly #waiting = new Map<string, Waiter<Value>[]>();
  #size = 0;

  constructor(bounds: FairQueueBounds) {
    this.#bounds = bounds;
  }

  get size(): number {
    return this.#size;
  }

  /**
   * @param address client key
   * @param signal leaves the queue and rejects with its reason
   */
  wait(address: string, signal?: StopSignal): Promise<Value> {
    const { mostOfAddress, refusal } = this.#bounds;
    if (signal?.aborted === true) return Promise.reject(signal.reason);
    const own = this.#waiting.get(address)?.length ?? 0;
    if (own >= mostOfAddress || !this.#hasRoomFor(own)) return Promise.reject(refusal());
    return new Promise<Value>((resolve, reject) => {
      const leave = () => {
        this.#leave(address, waiter);
        reject(signal?.reason);
      };
      const waiter: Waiter<Value> = {
        resolve: (value) => {
          signal?.removeEventListener('abort', leave);
          resolve(value);
        },
        reject: (error) => {
          signal?.removeEventListener('abort', leave);
          reject(error);
        },
      };
      signal?.addEventListener('abort', leave);
      const waiters = this.#waiting.get(address) ?? [];
      waiters.push(waiter);
      this.#waiting.set(address, waiters);
      this.#size++;
    });
  }

  /** Address whose turn is next, of those that `mayBeServed` accepts. */
  next(mayBeServed: (address: string) => boolean = () => true): string | undefined {
    for (const address of this.#waiting.keys()) if (mayBeServed(address)) return address;
    return undefined;
  }

  serve(value: Value, address = this.next()): boolean {
    const waiters = address === undefined ? undefined : this.#waiting.get(address);
    if (address === undefined || waiters === undefined) return false;
    const waiter = waiters.shift();
    this.#size--;
    this.#waiting.delete(address);
    if (waiters.length > 0) this.#waiting.set(address, waiters);
    waiter?.resolve(value);
    return true;
  }

  refuseAll(): void {
    const everybody = [...this.#waiting.values()].flat();
    this.#waiting.clear();
    this.#size = 0;
    for (const { reject } of everybody) reject(this.#bounds.refusal());
  }

  #leave(address: string, waiter: Waiter<Value>): void {
    const waiters = this.#waiting.get(address) ?? [];
    const at = waiters.indexOf(waiter);
    if (at < 0) return;
    waiters.splice(at, 1);
    this.#size--;
    if (waiters.length === 0) this.#waiting.delete(address);
  }

  #hasRoomFor(own: number): boolean {
    const { most, refusal } = this.#bounds;
    if (this.#size < most) return true;
    let longest: Waiter<Value>[] = [];
    for (const waiters of this.#waiting.values()) if (waiters.length > longest.length) longest = waiters;
    // With equal numbers, nothing would be gained.
    if (longest.length < own + 2) return false;
    longest.pop()?.reject(refusal());
    this.#size--;
    return true;
  }
}
