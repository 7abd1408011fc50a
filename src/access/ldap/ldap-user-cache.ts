import { foldedName } from '../users/security-name.js';

export const MOST_CACHED_USERS = 1000;
const CACHE_MILLISECONDS = 30_000;

/** Facts of users that the directory server returned a moment ago, by the name in the request; the oldest make room. */
export class LdapUserCache<Fact> {
  readonly #facts = new Map<string, { readonly fact: Fact; readonly until: number }>();
  readonly #now: () => number;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  find(name: string): Fact | undefined {
    const found = this.#facts.get(foldedName(name));
    return found && found.until > this.#now() ? found.fact : undefined;
  }

  keep(name: string, fact: Fact): void {
    const key = foldedName(name);
    this.#facts.delete(key);
    const [oldest] = this.#facts.keys();
    if (oldest !== undefined && this.#facts.size >= MOST_CACHED_USERS) this.#facts.delete(oldest);
    this.#facts.set(key, { fact, until: this.#now() + CACHE_MILLISECONDS });
  }
}
