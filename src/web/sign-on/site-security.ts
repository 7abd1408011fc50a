import type { SignOnAudit } from '../../access/sign-on/sign-on-audit.js';
import type { SignOnRegistry } from '../../access/sign-on/sign-on-registry.js';
import type { SignOnService } from '../../access/sign-on/sign-on-service.js';
import type { BearerTokens } from '../../access/tokens/bearer-tokens.js';
import type { Role, SecurityDatabase, SecurityUser } from '../../access/users/security-database.js';
import type { UserAdministration } from '../../access/users/user-administration.js';
import type { SignOnChallenges } from '../../sessions/sign-on-challenge.js';
import type { UserSessions } from '../sessions/user-sessions.js';

/** From the least to the greatest. */
const ranks: readonly Role[] = ['user', 'operator', 'administrator'];

/** A greater role may do what a lesser one may. */
export function hasRole({ role }: SecurityUser, least: Role): boolean {
  return ranks.indexOf(role) >= ranks.indexOf(least);
}

/** The role of a name, in any case of letters. */
export function roleNamed(name: string): Role | undefined {
  return ranks.find((role) => role === name.toLowerCase());
}

/** Who may sign on at a line, and who has. */
export interface SiteSecurity {
  /** Of HTTP Basic. */
  readonly realm: string;
  readonly database: SecurityDatabase;
  readonly service: SignOnService;
  /** For users who change their own password. */
  readonly administration: Pick<UserAdministration, 'setPassword'>;
  readonly signOns: SignOnRegistry;
  /** Of sign-offs and tokens. */
  readonly audit: Pick<SignOnAudit, 'signedOff' | 'replaced' | 'tokenUsed' | 'tokenRefused'>;
  readonly challenges: SignOnChallenges;
  readonly userSessions: UserSessions;
  /** Of programs. */
  readonly tokens: BearerTokens;
  /** Cookies know no ports: a sign-on at the portal is none at a client line. */
  readonly cookieName: string;
}

export const CLIENT_SIGN_ON_COOKIE = 'SvcSignon';
export const PORTAL_SIGN_ON_COOKIE = 'SvcPortalSignon';
/** Of the browser, for whoever signed on with it last; no right hangs on it. */
export const DEVICE_COOKIE = 'SvcDevice';
