/** Failures of a key that count still. */
export interface Failures {
  readonly count: number;
  /** When the first of them counts no more; undefined: there is none, or it counts for ever. */
  readonly firstUntil: number | undefined;
}

export interface TryRule {
  /** Failures that count and tries under way, together. */
  readonly most: number;
  readonly now: number;
  /** When the try is none any more, should nobody say what became of it: its process may have been killed. */
  readonly until: number;
}

export type TryBeginning =
  | { readonly kind: 'begun'; readonly id: string }
  /** As many have failed as may, or could yet. */
  | { readonly kind: 'full'; readonly failures: Failures };

/**
 * Tries that may fail only so often: those of an address, or of a user. Times are milliseconds on the clock of `steadyNow`.
 * A key that nothing counts for is kept nowhere.
 * Every method may reject with ServiceError SVC_ERR_SECURITY_UNAVAILABLE: nothing may be tried then.
 */
export interface TryStore {
  /** Begins a try where there is room for one: of many at once exactly so many begin. */
  begin(key: string, rule: TryRule): Promise<TryBeginning>;
  /**
   * It has failed, and counts until then (undefined: until it is cleared), also where it was forgotten meanwhile.
   * @returns how many failures count now
   */
  fail(key: string, id: string, at: { readonly now: number; readonly until: number | undefined }): Promise<number>;
  /** It counts no more. */
  release(key: string, id: string): Promise<void>;
  /** Forgets the failures so far; tries under way stay. */
  clear(key: string): Promise<void>;
  failures(key: string, now: number): Promise<Failures>;
}
