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
