import { ServiceError } from '../../lib/errors.js';
import { addressGroupOf } from '../../lib/network/addresses.js';
import { type Actor, NOBODY_SIGNED_ON } from '../audit/audit-entry.js';
import { WINDOW_MILLISECONDS } from '../audit/audit-tally.js';

/** Intents a minute of clients at one address that have not signed on. */
const MOST_ANONYMOUS_CHANGES = 60;
/** Intents a minute of one user, or program, at one address. */
const MOST_CHANGES_OF_USER = 600;
const MOST_ACTORS = 10_000;
const SECOND = 1_000;

/** Bounds how many changes a client can ask for: each of them has entries of its own in the audit trail. */
export class ChangePace {
  readonly #now: () => number;
  readonly #asked = new Map<string, number>();
  #since = Number.NEGATIVE_INFINITY;

  /** @param now milliseconds of a clock that nobody sets */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** @throws ServiceError SVC_ERR_AUDIT_PACE */
  take({ who, from }: Actor): void {
    const now = this.#now();
    if (now - this.#since >= WINDOW_MILLISECONDS) {
      this.#since = now;
      this.#asked.clear();
    }
    const name = JSON.stringify([who, addressGroupOf(from)]);
    // past the bound, further clients share one number
    const key = this.#asked.has(name) || this.#asked.size < MOST_ACTORS ? name : '';
    const asked = this.#asked.get(key) ?? 0;
    if (asked >= (who === NOBODY_SIGNED_ON ? MOST_ANONYMOUS_CHANGES : MOST_CHANGES_OF_USER)) {
      const seconds = Math.max(1, Math.ceil((this.#since + WINDOW_MILLISECONDS - now) / SECOND));
      throw new ServiceError('SVC_ERR_AUDIT_PACE', { headers: { 'Retry-After': String(seconds) } });
    }
    this.#asked.set(key, asked + 1);
  }
}
