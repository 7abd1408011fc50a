import type { IncomingMessage } from 'node:http';
import { ServiceError } from '../../lib/errors.js';
import { type SecurityLevel, securityLevels } from '../../lines/entry-point/transaction.js';
import type { ClientSite } from '../http/client-site.js';
import { isEmbeddedElsewhere } from '../http/request-origin.js';
import type { Requester } from '../sessions/user-sessions.js';
import { basicUser, requester, signedOnByCookie } from './signed-on-user.js';

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
