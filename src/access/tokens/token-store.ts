import type { SecurityChange } from '../users/security-change.js';

/** Tokens of an installation. */
export const MOST_TOKENS = 1_000;

/** A bearer token as it is kept: whoever reads it cannot use it. */
export interface TokenRecord {
  /** Names differ in more than case. */
  readonly name: string;
  /** Of the token, which is kept nowhere: its SHA-256. */
  readonly hash: string;
  readonly scopes: readonly string[];
  /** ISO 8601, UTC; so are the others. */
  readonly created: string;
  /** From then on it is worth nothing. */
  readonly expires: string;
  /** When a request came with it last, to the minute; undefined: none has. */
  readonly lastUsed: string | undefined;
}

/** What may be said of a token. */
export function factsOfToken({ name, scopes, created, expires, lastUsed }: TokenRecord) {
  return { name, scopes, created, expires, ...(lastUsed === undefined ? {} : { lastUsed }) };
}

/** Makes a change, and sees to it that it is put on record; where that cannot be it rejects, and makes none. */
export type RecordTokenChange = (change: SecurityChange, make: () => Promise<void>) => Promise<void>;

/**
 * Bearer tokens of programs. Changes happen one after the other, each on what the last one left; what was removed is found no
 * more, by any process. Every method may reject with ServiceError SVC_ERR_SECURITY_UNAVAILABLE.
 */
export interface TokenStore {
  /** @throws ServiceError SVC_ERR_SECURITY_CHANGE where the name is taken, or there are MOST_TOKENS; what `record` throws */
  add(token: TokenRecord, record: RecordTokenChange): Promise<void>;
  /** @throws ServiceError SVC_ERR_SECURITY_CHANGE where there is none of that name; what `record` throws */
  remove(name: string, record: RecordTokenChange): Promise<void>;
  /** In the order of their names. */
  list(): Promise<readonly TokenRecord[]>;
  /** Whether or not it has expired. */
  find(hash: string): Promise<TokenRecord | undefined>;
  /** Remembers that a request came with it; one that is not there stays away. @param now ISO 8601 */
  used(hash: string, now: string): Promise<void>;
}
