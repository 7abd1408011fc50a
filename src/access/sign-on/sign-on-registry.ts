import { createHash, createHmac, randomBytes } from 'node:crypto';
import { steadyNow } from '../../lib/steady-clock.js';
import type { SecurityUser } from '../users/security-database.js';
import type { ReplacedSignOn, SignOnRecord, SignOnStore } from './sign-on-store.js';

const CODE_BYTES = 24;
const CODE = /^[A-Za-z0-9_-]{32}$/;

/** A browser in which a user has signed on. */
export interface SignOn {
  /** The same for the same sign-on, and good for nothing else. */
  readonly id: string;
  /** As the user was then: who may do what is asked of the database. */
  readonly user: Pick<SecurityUser, 'name' | 'passwordSet'>;
  /** What forms of this browser carry, and no other site knows. */
  readonly securityToken: string;
}

/** One that has just begun. */
export interface BegunSignOn extends SignOn {
  /** For the cookie of the browser. */
  readonly code: string;
  /** Sign-ons that it replaces, because there were as many as allowed. Sessions that began with them end. */
  readonly replaced: readonly ReplacedSignOn[];
}

export interface SignOnTimes {
  /** Without a request. */
  readonly idleMilliseconds: number;
  readonly longestMilliseconds: number;
}

/**
 * Who has signed on where, by the code in the browser's cookie. What is kept tells neither the code nor the token of the
 * forms, which is made of it.
 * Everything throws ServiceError SVC_ERR_SECURITY_UNAVAILABLE where the store cannot be asked.
 */
export class SignOnRegistry {
  readonly #store: SignOnStore;
  readonly #times: SignOnTimes;
  readonly #now: () => number;

  constructor(store: SignOnStore, times: SignOnTimes, now: () => number = steadyNow) {
    this.#store = store;
    this.#times = times;
    this.#now = now;
  }

  async begin({ name, passwordSet }: SecurityUser): Promise<BegunSignOn> {
    const now = this.#now();
    const { idleMilliseconds, longestMilliseconds } = this.#times;
    const code = randomBytes(CODE_BYTES).toString('base64url');
    const record = {
      id: idOf(code),
      userName: name,
      passwordSet,
      until: now + longestMilliseconds,
      idleUntil: now + idleMilliseconds,
    };
    const replaced = await this.#store.add(record, now);
    return { ...signOnOf(record, code), code, replaced };
  }

  /** Counts as a request of the user. */
  async find(code: string): Promise<SignOn | undefined> {
    if (!CODE.test(code)) return undefined;
    const record = await this.#touched(idOf(code));
    return record === undefined ? undefined : signOnOf(record, code);
  }

  /** @returns undefined if the text is not a code */
  idOf(code: string): string | undefined {
    return CODE.test(code) ? idOf(code) : undefined;
  }

  /** Whether a sign-on has ended since it was found. */
  async hasEnded({ id }: SignOn): Promise<boolean> {
    return (await this.#touched(id)) === undefined;
  }

  /** Whether it goes on. Asking does not count as a request of the user. */
  async lasts({ id }: SignOn): Promise<boolean> {
    const now = this.#now();
    return (await this.#store.touch(id, now, now)) !== undefined;
  }

  /** @returns the sign-on that this has ended: whatever began with it has to end, too */
  async end(code: string): Promise<SignOn | undefined> {
    if (!CODE.test(code)) return undefined;
    const record = await this.#store.remove(idOf(code), this.#now());
    return record === undefined ? undefined : signOnOf(record, code);
  }

  #touched(id: string): Promise<SignOnRecord | undefined> {
    const now = this.#now();
    return this.#store.touch(id, now, now + this.#times.idleMilliseconds);
  }
}

function signOnOf({ id, userName, passwordSet }: SignOnRecord, code: string): SignOn {
  return { id, user: { name: userName, passwordSet }, securityToken: tokenOf(code) };
}

function idOf(code: string): string {
  return createHash('sha256').update(code).digest('base64url');
}

function tokenOf(code: string): string {
  return createHmac('sha256', code).update('forms').digest().subarray(0, CODE_BYTES).toString('base64url');
}
