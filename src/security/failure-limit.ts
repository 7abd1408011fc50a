import { ServiceError } from '../errors.js';

/** Sign-ons of one address that may fail within the time; the next one is not looked at. */
export const MOST_FAILURES = 10;
const WINDOW_MILLISECONDS = 60_000;
/** Addresses that are counted at the same time; the one counted longest is forgotten. */
const MOST_LIMITED_ADDRESSES = 50_000;
/** Tries of one address that wait until it is known whether those before them failed. */
const MOST_WAITING_TRIES = 500;

interface Tries {
  /** Of failures, the oldest first. */
  readonly times: number[];
  underWay: number;
  readonly waiting: (() => void)[];
}

/** Bounds the sign-ons of an address that fail: ten within any minute, those under way among them (contract). */
export class FailureLimit {
  readonly #now: () => number;
  readonly #tries = new Map<string, Tries>();

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** @throws ServiceError SVC_ERR_SIGNON_LIMIT, with Retry-After */
  check(address: string): void {
    const tries = this.#current(address);
    if (tries === undefined || tries.times.length < MOST_FAILURES) return;
    const [first = this.#now()] = tries.times;
    const seconds = Math.max(1, Math.ceil((first + WINDOW_MILLISECONDS - this.#now()) / 1_000));
    throw new ServiceError('SVC_ERR_SIGNON_LIMIT', { headers: { 'Retry-After': String(seconds) } });
  }

  /**
   * One more try; waits while those under way could be the last that may fail.
   * @throws ServiceError as `check` does, and SVC_ERR_SERVICE_BUSY
   */
  async begin(address: string): Promise<void> {
    for (;;) {
      this.check(address);
      const tries = this.#current(address) ?? { times: [], underWay: 0, waiting: [] };
      if (tries.times.length + tries.underWay < MOST_FAILURES) {
        tries.underWay++;
        this.#keep(address, tries);
        return;
      }
      if (tries.waiting.length >= MOST_WAITING_TRIES) throw new ServiceError('SVC_ERR_SERVICE_BUSY');
      await new Promise<void>((resolve) => tries.waiting.push(resolve));
    }
  }

  end(address: string, hasFailed: boolean): void {
    const tries = this.#tries.get(address);
    if (tries === undefined) return;
    tries.underWay--;
    if (hasFailed) tries.times.push(this.#now());
    // all of them: after the tenth failure each is refused
    for (const wake of tries.waiting.splice(0)) wake();
    this.#current(address);
  }

  #keep(address: string, tries: Tries): void {
    this.#tries.delete(address);
    this.#tries.set(address, tries);
    for (const [oldest, { underWay }] of this.#tries) {
      if (this.#tries.size <= MOST_LIMITED_ADDRESSES) break;
      if (underWay === 0) this.#tries.delete(oldest);
    }
  }

  #current(address: string): Tries | undefined {
    const tries = this.#tries.get(address);
    if (tries === undefined) return undefined;
    const since = this.#now() - WINDOW_MILLISECONDS;
    while (tries.times[0] !== undefined && tries.times[0] <= since) tries.times.shift();
    if (tries.times.length === 0 && tries.underWay === 0) this.#tries.delete(address);
    return tries;
  }
}
