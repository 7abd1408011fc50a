import { ServiceError } from '../errors.js';
import type { Answer } from './answer.js';
import { menuVariables } from './application-menu.js';
import type { ClientRequest } from './client-request.js';
import { type ClientSite, defaultPageName } from './client-site.js';
import { pageDirectoryOf } from './page-directory.js';
import { renderedAnswer } from './page-rendering.js';
import { requestNames } from './request-names.js';
import type { PagePath } from './request-path.js';
import type { AnswerIdentity } from './response-headers.js';
import { staticAnswer } from './static-answer.js';

const methodRefused = { headers: { Allow: 'GET, HEAD' } } as const;

/**
 * Answers `/`, `/page`, `/directory/` and `/directory/page`: files as they are, templates without variables.
 * @throws ServiceError SVC_ERR_REQUEST_METHOD, SVC_ERR_TEMPLATE_UNKNOWN, SVC_ERR_TRANSACTION_SECURED
 */
export async function answerPage(
  site: ClientSite,
  request: ClientRequest<PagePath>,
  identity: AnswerIdentity,
): Promise<Answer> {
  const { path, incoming } = request;
  if (incoming.method !== 'GET' && incoming.method !== 'HEAD') {
    throw new ServiceError('SVC_ERR_REQUEST_METHOD', methodRefused);
  }
  const directory = pageDirectoryOf(site.entryPoint, path.directories);
  const pageName = path.page === '' ? defaultPageName(site) : path.page;
  const page = await site.findPage(directory, pageName);
  if (page === undefined) throw new ServiceError('SVC_ERR_TEMPLATE_UNKNOWN');
  if (page.kind === 'static') return staticAnswer(page, incoming.headers, identity);
  const names = requestNames(site, request, {
    page: pageName,
    directory,
    transaction: undefined,
    routingParameter: undefined,
  });
  return renderedAnswer(site, page.template, names, menuVariables(site), identity);
}
