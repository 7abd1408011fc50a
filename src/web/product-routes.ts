import { ServiceError } from '../errors.js';
import type { Answer } from './answer.js';
import type { ClientRequest } from './client-request.js';
import type { ClientSite } from './client-site.js';
import { answerMacros, macroLevelOf } from './macro-router.js';
import { answerPortal, isPortalPath } from './portal/portal-router.js';
import type { PagePath } from './request-path.js';
import type { AnswerIdentity } from './response-headers.js';
import { answerOwnUpload, answerSecure, isOwnUpload, isSecurePath } from './secure-router.js';
import { answerSignOff, isSignOff } from './sign-off.js';

/**
 * Answers the paths that are the product's own, whatever the configuration says; undefined for all others. Nothing of the body
 * is read before it is known who sends it.
 */
export function answerProduct(
  site: ClientSite,
  request: ClientRequest,
  identity: AnswerIdentity,
): Promise<Answer> | undefined {
  const { path } = request;
  const { portal, security } = site;
  if (security === undefined) return undefined;
  if (portal !== undefined) {
    if (isSecurePath(path)) return answerSecure(site, request, identity);
    if (path.kind !== 'page') return undefined;
    if (isSignOff(path)) return Promise.resolve(answerSignOff(site, request, identity));
    if (isPortalPath(path)) return answerPortal(site, portal, request as ClientRequest<PagePath>, identity);
    // pages of the portal are shown by their routes alone
    return path.directories.length === 0 ? Promise.reject(new ServiceError('SVC_ERR_TEMPLATE_UNKNOWN')) : undefined;
  }
  if (path.kind === 'page') {
    const level = macroLevelOf(path);
    if (level !== undefined) return answerMacros(site, request as ClientRequest<PagePath>, level, identity);
    return isSignOff(path) ? Promise.resolve(answerSignOff(site, request, identity)) : undefined;
  }
  if (site.macros !== undefined && isOwnUpload(path) && site.entryPoint.transaction(path.transaction) === undefined) {
    return answerOwnUpload(site, { ...request, path }, identity);
  }
  return undefined;
}
