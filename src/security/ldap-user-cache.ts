import type { SecurityUser } from './security-database.js';
import { foldedName } from './security-name.js';

export const MOST_CACHED_USERS = 1000;
const CACHE_MILLISECONDS = 30_000;

/** Users that the directory was asked about a moment ago, by the name they were asked for; the oldest make room. */
export class LdapUserCache {
  readonly #users = new Map<string, { readonly user: SecurityUser; readonly until: number }>();
  readonly #now: () => number;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  find(name: string): SecurityUser | undefined {
    const found = this.#users.get(foldedName(name));
    return found && found.until > this.#now() ? found.user : undefined;
  }

  keep(name: string, user: SecurityUser): void {
    const key = foldedName(name);
    this.#users.delete(key);
    const [oldest] = this.#users.keys();
    if (oldest !== undefined && this.#users.size >= MOST_CACHED_USERS) this.#users.delete(oldest);
    this.#users.set(key, { user, until: this.#now() + CACHE_MILLISECONDS });
  }
}
