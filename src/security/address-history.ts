import { steadyNow } from './steady-clock.js';

/** Addresses that are remembered, of each kind; past that the oldest is forgotten. */
export const MOST_REMEMBERED_ADDRESSES = 50_000;
const GOOD_MILLISECONDS = 7 * 24 * 3_600_000;
const BAD_MILLISECONDS = 10 * 60_000;

/** Whose passwords are checked first where there are more than can be: 0 before 1 before 2. */
type AddressRank = 0 | 1 | 2;

/** Which addresses have had right passwords, and which of the others wrong ones, lately. */
export class AddressHistory {
  readonly #now: () => number;
  /** Until when. The oldest entry is the first. */
  readonly #good = new Map<string, number>();
  readonly #bad = new Map<string, number>();

  constructor(now: () => number = steadyNow) {
    this.#now = now;
  }

  rankOf(address: string): AddressRank {
    const now = this.#now();
    if ((this.#good.get(address) ?? 0) > now) return 0;
    return (this.#bad.get(address) ?? 0) > now ? 2 : 1;
  }

  note(address: string, isRight: boolean): void {
    const addresses = isRight ? this.#good : this.#bad;
    addresses.delete(address);
    addresses.set(address, this.#now() + (isRight ? GOOD_MILLISECONDS : BAD_MILLISECONDS));
    const [oldest] = addresses.keys();
    if (addresses.size > MOST_REMEMBERED_ADDRESSES && oldest !== undefined) addresses.delete(oldest);
  }
}
