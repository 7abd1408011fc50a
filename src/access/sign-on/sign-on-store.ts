/** For all users together. Past the limit, a new sign-on replaces the oldest. */
export const MOST_SIGN_ONS = 20_000;
/** Default and maximum of `security.signOnsPerUser`. */
export const SIGN_ONS_PER_USER = 50;

export interface ReplacedSignOn {
  readonly id: string;
  readonly userName: string;
  readonly bound: 'perUser' | 'ofAll';
}

/** Stored sign-on. It cannot be used to sign on. Times are in milliseconds on the clock of `steadyNow`. */
export interface SignOnRecord {
  /** SHA-256 of the code in the browser cookie. The code itself is not stored. */
  readonly id: string;
  readonly userName: string;
  /** When the password used for this sign-on was set. Undefined if unknown. */
  readonly passwordSet: string | undefined;
  /** End of the sign-on, in any case. */
  readonly until: number;
  /** End of the sign-on if no request comes before. */
  readonly idleUntil: number;
}

/**
 * Active sign-ons, one store for each kind of line. Expired sign-ons are never returned.
 * Every method may reject with ServiceError SVC_ERR_SECURITY_UNAVAILABLE. Then no user can sign on or off.
 */
export interface SignOnStore {
  /**
   * User names are compared without regard to case.
   * @returns the replaced sign-ons
   */
  add(record: SignOnRecord, now: number): Promise<readonly ReplacedSignOn[]>;
  /** Extends the idle time, never shortens it. */
  touch(id: string, now: number, idleUntil: number): Promise<SignOnRecord | undefined>;
  /** Of several concurrent calls, only one gets the record. */
  remove(id: string, now: number): Promise<SignOnRecord | undefined>;
}
