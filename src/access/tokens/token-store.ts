import type { SecurityChange } from '../users/security-change.js';

export const MOST_TOKENS = 1_000;

/** Stored token. It cannot be used to authenticate. */
export interface TokenRecord {
  /** Unique without regard to case. */
  readonly name: string;
  /** SHA-256 of the token. The token itself is not stored. */
  readonly hash: string;
  readonly scopes: readonly string[];
  /** ISO 8601, UTC, like the other times. */
  readonly created: string;
  readonly expires: string;
  /** To the minute. Undefined if the token has not been used. */
  readonly lastUsed: string | undefined;
}

export function factsOfToken({ name, scopes, created, expires, lastUsed }: TokenRecord) {
  return { name, scopes, created, expires, ...(lastUsed === undefined ? {} : { lastUsed }) };
}

/** Makes a change and records it. Rejects without making the change if it cannot be recorded. */
export type RecordTokenChange = (change: SecurityChange, make: () => Promise<void>) => Promise<void>;

/**
 * Bearer tokens of programs. Changes run one at a time, each on the result of the previous one. All processes see a
 * removal at once. Every method may reject with ServiceError SVC_ERR_SECURITY_UNAVAILABLE.
 */
export interface TokenStore {
  /**
   * @throws ServiceError SVC_ERR_SECURITY_CHANGE if the name exists or there are MOST_TOKENS tokens. Errors of `record`
   * are passed on.
   */
  add(token: TokenRecord, record: RecordTokenChange): Promise<void>;
  /** @throws ServiceError SVC_ERR_SECURITY_CHANGE if the name does not exist. Errors of `record` are passed on. */
  remove(name: string, record: RecordTokenChange): Promise<void>;
  /** Sorted by name. */
  list(): Promise<readonly TokenRecord[]>;
  /** Also returns expired tokens. */
  find(hash: string): Promise<TokenRecord | undefined>;
  /**
   * Does nothing if the token does not exist.
   * @param now ISO 8601
   */
  used(hash: string, now: string): Promise<void>;
}
