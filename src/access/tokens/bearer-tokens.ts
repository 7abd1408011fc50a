import { createHash, randomBytes } from 'node:crypto';
import type { TokenRecord, TokenStore } from './token-store.js';

const TOKEN_BYTES = 32;
const TOKEN = /^sallyport_[A-Za-z0-9_-]{43}$/;
/** Resolution of the stored time of last use. A write for each call would cost more than the call. */
const USE_MILLISECONDS = 60_000;
const MOST_REMEMBERED = 2_000;

export function newToken(): string {
  return `sallyport_${randomBytes(TOKEN_BYTES).toString('base64url')}`;
}

export function tokenHash(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}

/** Finds tokens. Methods reject with ServiceError SVC_ERR_SECURITY_UNAVAILABLE if the store is not available. */
export class BearerTokens {
  readonly #store: TokenStore;
  readonly #onUseLost: (error: unknown) => void;
  readonly #now: () => number;
  readonly #uses = new Map<string, number>();

  /** @param onUseLost called if the time of last use cannot be stored. The call continues. */
  constructor(store: TokenStore, onUseLost: (error: unknown) => void, now: () => number = Date.now) {
    this.#store = store;
    this.#onUseLost = onUseLost;
    this.#now = now;
  }

  /** Undefined for an unknown, revoked or expired token. Revocation takes effect at once. */
  async find(token: string): Promise<TokenRecord | undefined> {
    if (!TOKEN.test(token)) return undefined;
    const hash = tokenHash(token);
    const record = await this.#store.find(hash);
    const now = this.#now();
    if (record === undefined || Date.parse(record.expires) <= now) return undefined;
    this.#keepUse(hash, now);
    return record;
  }

  #keepUse(hash: string, now: number): void {
    const minute = Math.floor(now / USE_MILLISECONDS);
    if (this.#uses.get(hash) === minute) return;
    this.#uses.delete(hash);
    this.#uses.set(hash, minute);
    for (const oldest of this.#uses.keys()) {
      if (this.#uses.size <= MOST_REMEMBERED) break;
      this.#uses.delete(oldest);
    }
    this.#store.used(hash, new Date(minute * USE_MILLISECONDS).toISOString()).catch(this.#onUseLost);
  }
}
