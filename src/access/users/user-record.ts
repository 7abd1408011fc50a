import type { SecurityUser } from './security-database.js';

/** A user as administrators see it. */
export interface UserRecord extends SecurityUser {
  /** Since when; undefined: not locked. */
  readonly locked: string | undefined;
  /** The last day, as YYYY-MM-DD. */
  readonly expires: string | undefined;
  readonly isExpired: boolean;
  readonly hasPassword: boolean;
}

/** Part of a list of users. */
export interface UserQuery {
  /** Part of the name, in any case; empty: all. */
  readonly search: string;
  /** Empty: all. */
  readonly group: string;
  readonly from: number;
  readonly most: number;
}

export interface UserPage {
  /** Users that were found. */
  readonly count: number;
  /** In the order of names. */
  readonly records: readonly UserRecord[];
}

export interface LockedUsers {
  readonly count: number;
  /** In the order of names. */
  readonly records: readonly UserRecord[];
}
