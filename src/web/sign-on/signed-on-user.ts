import type { IncomingMessage } from 'node:http';
import type { SignOn } from '../../access/sign-on/sign-on-registry.js';
import type { Role, SecurityUser } from '../../access/users/security-database.js';
import { ServiceError } from '../../lib/errors.js';
import { addressGroupOf } from '../../lib/network/addresses.js';
import { type SecurityLevel, securityLevels } from '../../lines/entry-point/transaction.js';
import type { ClientSite } from '../http/client-site.js';
import { isEmbeddedElsewhere } from '../http/request-origin.js';
import { senderAddress } from '../http/request-sender.js';
import { cookiesNamed } from '../http/strict-cookie.js';
import type { Requester } from '../sessions/user-sessions.js';
import { DEVICE_COOKIE, hasRole, type SiteSecurity } from './site-security.js';

/** A scheme that browsers do not know: they show the page. */
const FORM_CHALLENGE = 'SallyportForm';

/** A requester who has signed on by the form. */
export interface SignedOn extends Requester {
  readonly signOn: SignOn;
}

/** What counts as one client when sign-ons fail. */
export function addressOf(incoming: IncomingMessage): string {
  return addressGroupOf(senderAddress(incoming));
}

/** Who has signed on by the form in this browser; the user as the database has it now. */
export async function signedOnByCookie(
  security: SiteSecurity | undefined,
  incoming: IncomingMessage,
): Promise<SignedOn | undefined> {
  if (security === undefined || incoming.headers.cookie === undefined) return undefined;
  for (const code of cookiesNamed(incoming, security.cookieName)) {
    const signOn = await security.signOns.find(code);
    if (signOn === undefined) continue;
    const user = await security.service.current(signOn.user);
    if (user !== undefined) return { user, signOn };
    // first that nothing more begins with it, then what has begun
    await security.signOns.end(code);
    security.userSessions.disconnect(signOn);
  }
  return undefined;
}

/**
 * The user of HTTP Basic.
 * @throws ServiceError SVC_ERR_SIGNON_NEEDED and SVC_ERR_SIGNON_REFUSED with the challenge, and what the service throws
 */
export async function basicUser(security: SiteSecurity, incoming: IncomingMessage): Promise<SecurityUser> {
  const headers = basicChallenge(security.realm);
  const credentials = basicCredentials(incoming);
  if (credentials === undefined) throw new ServiceError('SVC_ERR_SIGNON_NEEDED', { headers });
  try {
    const { userId, password } = credentials;
    const devices = cookiesNamed(incoming, DEVICE_COOKIE);
    return await security.service.signOn(addressOf(incoming), userId, password, 'basic', devices);
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'SVC_ERR_SIGNON_REFUSED') {
      throw new ServiceError(error.code, { headers });
    }
    throw error;
  }
}

/** Whoever has signed on in the browser, or the user of HTTP Basic where the request has it; undefined: nobody. */
export async function requester(
  security: SiteSecurity | undefined,
  incoming: IncomingMessage,
): Promise<Requester | undefined> {
  if (security === undefined) return undefined;
  const signedOn = await signedOnByCookie(security, incoming);
  if (signedOn !== undefined) return signedOn;
  if (basicCredentials(incoming) === undefined) return undefined;
  return { user: await basicUser(security, incoming), signOn: undefined };
}

/**
 * Looks again at who makes a request once its body is there: that takes as long as the sender likes.
 * @returns the user as the database has it now
 * @throws ServiceError SVC_ERR_SIGNON_NEEDED where the sign-on is over, SVC_ERR_SIGNON_ROLE where the role is not enough any more
 */
export async function checkAfterBody(
  security: SiteSecurity,
  { user, signOn }: Requester,
  least: Role,
): Promise<SecurityUser> {
  const now = await security.service.current(user);
  if (now === undefined || (signOn !== undefined && (await security.signOns.hasEnded(signOn)))) {
    const headers = signOn === undefined ? basicChallenge(security.realm) : formChallenge(security);
    throw new ServiceError('SVC_ERR_SIGNON_NEEDED', { headers });
  }
  if (!hasRole(now, least)) throw new ServiceError('SVC_ERR_SIGNON_ROLE');
  return now;
}

/** Of a 401 that no window of the browser answers. */
export function formChallenge({ realm }: SiteSecurity): Readonly<Record<string, string>> {
  return { 'WWW-Authenticate': `${FORM_CHALLENGE} realm="${realm}"` };
}

interface BasicCredentials {
  readonly userId: string;
  readonly password: string;
}

const LONGEST_CREDENTIALS = 2_048;
const BASIC = /^Basic +([A-Za-z0-9+/]+={0,2}) *$/i;

/**
 * User ID and password of HTTP Basic in UTF-8 (RFC 7617); undefined where there are none, or where they are malformed: that is
 * no sign-on that failed.
 */
export function basicCredentials({ headers }: IncomingMessage): BasicCredentials | undefined {
  const written = headers.authorization;
  if (written === undefined || written.length > LONGEST_CREDENTIALS) return undefined;
  const encoded = BASIC.exec(written)?.[1];
  if (encoded === undefined) return undefined;
  let text: string;
  const bytes = Buffer.from(encoded, 'base64');
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  } finally {
    // small buffers lie in memory that is shared and lives long
    bytes.fill(0);
  }
  const colon = text.indexOf(':');
  return colon < 0 ? undefined : { userId: text.slice(0, colon), password: text.slice(colon + 1) };
}

/** The header of a 401 that asks for them. */
export function basicChallenge(realm: string): Readonly<Record<string, string>> {
  return { 'WWW-Authenticate': `Basic realm="${realm}", charset="UTF-8"` };
}

/** Whether a request may use what has a security level, and for whom; or that the form must be answered first. */
type AccessOutcome =
  | { readonly kind: 'granted'; readonly requester: Requester | undefined }
  | { readonly kind: 'form' };

/**
 * Reference 1.5: 0 anybody, 1 HTTP Basic, 4 a form, 5 whoever has signed on before.
 * @throws ServiceError SVC_ERR_TRANSACTION_SECURED, SVC_ERR_SIGNON_*, SVC_ERR_SECURITY_UNAVAILABLE
 */
export async function accessTo(
  { security }: ClientSite,
  level: SecurityLevel,
  incoming: IncomingMessage,
): Promise<AccessOutcome> {
  if (level === securityLevels.public) {
    return { kind: 'granted', requester: await signedOnByCookie(security, incoming) };
  }
  if (security === undefined) throw new ServiceError('SVC_ERR_TRANSACTION_SECURED');
  // what a user's browser sends by itself must not work for the page of another site
  if (isEmbeddedElsewhere(incoming)) throw new ServiceError('SVC_ERR_REQUEST_ORIGIN');
  switch (level) {
    case securityLevels.basic: {
      const found = await requester(security, incoming);
      return { kind: 'granted', requester: found ?? { user: await basicUser(security, incoming), signOn: undefined } };
    }
    case securityLevels.form:
    case securityLevels.signedOnAlready: {
      const found = await requester(security, incoming);
      if (found !== undefined) return { kind: 'granted', requester: found };
      if (level === securityLevels.form) return { kind: 'form' };
      throw new ServiceError('SVC_ERR_TRANSACTION_SECURED');
    }
    default:
      throw new ServiceError('SVC_ERR_TRANSACTION_SECURED');
  }
}
