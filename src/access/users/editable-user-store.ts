import type { RecordSecurityChange, SecurityChange } from './security-change.js';
import type { NewUser, UserChange } from './user-changes.js';
import type { SecurityUser, UserStore } from './user-store.js';

/**
 * Users and groups that can be changed. Changes run one at a time, each on the result of the previous one. `record`
 * gets the planned change and makes it. If `record` rejects, nothing is changed.
 * All changes throw ServiceError SVC_ERR_SECURITY_CHANGE with the reason. Errors of `record` are passed on.
 */
export interface EditableUserStore extends UserStore {
  findRecord(name: string): Promise<UserRecord | undefined>;
  /** Sorted by name. For commands. Pages use `recordPage`. */
  records(): Promise<readonly UserRecord[]>;
  /** Creates only the requested records. */
  recordPage(query: UserQuery): Promise<UserPage>;
  userNames(): Promise<readonly string[]>;
  lockedUsers(most: number): Promise<LockedUsers>;
  /** Only groups with users. */
  memberCounts(): Promise<ReadonlyMap<string, number>>;
  hasAdministrator(): Promise<boolean>;
  /** Creates missing groups. Without a password, the user cannot sign on. */
  addUser(user: NewUser, password: string | undefined, record?: RecordSecurityChange): Promise<SecurityChange>;
  /** The last administrator cannot lose that role. */
  changeUser(name: string, change: UserChange, record?: RecordSecurityChange): Promise<SecurityChange>;
  /** Also unlocks the user. */
  setPassword(name: string, password: string, record?: RecordSecurityChange): Promise<SecurityChange>;
  /** Also resets the count of wrong passwords. */
  unlock(name: string, record?: RecordSecurityChange): Promise<SecurityChange>;
  removeUser(name: string, record?: RecordSecurityChange): Promise<SecurityChange>;
  addGroup(name: string, record?: RecordSecurityChange): Promise<SecurityChange>;
  /** Rejects if the group has users. */
  removeGroup(name: string, record?: RecordSecurityChange): Promise<SecurityChange>;
}

export interface UserRecord extends SecurityUser {
  readonly locked: string | undefined;
  readonly expires: string | undefined;
  readonly isExpired: boolean;
  readonly hasPassword: boolean;
}

export interface UserQuery {
  /** Part of the name, in any letter case. Empty: all. */
  readonly search: string;
  readonly group: string;
  readonly from: number;
  readonly most: number;
}

export interface UserPage {
  readonly count: number;
  /** Sorted by name. */
  readonly records: readonly UserRecord[];
}

export interface LockedUsers {
  readonly count: number;
  readonly records: readonly UserRecord[];
}
