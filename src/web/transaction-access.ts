import type { IncomingMessage } from 'node:http';
import { ServiceError } from '../errors.js';
import { type SecurityLevel, securityLevels } from '../line/transaction.js';
import type { SecurityUser } from '../security/security-database.js';
import type { ClientSite } from './client-site.js';
import { isEmbeddedElsewhere } from './request-origin.js';
import { anyUser, basicUser, signedOnByCookie } from './signed-on-user.js';

/** Whether a request may use what has a security level, and for whom; or that the form must be answered first. */
export type Access = { readonly kind: 'granted'; readonly user: SecurityUser | undefined } | { readonly kind: 'form' };

/**
 * Reference 1.5: 0 anybody, 1 HTTP Basic, 4 a form, 5 whoever has signed on before.
 * @throws ServiceError SVC_ERR_TRANSACTION_SECURED, SVC_ERR_SIGNON_*, SVC_ERR_SECURITY_UNAVAILABLE
 */
export async function accessTo(
  { security }: ClientSite,
  level: SecurityLevel,
  incoming: IncomingMessage,
): Promise<Access> {
  if (level === securityLevels.public) {
    return { kind: 'granted', user: (await signedOnByCookie(security, incoming))?.user };
  }
  if (security === undefined) throw new ServiceError('SVC_ERR_TRANSACTION_SECURED');
  // what a user's browser sends by itself must not work for the page of another site
  if (isEmbeddedElsewhere(incoming)) throw new ServiceError('SVC_ERR_REQUEST_ORIGIN');
  switch (level) {
    case securityLevels.basic: {
      const user = (await anyUser(security, incoming)) ?? (await basicUser(security, incoming));
      return { kind: 'granted', user };
    }
    case securityLevels.form:
    case securityLevels.signedOnAlready: {
      const user = await anyUser(security, incoming);
      if (user !== undefined) return { kind: 'granted', user };
      if (level === securityLevels.form) return { kind: 'form' };
      throw new ServiceError('SVC_ERR_TRANSACTION_SECURED');
    }
    default:
      throw new ServiceError('SVC_ERR_TRANSACTION_SECURED');
  }
}
