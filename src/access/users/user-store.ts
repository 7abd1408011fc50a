import type { RecordSecurityChange, SecurityChange } from './security-change.js';
import type { SecurityDatabase, SecurityUser } from './security-database.js';
import type { NewUser, UserChange } from './user-changes.js';

/**
 * Users and groups that can be changed here. Changes happen one after the other, each on what the last one left. `record`
 * is called with what a change is about to make, and makes it: where it rejects nothing was changed.
 * All changes throw ServiceError SVC_ERR_SECURITY_CHANGE with the reason, and what `record` throws.
 */
export interface UserStore extends SecurityDatabase {
  findRecord(name: string): Promise<UserRecord | undefined>;
  /** In the order of their names. For commands; pages ask for a part. */
  records(): Promise<readonly UserRecord[]>;
  /** Makes no more records than asked for. */
  recordPage(query: UserQuery): Promise<UserPage>;
  userNames(): Promise<readonly string[]>;
  lockedUsers(most: number): Promise<LockedUsers>;
  /** Users of each group that has any. */
  memberCounts(): Promise<ReadonlyMap<string, number>>;
  /** Whether a user who may change users can sign on. */
  hasAdministrator(): Promise<boolean>;
  /** Groups that are not there come into being. Without a password the user cannot sign on. */
  addUser(user: NewUser, password: string | undefined, record?: RecordSecurityChange): Promise<SecurityChange>;
  /** Somebody must be left who can change users: the last administrator stays one. */
  changeUser(name: string, change: UserChange, record?: RecordSecurityChange): Promise<SecurityChange>;
  /** Ends a lock, too. */
  setPassword(name: string, password: string, record?: RecordSecurityChange): Promise<SecurityChange>;
  /** Ends a lock, and forgets the wrong passwords so far. */
  unlock(name: string, record?: RecordSecurityChange): Promise<SecurityChange>;
  removeUser(name: string, record?: RecordSecurityChange): Promise<SecurityChange>;
  addGroup(name: string, record?: RecordSecurityChange): Promise<SecurityChange>;
  /** A group that has users stays. */
  removeGroup(name: string, record?: RecordSecurityChange): Promise<SecurityChange>;
}

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
