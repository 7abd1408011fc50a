import type { IncomingMessage } from 'node:http';
import type { SignOn } from '../../access/sign-on/sign-on-registry.js';
import type { Role, SecurityUser } from '../../access/users/user-store.js';
import { ServiceError } from '../../lib/errors.js';
import { addressGroupOf } from '../../lib/network/addresses.js';
import { type SecurityLevel, securityLevels } from '../../lines/entry-point/transaction.js';
import type { ClientSite } from '../http/client-site.js';
import { isEmbeddedElsewhere } from '../http/request-origin.js';
import { senderAddress } from '../http/request-sender.js';
import { cookiesNamed } from '../http/strict-cookie.js';
import type { Requester } from '../sessions/user-sessions.js';
import { DEVICE_COOKIE, hasRole, type SiteSecurity } from './site-security.js';

/** Browsers do not know this scheme and therefore show the page. */
const FORM_CHALLENGE = 'SallyportForm';

export interface SignedOn extends Requester {
  readonly signOn: SignOn;
}

/** Key under which failed sign-ons are counted. */
export function addressOf(incoming: IncomingMessage): string {
  return addressGroupOf(senderAddress(incoming));
}

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
    // the sign-on is ended first, so that no new session can start with it
    await security.signOns.end(code);
    security.userSessions.disconnect(signOn);
  }
  return undefined;
}

/**
 * The user of HTTP Basic.
 * @throws ServiceError SVC_ERR_SIGNON_NEEDED and SVC_ERR_SIGNON_REFUSED with the challenge, and the errors of the
 * service
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
 * Checks the user again after the body has been read, because the sender determines how long that takes.
 * @returns the user with current data
 * @throws ServiceError SVC_ERR_SIGNON_NEEDED if the sign-on has ended, SVC_ERR_SIGNON_ROLE if the role is no longer
 * sufficient
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

/** Challenge of a 401 for which browsers open no dialog. */
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
 * User ID and password of HTTP Basic in UTF-8 (RFC 7617). Undefined also for malformed credentials, which do not count
 * as a failed sign-on.
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
    // small buffers are part of Node's shared, long-lived memory pool
    bytes.fill(0);
  }
  const colon = text.indexOf(':');
  return colon < 0 ? undefined : { userId: text.slice(0, colon), password: text.slice(colon + 1) };
}

export function basicChallenge(realm: string): Readonly<Record<string, string>> {
  return { 'WWW-Authenticate': `Basic realm="${realm}", charset="UTF-8"` };
}

type AccessOutcome =
  | { readonly kind: 'granted'; readonly requester: Requester | undefined }
  | { readonly kind: 'form' };

/**
 * Security levels (reference 1.5): 0 everyone, 1 HTTP Basic, 4 form, 5 only with an existing sign-on.
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
  // pages of other sites must not use cookies and credentials that the browser sends automatically
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
