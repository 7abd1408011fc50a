import { networkOf } from '../../lib/network/addresses.js';
import { steadyNow } from '../../lib/steady-clock.js';

/** Addresses that are remembered, of each kind, and networks; past that the oldest is forgotten. */
const MOST_REMEMBERED_ADDRESSES = 50_000;
const GOOD_MILLISECONDS = 7 * 24 * 3_600_000;
const BAD_MILLISECONDS = 10 * 60_000;

/** Tries of a network that had to wait, lately: with more, those of networks with fewer are before them. */
const TRIES_OF_NETWORK = { quiet: 2, busy: 8 } as const;

/** Whose passwords are checked first where there are more than can be: the first of these. */
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

/** Which addresses have had right passwords, and which of the others wrong ones, or were turned away, lately. */
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

  /** One that has to wait. */
  noteTry(address: string): void {
    const network = networkOf(address);
    const count = this.#triesOf(network) + 1;
    this.#tries.delete(network);
    this.#tries.set(network, { count, until: this.#now() + BAD_MILLISECONDS });
    forgetOldest(this.#tries);
  }

  /** There was no room for it to wait. */
  noteTurnedAway(address: string): void {
    this.#remember(this.#turnedAway, address, BAD_MILLISECONDS);
  }

  /** @param entries until when; the oldest first */
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
