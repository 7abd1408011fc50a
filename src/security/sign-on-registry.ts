import { randomBytes } from 'node:crypto';
import type { SecurityUser } from './security-database.js';
import { foldedName } from './security-name.js';

const CODE_BYTES = 24;
const MOST_SIGN_ONS = 20_000;
export const MOST_SIGN_ONS_OF_USER = 50;

/** A browser in which a user has signed on. */
export interface SignOn {
  readonly code: string;
  readonly user: SecurityUser;
  /** What forms of this browser carry, and no other site knows. */
  readonly securityToken: string;
}

export interface SignOnTimes {
  /** Without a request. */
  readonly idleMilliseconds: number;
  readonly longestMilliseconds: number;
}

interface Entry extends SignOn {
  readonly until: number;
  seen: number;
}

/** Who has signed on where, by the code in the browser's cookie. */
export class SignOnRegistry {
  readonly #times: SignOnTimes;
  readonly #now: () => number;
  readonly #entries = new Map<string, Entry>();

  constructor(times: SignOnTimes, now: () => number = () => performance.now()) {
    this.#times = times;
    this.#now = now;
  }

  begin(user: SecurityUser): SignOn {
    const now = this.#now();
    const folded = foldedName(user.name);
    const ofUser: string[] = [];
    for (const [code, entry] of this.#entries) {
      if (this.#isOver(entry, now)) this.#entries.delete(code);
      else if (foldedName(entry.user.name) === folded) ofUser.push(code);
    }
    for (const code of ofUser.slice(0, Math.max(0, ofUser.length + 1 - MOST_SIGN_ONS_OF_USER))) {
      this.#entries.delete(code);
    }
    const [oldest] = this.#entries.keys();
    if (this.#entries.size >= MOST_SIGN_ONS && oldest !== undefined) this.#entries.delete(oldest);
    const [code = '', securityToken = ''] = [CODE_BYTES, CODE_BYTES].map((bytes) =>
      randomBytes(bytes).toString('base64url'),
    );
    const entry = { code, user, securityToken, seen: now, until: now + this.#times.longestMilliseconds };
    this.#entries.set(code, entry);
    return entry;
  }

  /** Counts as a request of the user. */
  find(code: string): SignOn | undefined {
    const entry = this.#entries.get(code);
    if (entry === undefined) return undefined;
    const now = this.#now();
    if (this.#isOver(entry, now)) {
      this.#entries.delete(code);
      return undefined;
    }
    entry.seen = now;
    return entry;
  }

  end(code: string): void {
    this.#entries.delete(code);
  }

  #isOver({ seen, until }: Entry, now: number): boolean {
    return now >= until || now >= seen + this.#times.idleMilliseconds;
  }
}
