import { ServiceError } from '../../lib/errors.js';
import type { Answer } from '../http/answer.js';
import { answering, type ClientRequest, type ClientRouter } from '../http/client-request.js';
import type { ClientSite } from '../http/client-site.js';
import { isForeignSubmit } from '../http/request-origin.js';
import type { RequestPath } from '../http/request-path.js';
import { dynamicHeaders } from '../http/response-headers.js';
import { cookiesNamed, withdrawnCookie } from '../http/strict-cookie.js';
import { asPrivate } from '../sessions/session-rendering.js';
import { addressOf } from './signed-on-user.js';

const SIGN_OFF = 'signoff';

/** `/signoff`: in front of routes that read bodies. */
export function addSignOff(router: ClientRouter, site: ClientSite): void {
  router.all(
    /^\/SIGNOFF$/,
    answering((request) => (isSignOff(request.path) ? answerSignOff(site, request) : undefined)),
  );
}

function isSignOff({ kind, directories, page }: RequestPath): boolean {
  return kind === 'page' && directories.length === 0 && page.toLowerCase() === SIGN_OFF;
}

/** Signs the user of this browser off, ends the sessions that were begun with the sign-on, and leads to the first page; whoever has not signed on is led there, too. */
async function answerSignOff({ security }: ClientSite, { incoming }: ClientRequest): Promise<Answer> {
  if (security === undefined) throw new ServiceError('SVC_ERR_TEMPLATE_UNKNOWN');
  if (incoming.method !== 'POST') throw new ServiceError('SVC_ERR_REQUEST_METHOD', { headers: { Allow: 'POST' } });
  if (isForeignSubmit(incoming)) throw new ServiceError('SVC_ERR_REQUEST_ORIGIN');
  for (const code of cookiesNamed(incoming, security.cookieName)) {
    const signOn = await security.signOns.end(code);
    if (signOn === undefined) continue;
    security.userSessions.disconnect(signOn);
    await security.audit.signedOff(addressOf(incoming), signOn.user.name);
  }
  const headers = dynamicHeaders('text/html', 0, '0');
  headers.push('Location', '/', 'Set-Cookie', withdrawnCookie(incoming, security.cookieName));
  return asPrivate({ status: 303, headers, body: Buffer.alloc(0) });
}
