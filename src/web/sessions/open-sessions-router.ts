import type { IncomingMessage } from 'node:http';
import Router from '@koa/router';
import { ServiceError } from '../../lib/errors.js';
import type { Reason } from '../../lib/locale.js';
import type { BrowserSession } from '../../sessions/browser-session.js';
import { OtherNodeError, otherNodeOf } from '../forwarding/forwarding.js';
import { prefersJson } from '../http/accepted-ranges.js';
import type { Answer } from '../http/answer.js';
import { answeringOnly, type ClientRequest, type ClientRouter, type ClientState } from '../http/client-request.js';
import { type ClientSite, findProductPage } from '../http/client-site.js';
import { workspacePolicy } from '../http/content-security-policy.js';
import { bodyReader } from '../http/request-body.js';
import { requestNames } from '../http/request-names.js';
import { isOwnSubmit } from '../http/request-origin.js';
import { formFields, submittedForm } from '../http/request-parameters.js';
import type { PagePath } from '../http/request-path.js';
import { dynamicHeaders } from '../http/response-headers.js';
import { menuApplications, menuVariables } from '../pages/application-menu.js';
import { renderedAnswer } from '../pages/page-rendering.js';
import { signedOnByCookie } from '../sign-on/signed-on-user.js';
import { openSessions } from './open-sessions.js';
import { sessionCookiesNamed, withdrawnSessionCookie } from './session-cookie.js';
import { asPrivate, privateJson } from './session-rendering.js';

const PAGE = 'SESSIONS.HTML';
const MOST_FIELDS = 8;

export function openSessionsRouter(site: ClientSite): ClientRouter {
  const router: ClientRouter = new Router<ClientState>();
  if (site.portal !== undefined) return router;
  router.all(
    /^\/W2H\/SESSIONS$/,
    bodyReader(site),
    answeringOnly('page', (request) => answerSessions(site, request)),
  );
  return router;
}

/**
 * @throws ServiceError SVC_ERR_REQUEST_METHOD, SVC_ERR_REQUEST_ORIGIN, SVC_ERR_SESSION_UNKNOWN,
 * SVC_ERR_REQUEST_PARAMETERS
 */
async function answerSessions(site: ClientSite, request: ClientRequest<PagePath>): Promise<Answer> {
  const { incoming } = request;
  if (incoming.method === 'GET')
    return prefersJson(incoming.headers.accept) ? list(site, request) : page(site, request);
  if (incoming.method !== 'POST') throw new ServiceError('SVC_ERR_REQUEST_METHOD', { headers: { Allow: 'GET, POST' } });
  // only the cookie identifies the browser, so the page must be of the same origin
  if (!isOwnSubmit(incoming)) throw new ServiceError('SVC_ERR_REQUEST_ORIGIN');
  const { body } = request;
  const other = otherNodeOf(site, incoming, formFields(incoming, body, MOST_FIELDS).get('SESSION')?.at(-1) ?? '');
  if (other !== undefined && body !== undefined) throw new OtherNodeError(other, body);
  const form = submittedForm(incoming, body, MOST_FIELDS);
  const field = (name: string) => form.get(name)?.at(-1) ?? '';
  const session = sessionLabelled(site, incoming, field('SESSION'));
  if (session === undefined) throw new ServiceError('SVC_ERR_SESSION_UNKNOWN');
  const cookies: string[] = [];
  switch (field('ACTION')) {
    case 'END':
      session.disconnect();
      cookies.push('Set-Cookie', withdrawnSessionCookie(incoming, session.code));
      break;
    case 'NAME': {
      const fault = session.use.rename(field('NAME'));
      if (fault !== undefined) throw faulty(fault);
      break;
    }
    default:
      throw faulty({ code: 'session.action' });
  }
  const answer = prefersJson(incoming.headers.accept) ? await list(site, request) : leadBack();
  return { ...answer, headers: [...answer.headers, ...cookies] };
}

function sessionLabelled(site: ClientSite, incoming: IncomingMessage, label: string): BrowserSession | undefined {
  return site.sessions.registry.ofCookies(site.line.name, sessionCookiesNamed(incoming, label)).at(-1);
}

async function list(site: ClientSite, { incoming }: ClientRequest): Promise<Answer> {
  const user = (await signedOnByCookie(site.security, incoming))?.user;
  const content = { sessions: await openSessions(site, incoming), applications: menuApplications(site, user) };
  return privateJson(200, content);
}

async function page(site: ClientSite, request: ClientRequest<PagePath>): Promise<Answer> {
  const found = await findProductPage(site, PAGE);
  if (found?.kind !== 'template') throw new ServiceError('SVC_ERR_TEMPLATE_UNKNOWN');
  const { incoming } = request;
  const user = (await signedOnByCookie(site.security, incoming))?.user;
  const names = requestNames(site, request, {
    page: PAGE,
    directory: site.entryPoint.definition.directory,
    transaction: undefined,
    routingParameter: undefined,
    user,
  });
  return asPrivate(
    await renderedAnswer(
      site,
      found.template,
      names,
      menuVariables(site, incoming, user, await openSessions(site, incoming)),
    ),
    workspacePolicy,
  );
}

function leadBack(): Answer {
  const headers = [...dynamicHeaders('text/html', 0, '0'), 'Location', '/'];
  return asPrivate({ status: 303, headers, body: Buffer.alloc(0) });
}

function faulty(detail: Reason): ServiceError {
  return new ServiceError('SVC_ERR_REQUEST_PARAMETERS', { detail });
}
