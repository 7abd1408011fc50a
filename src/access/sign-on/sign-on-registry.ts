import { createHash, createHmac, randomBytes } from 'node:crypto';
import { steadyNow } from '../../lib/steady-clock.js';
import type { SecurityUser } from '../users/user-store.js';
import type { ReplacedSignOn, SignOnRecord, SignOnStore } from './sign-on-store.js';

const CODE_BYTES = 24;
const CODE = /^[A-Za-z0-9_-]{32}$/;

export interface SignOn {
  /** Stable for the same sign-on. Grants no access. */
  readonly id: string;
  /** As of the sign-on. Read the current rights from the database. */
  readonly user: Pick<SecurityUser, 'name' | 'passwordSet'>;
  /** Value in the forms of this browser, unknown to other sites (CSRF protection). */
  readonly securityToken: string;
}

export interface BegunSignOn extends SignOn {
  readonly code: string;
  /** Sign-ons replaced because of a limit. Their sessions end. */
  readonly replaced: readonly ReplacedSignOn[];
}

export interface SignOnTimes {
  readonly idleMilliseconds: number;
  readonly longestMilliseconds: number;
}

/**
 * Sign-ons by the code in the browser cookie. Neither the code nor the form token, which is derived from it, can be
 * computed from the stored data.
 * All methods reject with ServiceError SVC_ERR_SECURITY_UNAVAILABLE if the store is not available.
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

  /** Extends the idle time. */
  async find(code: string): Promise<SignOn | undefined> {
    if (!CODE.test(code)) return undefined;
    const record = await this.#touched(idOf(code));
    return record === undefined ? undefined : signOnOf(record, code);
  }

  idOf(code: string): string | undefined {
    return CODE.test(code) ? idOf(code) : undefined;
  }

  async hasEnded({ id }: SignOn): Promise<boolean> {
    return (await this.#touched(id)) === undefined;
  }

  /** Does not extend the idle time. */
  async lasts({ id }: SignOn): Promise<boolean> {
    const now = this.#now();
    return (await this.#store.touch(id, now, now)) !== undefined;
  }

  /** @returns the ended sign-on. The caller must end everything that depends on it. */
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
