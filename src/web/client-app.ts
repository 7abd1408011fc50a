import Router from '@koa/router';
import Koa from 'koa';
import type { LineRequestListener } from '../lines/listener/inbound-line.js';
import { fileRouter } from './files/file-router.js';
import { passingOn } from './forwarding/forwarding.js';
import { clientEdge } from './http/client-edge.js';
import type { ArrivedMiddleware, ArrivedState, ClientRouter, ClientState } from './http/client-request.js';
import type { ClientSite } from './http/client-site.js';
import { requestReader } from './http/request-reader.js';
import type { CompleteHeaders } from './http/response-headers.js';
import { macroRouter } from './macros/macro-router.js';
import { operationRouter } from './operation/operation-router.js';
import { pageRouter } from './pages/page-router.js';
import { portalRouter } from './portal/portal-router.js';
import { recordingRouter } from './recordings/recording-router.js';
import { scenarioRouter } from './scenarios/scenario-router.js';
import { problemAnswer } from './services/problem.js';
import { serviceRouter } from './services/service-router.js';
import { openSessionsRouter } from './sessions/open-sessions-router.js';
import { sessionPageRouter } from './sessions/session-page-router.js';
import { settingsRouter } from './settings/settings-router.js';

/** Paths of services and operations, except the page `/api/v1/`, which reports errors as pages. */
const PROGRAM_TARGET = /^\/api\/(?:admin\/)?v1(?:$|\?|\/[^?])/i;

/** Covers errors before routing, for example an invalid path or an unavailable node. */
const problemsForPrograms: ArrivedMiddleware = ({ req, state }, next) => {
  if (PROGRAM_TARGET.test(req.url ?? '')) state.errorAnswer = problemAnswer;
  return next();
};

type ArrivedContext = Koa.ParameterizedContext<ArrivedState>;

/**
 * koa's own handler would watch the end of each response and write missing answers. The edge does both; the handler
 * accounted for a twentieth of the allocations per request.
 */
class ClientApplication extends Koa<ArrivedState> {
  handleRequest(context: ArrivedContext, answer: (context: ArrivedContext) => Promise<void>): Promise<void> {
    return answer(context);
  }
}

/**
 * The application of a line or portal: the edge answers errors, each request is read once, and one router answers it.
 * Routes read bodies themselves, because some check the user first.
 */
export function createClientApp(site: ClientSite, completeHeaders: CompleteHeaders): LineRequestListener {
  const app = new ClientApplication();
  app.use(clientEdge(site, completeHeaders));
  app.use(problemsForPrograms);
  app.use(requestReader(site));
  if (site.nodes !== undefined) app.use(passingOn(site, site.nodes));
  // combined into one router, so the route is looked up once
  const all: ClientRouter = new Router<ClientState>();
  for (const router of routersOf(site)) all.use(router.routes());
  app.use(all.routes());
  return app.callback();
}

function routersOf(site: ClientSite): readonly ClientRouter[] {
  const ofLine =
    site.portal === undefined
      ? [macroRouter(site), settingsRouter(site), recordingRouter(site), openSessionsRouter(site), fileRouter(site)]
      : [macroRouter(site), portalRouter(site, site.portal)];
  const ofServices = site.services === undefined ? [] : [serviceRouter(site, site.services)];
  const ofOperators = site.portal === undefined ? [] : [operationRouter(site, site.portal)];
  return [...ofServices, ...ofOperators, ...ofLine, scenarioRouter(site), sessionPageRouter(site), pageRouter(site)];
}
