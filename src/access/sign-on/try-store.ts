export interface Failures {
  readonly count: number;
  /** When the first failure expires. Undefined if there is none or it does not expire. */
  readonly firstUntil: number | undefined;
}

export interface TryRule {
  /** Limit for counted failures and attempts in progress together. */
  readonly most: number;
  readonly now: number;
  /** When the attempt expires if its process does not end it, for example because it was killed. */
  readonly until: number;
}

export type TryBeginning =
  | { readonly kind: 'begun'; readonly id: string }
  | { readonly kind: 'full'; readonly failures: Failures };

/**
 * Attempts per address or user, with a limit on failures. Times are in milliseconds on the clock of `steadyNow`. Keys
 * without counted attempts are not stored.
 * Every method may reject with ServiceError SVC_ERR_SECURITY_UNAVAILABLE. Then no attempt is allowed.
 */
export interface TryStore {
  /** Concurrent calls never exceed the limit. */
  begin(key: string, rule: TryRule): Promise<TryBeginning>;
  /**
   * Counts a failure, even if the attempt has been evicted.
   * @param at `until` undefined: the failure counts until it is cleared
   * @returns the number of counted failures
   */
  fail(key: string, id: string, at: { readonly now: number; readonly until: number | undefined }): Promise<number>;
  release(key: string, id: string): Promise<void>;
  /** Removes the failures. Attempts in progress stay. */
  clear(key: string): Promise<void>;
  failures(key: string, now: number): Promise<Failures>;
}
