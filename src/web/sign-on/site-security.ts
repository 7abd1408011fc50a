import type { BearerTokens } from '../../security/bearer-tokens.js';
import type { SecurityDatabase } from '../../security/security-database.js';
import type { SignOnAudit } from '../../security/sign-on-audit.js';
import type { SignOnRegistry } from '../../security/sign-on-registry.js';
import type { SignOnService } from '../../security/sign-on-service.js';
import type { SignOnChallenges } from '../../session/sign-on-challenge.js';
import type { UserAdministration } from '../../users/user-administration.js';
import type { UserSessions } from '../sessions/user-sessions.js';

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
