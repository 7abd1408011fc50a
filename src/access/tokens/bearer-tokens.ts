import { createHash, randomBytes } from 'node:crypto';
import type { TokenRecord, TokenStore } from './token-store.js';

const TOKEN_BYTES = 32;
const TOKEN = /^sallyport_[A-Za-z0-9_-]{43}$/;
/** How exactly it is kept when a token was used last: a write each time would cost more than the call. */
const USE_MILLISECONDS = 60_000;
/** Tokens that are remembered to have been used within that time. */
const MOST_REMEMBERED = 2_000;

/** A token that nobody knows yet. */
export function newToken(): string {
  return `sallyport_${randomBytes(TOKEN_BYTES).toString('base64url')}`;
}

/** What is kept of a token. */
export function tokenHash(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}

/** Finds who a token belongs to. It throws ServiceError SVC_ERR_SECURITY_UNAVAILABLE where the store cannot be asked. */
export class BearerTokens {
  readonly #store: TokenStore;
  readonly #onUseLost: (error: unknown) => void;
  readonly #now: () => number;
  /** Minute of the last use that was written, by hash. */
  readonly #uses = new Map<string, number>();

  /** @param onUseLost told where the last use of a token cannot be kept: the call goes on */
  constructor(store: TokenStore, onUseLost: (error: unknown) => void, now: () => number = Date.now) {
    this.#store = store;
    this.#onUseLost = onUseLost;
    this.#now = now;
  }

  /** The token as it is kept now; undefined where there is none, or it has expired. Revoked ones are gone at once. */
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
