import { networkOf } from '../address-network.js';
import { steadyNow } from './steady-clock.js';

/** Addresses that are remembered, of each kind, and networks; past that the oldest is forgotten. */
export const MOST_REMEMBERED_ADDRESSES = 50_000;
const GOOD_MILLISECONDS = 7 * 24 * 3_600_000;
const BAD_MILLISECONDS = 10 * 60_000;

/** Whose passwords are checked first where there are more than can be: the first of these. */
export const ADDRESS_RANKS = [
  'known',
  'came again',
  'new',
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

  constructor(now: () => number = steadyNow) {
    this.#now = now;
  }

  rankOf(address: string): AddressRank {
    const now = this.#now();
    const isIn = (entries: ReadonlyMap<string, number>, key: string) => (entries.get(key) ?? 0) > now;
    if (isIn(this.#good, address)) return 'known';
    if (isIn(this.#bad, address)) return 'guessed';
    const hasComeAgain = isIn(this.#turnedAway, address);
    if (isIn(this.#badNetworks, networkOf(address))) {
      return hasComeAgain ? 'came again from a network of guesses' : 'new from a network of guesses';
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

  /** There was no room for it to wait. */
  noteTurnedAway(address: string): void {
    this.#remember(this.#turnedAway, address, BAD_MILLISECONDS);
  }

  /** @param entries until when; the oldest first */
  #remember(entries: Map<string, number>, key: string, milliseconds: number): void {
    entries.delete(key);
    entries.set(key, this.#now() + milliseconds);
    const [oldest] = entries.keys();
    if (entries.size > MOST_REMEMBERED_ADDRESSES && oldest !== undefined) entries.delete(oldest);
  }
}
