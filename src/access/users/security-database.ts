/** What a user may do: an operator sees the portal, an administrator changes what it shows. */
export const roles = ['administrator', 'operator', 'user'] as const;
export type Role = (typeof roles)[number];

export interface SecurityUser {
  /** As the database writes it, in whatever case it was asked for. */
  readonly name: string;
  readonly role: Role;
  /** The default group first; none where the user has no group. */
  readonly groups: readonly string[];
  /** Changes when the password does: whoever signed on before must do so again. Undefined: it cannot be told. */
  readonly passwordSet?: string | undefined;
  /** Milliseconds since 1970 from which on the user may not do anything; undefined: never. */
  readonly endsAt?: number | undefined;
}

/** Of whom a sign-on was refused, and why. */
export interface RefusedUser {
  readonly name: string;
  readonly reason: 'password' | 'locked' | 'expired';
}

/**
 * What became of a sign-on. Who tries is not told why it was refused: neither a wrong password from an unknown user, nor either
 * from a user who is locked or expired, is to be told from the other. `user` is for the audit trail alone; not there: nobody
 * has such a name.
 */
export type SignOnOutcome =
  | { readonly kind: 'signedOn'; readonly user: SecurityUser }
  | { readonly kind: 'refused'; readonly user?: RefusedUser };

/**
 * Users, their groups and their passwords. Names are found in any case.
 * Every method may reject with ServiceError SVC_ERR_SECURITY_UNAVAILABLE: the database cannot be asked at the moment.
 */
export interface SecurityDatabase {
  /**
   * An empty password is always refused.
   * @param address what counts as one client: where many wait, clients are served in turn
   * @param device key of a browser with which this user has signed on before: its failures count for it alone, and those of
   * others keep it neither waiting nor out
   */
  signOn(name: string, password: string, address?: string, device?: string): Promise<SignOnOutcome>;
  /**
   * The key of codes for browsers with which the user signs on; another one with each password. Undefined: there are no such codes.
   * For a name that nobody has it takes as long.
   */
  deviceKey?(name: string): Promise<Buffer | undefined>;
  /** Undefined where there is no such user. */
  findUser(name: string): Promise<SecurityUser | undefined>;
  /** The name of a group as the database writes it; undefined where there is none. */
  findGroup(name: string): Promise<string | undefined>;
  /**
   * Tells one record from another: a record that is removed and added again under the same name has another identity.
   * Undefined: there is no such user or group.
   */
  identityOf(kind: 'group' | 'user', name: string): Promise<string | undefined>;
  /** In the order of their names. */
  users(): Promise<readonly SecurityUser[]>;
  /** In the order of their names. */
  groups(): Promise<readonly string[]>;
}
