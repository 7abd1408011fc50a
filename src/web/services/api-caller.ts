import type { IncomingMessage } from 'node:http';
import { mayCall } from '../../access/tokens/token-administration.js';
import { foldedName } from '../../access/users/security-name.js';
import type { SecurityUser } from '../../access/users/user-store.js';
import { ServiceError } from '../../lib/errors.js';
import type { EntryPointDefinition } from '../../lines/entry-point/entry-point.js';
import type { ClientRequest, ServiceCallFacts } from '../http/client-request.js';
import type { ClientSite, SiteServices } from '../http/client-site.js';
import { isCrossSite } from '../http/request-origin.js';
import { addressOf, basicChallenge, basicCredentials, basicUser } from '../sign-on/signed-on-user.js';
import { hasRole, type SiteSecurity } from '../sign-on/site-security.js';

export interface ApiCaller {
  /** Unique per caller, and not a secret. */
  readonly key: string;
  readonly name: string;
  readonly user: SecurityUser | undefined;
  mayCall(service: string): boolean;
  readonly maySession: boolean;
  /** True if problem documents may contain the host's screen. */
  readonly maySeeScreens: boolean;
}

const BEARER = /^Bearer +([A-Za-z0-9._~+/=-]{1,256}) *$/i;

/**
 * Authenticates the caller of a request.
 * @throws ServiceError SVC_ERR_TOKEN_NEEDED, SVC_ERR_SIGNON_*, SVC_ERR_TOKEN_SCOPE, SVC_ERR_REQUEST_ORIGIN,
 * SVC_ERR_SECURITY_UNAVAILABLE
 */
export async function apiCaller({ security, entryPoint }: ClientSite, incoming: IncomingMessage): Promise<ApiCaller> {
  const { definition } = entryPoint;
  if (security === undefined) throw new ServiceError('SVC_ERR_TOKEN_NEEDED');
  const token = bearerToken(incoming);
  if (token !== undefined) {
    const record = await security.tokens.find(token);
    if (record === undefined) {
      security.audit.tokenRefused(addressOf(incoming));
      throw new ServiceError('SVC_ERR_TOKEN_NEEDED', { headers: challenge(security, definition, 'invalid_token') });
    }
    await security.audit.tokenUsed(addressOf(incoming), record.name);
    const { scopes } = record;
    return {
      key: `token ${record.hash}`,
      name: `token ${record.name}`,
      user: undefined,
      mayCall: (service) => mayCall(scopes, service),
      maySession: scopes.includes('sessions'),
      maySeeScreens: scopes.includes('screens'),
    };
  }
  if (definition.serviceUsers === undefined || basicCredentials(incoming) === undefined) {
    throw new ServiceError('SVC_ERR_TOKEN_NEEDED', { headers: challenge(security, definition) });
  }
  // browsers add stored credentials to requests from pages of any origin
  if (isCrossSite(incoming)) throw new ServiceError('SVC_ERR_REQUEST_ORIGIN');
  const user = await basicUser(security, incoming);
  if (!isServiceUser(user, definition)) throw new ServiceError('SVC_ERR_TOKEN_SCOPE');
  return {
    key: `user ${foldedName(user.name)}`,
    name: user.name,
    user,
    mayCall: () => true,
    maySession: true,
    maySeeScreens: hasRole(user, 'operator'),
  };
}

export function bearerToken({ headers }: IncomingMessage): string | undefined {
  return BEARER.exec(headers.authorization ?? '')?.[1];
}

function isServiceUser({ groups }: SecurityUser, { serviceUsers }: EntryPointDefinition): boolean {
  if (serviceUsers === undefined || serviceUsers === true) return serviceUsers === true;
  return serviceUsers.some((name) => groups.some((group) => foldedName(group) === foldedName(name)));
}

/**
 * Challenges of a 401 (RFC 6750, section 3; RFC 7617). Basic comes first, because browsers and libraries use the first
 * scheme that they support.
 */
function challenge(
  { realm }: SiteSecurity,
  { serviceUsers }: EntryPointDefinition,
  error?: 'invalid_token',
): Readonly<Record<string, string>> {
  const bearer = `Bearer realm="${realm}"${error === undefined ? '' : `, error="${error}"`}`;
  if (serviceUsers === undefined) return { 'WWW-Authenticate': bearer };
  return { 'WWW-Authenticate': `${basicChallenge(realm)['WWW-Authenticate']}, ${bearer}` };
}

export function requireScope(isAllowed: boolean, scope: string, { security }: ClientSite): void {
  if (isAllowed) return;
  const headers = {
    'WWW-Authenticate': `Bearer realm="${security?.realm ?? ''}", error="insufficient_scope", scope="${scope}"`,
  };
  throw new ServiceError('SVC_ERR_TOKEN_SCOPE', { headers, detail: { code: 'token.needsScope', values: { scope } } });
}

export interface ApiRequest {
  readonly site: ClientSite;
  readonly services: SiteServices;
  readonly caller: ApiCaller;
  readonly request: ClientRequest;
  readonly incoming: IncomingMessage;
  readonly requestId: string;
  /** Aborted if the client disconnects before its answer is written. */
  readonly gone: AbortSignal;
  readonly told: (facts: ServiceCallFacts) => void;
}
