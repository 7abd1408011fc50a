import type { ServerResponse } from 'node:http';
import Router from '@koa/router';
import { ServiceError } from '../../lib/errors.js';
import type { Answer } from '../http/answer.js';
import type { ClientRequest, ClientRouter, ClientState } from '../http/client-request.js';
import type { ClientSite, SiteServices } from '../http/client-site.js';
import { type ApiRequest, apiCaller, requireScope } from './api-caller.js';
import { apiPage } from './api-page.js';
import { callService } from './call-answer.js';
import { openApiDocument } from './openapi.js';
import { beginSession, endSession, showScreen, takeSteps } from './own-session-routes.js';
import { jsonAnswer, problemAnswer } from './problem.js';
import { describedService, hasService, listedService, offeredServices } from './service-description.js';

export function serviceRouter(site: ClientSite, services: SiteServices): ClientRouter {
  const router: ClientRouter = new Router<ClientState>();
  router.all(/^\/API\/V1(?:\/|$)/, async ({ state, res }) => {
    const { request } = state;
    const segments = segmentsOf(request);
    const isPage = segments.length === 1 && segments[0] === '';
    // the page reports errors as pages
    if (!isPage) state.errorAnswer = problemAnswer;
    if (request.path.kind !== 'page') throw new ServiceError('SVC_ERR_TEMPLATE_UNKNOWN');
    const caller = await apiCaller(site, request.incoming);
    const apiRequest: ApiRequest = {
      site,
      services,
      caller,
      request,
      incoming: request.incoming,
      requestId: request.id,
      gone: goneSignal(res),
      told: (facts) => {
        state.serviceCall = facts;
      },
    };
    state.answer = isPage ? await pageFor(apiRequest) : await answerFor(apiRequest, segments);
  });
  return router;
}

function segmentsOf({ path: { directories, page } }: ClientRequest): readonly string[] {
  return [...directories, page].slice(2);
}

async function pageFor(request: ApiRequest): Promise<Answer> {
  allow(request, 'GET');
  return apiPage(request);
}

async function answerFor(request: ApiRequest, [area, name, what, ...further]: readonly string[]): Promise<Answer> {
  if (further.length > 0) throw new ServiceError('SVC_ERR_TEMPLATE_UNKNOWN');
  if (area === 'openapi.json' && name === undefined) {
    allow(request, 'GET');
    return jsonAnswer(200, openApiDocument(request));
  }
  if (area === 'services' && what === undefined) return answerService(request, name);
  if (area === 'sessions') return answerSession(request, name, what);
  throw new ServiceError('SVC_ERR_TEMPLATE_UNKNOWN');
}

async function answerService(request: ApiRequest, name: string | undefined): Promise<Answer> {
  const { site, services, caller } = request;
  const offered = offeredServices(site, services, caller);
  if (name === undefined || name === '') {
    allow(request, 'GET');
    return jsonAnswer(200, { services: offered.map(listedService) });
  }
  const service = offered.find((one) => one.name === name);
  if (service === undefined) {
    requireScope(!hasService(site, services, name), `services:${name}`, site);
    throw new ServiceError('SVC_ERR_SERVICE_UNKNOWN');
  }
  const method = allow(request, 'GET', 'POST');
  return method === 'POST' ? callService(request, service) : jsonAnswer(200, describedService(service));
}

async function answerSession(
  request: ApiRequest,
  handle: string | undefined,
  what: string | undefined,
): Promise<Answer> {
  requireScope(request.caller.maySession, 'sessions', request.site);
  if (handle === undefined || handle === '') {
    allow(request, 'POST');
    return beginSession(request);
  }
  switch (what) {
    case undefined:
      allow(request, 'DELETE');
      return endSession(request, handle);
    case 'screen':
      allow(request, 'GET');
      return showScreen(request, handle);
    case 'steps':
      allow(request, 'POST');
      return takeSteps(request, handle);
    default:
      throw new ServiceError('SVC_ERR_TEMPLATE_UNKNOWN');
  }
}

function allow({ incoming }: ApiRequest, ...methods: readonly string[]): string {
  const method = incoming.method === 'HEAD' ? 'GET' : (incoming.method ?? '');
  if (methods.includes(method)) return method;
  throw new ServiceError('SVC_ERR_REQUEST_METHOD', { headers: { Allow: methods.join(', ') } });
}

function goneSignal(response: ServerResponse): AbortSignal {
  const gone = new AbortController();
  response.on('close', () => {
    if (!response.writableFinished) gone.abort();
  });
  return gone.signal;
}
