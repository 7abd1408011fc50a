/** A directory server (RFC 4511), and how its entries are users and groups. */
export interface LdapDefinition {
  /** `ldap://host:port` or `ldaps://host:port`; without a port 389 and 636. */
  readonly url: string;
  /** Whether a connection of `ldap:` turns to TLS before anything else is said. */
  readonly startTls: boolean;
  /** Certificates in PEM form that are trusted besides the well-known ones. */
  readonly ca: string | undefined;
  /** Whether the server has to prove by its certificate that it is the host of the url. */
  readonly verify: boolean;
  /** Who searches; both undefined: anonymous. */
  readonly bindDn: string | undefined;
  readonly bindPassword: string | undefined;
  /** An entry whose password nobody knows: sign-ons of names that the directory does not have are tried with it. */
  readonly decoyDn?: string | undefined;
  readonly userBase: string;
  /** With `{user}` where the name goes. */
  readonly userFilter: string;
  readonly userNameAttribute: string;
  readonly groupBase: string;
  /** With `{dn}` for the entry of a member, or `{user}` for its name, or both. */
  readonly groupFilter: string;
  readonly groupNameAttribute: string;
  /** An attribute of users with the name or the DN of their default group; it makes nobody a member. */
  readonly defaultGroupAttribute: string | undefined;
  /** Members are administrators. */
  readonly administratorGroup: string | undefined;
  /** Members are operators. */
  readonly operatorGroup: string | undefined;
  /** For a connection, and for its TLS. */
  readonly connectMilliseconds: number;
  /** For each answer of the server. */
  readonly timeoutMilliseconds: number;
  readonly mostConnections: number;
}

/** What a definition says where the configuration does not. */
export const ldapDefaults = {
  userFilter: '(uid={user})',
  userNameAttribute: 'uid',
  groupFilter: '(|(member={dn})(uniqueMember={dn})(memberUid={user}))',
  groupNameAttribute: 'cn',
} as const satisfies Partial<LdapDefinition>;
