/** Operators can view the portal. Administrators can also make changes. */
export const roles = ['administrator', 'operator', 'user'] as const;
export type Role = (typeof roles)[number];

export interface SecurityUser {
  /** In the letter case of the database. */
  readonly name: string;
  readonly role: Role;
  /** Default group first. May be empty. */
  readonly groups: readonly string[];
  /** Changes with the password, and ends earlier sign-ons. Undefined if unknown. */
  readonly passwordSet?: string | undefined;
  /** Expiry, in milliseconds since 1970. Undefined: never. */
  readonly endsAt?: number | undefined;
}

export interface RefusedUser {
  readonly name: string;
  readonly reason: 'password' | 'locked' | 'expired';
}

/**
 * The response must not reveal why a sign-on was refused: an unknown user, a wrong password, a locked user and an
 * expired user look the same. `user` is only for the audit trail. Undefined if the user does not exist.
 */
export type SignOnOutcome =
  | { readonly kind: 'signedOn'; readonly user: SecurityUser }
  | { readonly kind: 'refused'; readonly user?: RefusedUser };

/**
 * Users, groups and passwords. Names are case-insensitive.
 * Every method may reject with ServiceError SVC_ERR_SECURITY_UNAVAILABLE if the database is not available.
 */
export interface UserStore {
  /**
   * Always refuses an empty password.
   * @param address client key. If many clients wait, they are served in turn.
   * @param device key of a browser in which this user has signed on before. It has its own count of failures, and
   * failures of other clients neither delay nor lock it.
   */
  signOn(name: string, password: string, address?: string, device?: string): Promise<SignOnOutcome>;
  /**
   * Key for the device codes of a user. It changes with the password. Undefined if the database has no device codes.
   * Takes the same time for unknown names.
   */
  deviceKey?(name: string): Promise<Buffer | undefined>;
  findUser(name: string): Promise<SecurityUser | undefined>;
  /** Returns the name in the letter case of the database. */
  findGroup(name: string): Promise<string | undefined>;
  /**
   * Distinguishes records: a user or group that is removed and added again under the same name has another identity.
   * Undefined if it does not exist.
   */
  identityOf(kind: 'group' | 'user', name: string): Promise<string | undefined>;
  /** Sorted by name. */
  users(): Promise<readonly SecurityUser[]>;
  /** Sorted by name. */
  groups(): Promise<readonly string[]>;
}
