/** Sign-ons of all users. A further one replaces the oldest. */
export const MOST_SIGN_ONS = 20_000;
/** The default of `security.signOnsPerUser`, and its bound. */
export const SIGN_ONS_PER_USER = 50;

/** A sign-on that a newer one has replaced. */
export interface ReplacedSignOn {
  readonly id: string;
  readonly userName: string;
  /** `perUser`: the user has as many as allowed. `ofAll`: all users together have. */
  readonly bound: 'perUser' | 'ofAll';
}

/** A sign-on as it is kept: whoever reads it cannot use it. Times are milliseconds on the clock of `steadyNow`. */
export interface SignOnRecord {
  /** Of the code in the browser's cookie, which is kept nowhere: its SHA-256. */
  readonly id: string;
  readonly userName: string;
  /** When the user's password was set that this one signed on with; undefined: it could not be told. */
  readonly passwordSet: string | undefined;
  /** When it is over, whatever happens. */
  readonly until: number;
  /** When it is over unless a request comes before. */
  readonly idleUntil: number;
}

/**
 * Who has signed on where; one store for each kind of line. What is over is not there, whether or not it is kept still.
 * Every method may reject with ServiceError SVC_ERR_SECURITY_UNAVAILABLE: nobody is signed on or off then.
 */
export interface SignOnStore {
  /**
   * Keeps one more. Names of users are one in any case.
   * @returns the sign-ons that it replaces
   */
  add(record: SignOnRecord, now: number): Promise<readonly ReplacedSignOn[]>;
  /** The one of that id, which a request has come of: it is not idle until then. It never ends earlier than it would have. */
  touch(id: string, now: number, idleUntil: number): Promise<SignOnRecord | undefined>;
  /** Ends one, and gives it to whoever ended it: of several at once to one of them. */
  remove(id: string, now: number): Promise<SignOnRecord | undefined>;
}
