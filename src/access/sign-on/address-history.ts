import { networkOf } from '../../lib/network/addresses.js';
import { steadyNow } from '../../lib/steady-clock.js';

/** Limit for each kind of address and for networks. The oldest are evicted. */
const MOST_REMEMBERED_ADDRESSES = 50_000;
const GOOD_MILLISECONDS = 7 * 24 * 3_600_000;
const BAD_MILLISECONDS = 10 * 60_000;

/** Recent queued sign-ons per network above which its addresses get a lower rank. */
const TRIES_OF_NETWORK = { quiet: 2, busy: 8 } as const;

/** Order in which queued passwords are checked, first rank first. */
export const ADDRESS_RANKS = [
  'known',
  'came again',
  'new',
  'came again from a busy network',
  'new from a busy network',
  'from a network that tries without end',
  'came again from a network of guesses',
  'new from a network of guesses',
  'guessed',
] as const;

type AddressRank = (typeof ADDRESS_RANKS)[number];

/** Recent sign-on results per address and network. They decide the rank of an address. */
export class AddressHistory {
  readonly #now: () => number;
  readonly #good = new Map<string, number>();
  readonly #bad = new Map<string, number>();
  readonly #badNetworks = new Map<string, number>();
  readonly #turnedAway = new Map<string, number>();
  readonly #tries = new Map<string, { readonly count: number; readonly until: number }>();

  constructor(now: () => number = steadyNow) {
    this.#now = now;
  }

  rankOf(address: string): AddressRank {
    const now = this.#now();
    const isIn = (entries: ReadonlyMap<string, number>, key: string) => (entries.get(key) ?? 0) > now;
    if (isIn(this.#good, address)) return 'known';
    if (isIn(this.#bad, address)) return 'guessed';
    const hasComeAgain = isIn(this.#turnedAway, address);
    const network = networkOf(address);
    if (isIn(this.#badNetworks, network)) {
      return hasComeAgain ? 'came again from a network of guesses' : 'new from a network of guesses';
    }
    const tries = this.#triesOf(network);
    if (tries > TRIES_OF_NETWORK.busy) return 'from a network that tries without end';
    if (tries > TRIES_OF_NETWORK.quiet) {
      return hasComeAgain ? 'came again from a busy network' : 'new from a busy network';
    }
    return hasComeAgain ? 'came again' : 'new';
  }

  note(address: string, isRight: boolean): void {
    if (isRight) {
      this.#remember(this.#good, address, GOOD_MILLISECONDS);
    } else {
      this.#remember(this.#bad, address, BAD_MILLISECONDS);
      this.#remember(this.#badNetworks, networkOf(address), BAD_MILLISECONDS);
    }
  }

  noteTry(address: string): void {
    const network = networkOf(address);
    const count = this.#triesOf(network) + 1;
    this.#tries.delete(network);
    this.#tries.set(network, { count, until: this.#now() + BAD_MILLISECONDS });
    forgetOldest(this.#tries);
  }

  noteTurnedAway(address: string): void {
    this.#remember(this.#turnedAway, address, BAD_MILLISECONDS);
  }

  /** @param entries expiry times, oldest first */
  #remember(entries: Map<string, number>, key: string, milliseconds: number): void {
    entries.delete(key);
    entries.set(key, this.#now() + milliseconds);
    forgetOldest(entries);
  }

  #triesOf(network: string): number {
    const tries = this.#tries.get(network);
    return tries === undefined || tries.until <= this.#now() ? 0 : tries.count;
  }
}

function forgetOldest(entries: Map<string, unknown>): void {
  const [oldest] = entries.keys();
  if (entries.size > MOST_REMEMBERED_ADDRESSES && oldest !== undefined) entries.delete(oldest);
}
