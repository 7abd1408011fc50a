import type { SignOnAudit } from '../../access/sign-on/sign-on-audit.js';
import type { SignOnRegistry } from '../../access/sign-on/sign-on-registry.js';
import type { SignOnService } from '../../access/sign-on/sign-on-service.js';
import type { BearerTokens } from '../../access/tokens/bearer-tokens.js';
import type { UserAdministration } from '../../access/users/user-administration.js';
import type { Role, SecurityUser, UserStore } from '../../access/users/user-store.js';
import type { SignOnChallenges } from '../../sessions/sign-on-challenge.js';
import type { UserSessions } from '../sessions/user-sessions.js';

const ranks: readonly Role[] = ['user', 'operator', 'administrator'];

export function hasRole({ role }: SecurityUser, least: Role): boolean {
  return ranks.indexOf(role) >= ranks.indexOf(least);
}

export function roleNamed(name: string): Role | undefined {
  return ranks.find((role) => role === name.toLowerCase());
}

export interface SiteSecurity {
  readonly realm: string;
  readonly database: UserStore;
  readonly service: SignOnService;
  readonly administration: Pick<UserAdministration, 'setPassword'>;
  readonly signOns: SignOnRegistry;
  readonly audit: Pick<SignOnAudit, 'signedOff' | 'replaced' | 'tokenUsed' | 'tokenRefused'>;
  readonly challenges: SignOnChallenges;
  readonly userSessions: UserSessions;
  readonly tokens: BearerTokens;
  /** Different for portal and client lines, because cookies ignore ports. */
  readonly cookieName: string;
}

export const CLIENT_SIGN_ON_COOKIE = 'SvcSignon';
export const PORTAL_SIGN_ON_COOKIE = 'SvcPortalSignon';
/** Identifies the browser to the user who signed on in it. It grants no permissions. */
export const DEVICE_COOKIE = 'SvcDevice';
