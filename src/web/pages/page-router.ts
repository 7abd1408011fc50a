import Router from '@koa/router';
import { ServiceError } from '../../lib/errors.js';
import { securityLevels } from '../../lines/entry-point/transaction.js';
import type { Answer } from '../http/answer.js';
import { answeringOnly, type ClientRequest, type ClientRouter, type ClientState } from '../http/client-request.js';
import { type ClientSite, defaultPageName } from '../http/client-site.js';
import { bodyReader } from '../http/request-body.js';
import { requestNames } from '../http/request-names.js';
import type { PagePath } from '../http/request-path.js';
import { withHeaders } from '../http/response-headers.js';
import { openSessions } from '../sessions/open-sessions.js';
import { asPrivate } from '../sessions/session-rendering.js';
import { addSignOff, answerSignOn, signOnForm } from '../sign-on/sign-on-form.js';
import { accessTo, signedOnByCookie } from '../sign-on/signed-on-user.js';
import { menuVariables } from './application-menu.js';
import { pageDirectoryOf } from './page-directory.js';
import { renderedAnswer } from './page-rendering.js';
import { staticAnswer } from './static-answer.js';

const methodRefused = { headers: { Allow: 'GET, HEAD' } } as const;
const readMethods: readonly (string | undefined)[] = ['GET', 'HEAD'];

/** All paths without a plus sign, including `/signoff`. */
export function pageRouter(site: ClientSite): ClientRouter {
  const router: ClientRouter = new Router<ClientState>();
  addSignOff(router, site);
  router.all(
    /^[^+]*$/,
    bodyReader(site),
    answeringOnly('page', (request) => answerPage(site, request)),
  );
  return router;
}

/**
 * Answers `/`, `/page`, `/directory/` and `/directory/page`: static files, and templates without a session.
 * @throws ServiceError SVC_ERR_REQUEST_METHOD, SVC_ERR_TEMPLATE_UNKNOWN, SVC_ERR_TRANSACTION_SECURED
 */
async function answerPage(site: ClientSite, request: ClientRequest<PagePath>): Promise<Answer> {
  const { path, incoming } = request;
  const isRead = readMethods.includes(incoming.method);
  if (!isRead && incoming.method !== 'POST') throw new ServiceError('SVC_ERR_REQUEST_METHOD', methodRefused);
  const { name: directory, security: level } = pageDirectoryOf(site.entryPoint, path.directories);
  const { security } = site;
  if (!isRead) {
    if (security === undefined || level !== securityLevels.form) {
      throw new ServiceError('SVC_ERR_REQUEST_METHOD', methodRefused);
    }
    return answerSignOn(site, request, { security, crypt: undefined });
  }
  // public files need no user
  const access = level === securityLevels.public ? undefined : await accessTo(site, level, incoming);
  if (access?.kind === 'form' && security !== undefined) {
    return signOnForm(site, request, { security, crypt: undefined });
  }
  const pageName = path.page === '' ? defaultPageName(site) : path.page;
  const page = await site.findPage(directory, pageName);
  if (page === undefined) throw new ServiceError('SVC_ERR_TEMPLATE_UNKNOWN');
  if (page.kind === 'static') {
    const answer = await staticAnswer(page, incoming.headers);
    return access === undefined ? answer : asPrivate(answer);
  }
  const user = access?.kind === 'granted' ? access.requester?.user : (await signedOnByCookie(security, incoming))?.user;
  const names = requestNames(site, request, {
    page: pageName,
    directory,
    transaction: undefined,
    routingParameter: undefined,
    user,
  });
  const values = menuVariables(site, incoming, user, await openSessions(site, incoming));
  const answer = await renderedAnswer(site, page.template, names, values);
  return values.isPersonal()
    ? { ...answer, headers: withHeaders(answer.headers, [['Cache-Control', 'no-store']]) }
    : answer;
}
