import Router from '@koa/router';
import Koa from 'koa';
import type { LineRequestListener } from '../lines/listener/inbound-line.js';
import { fileRouter } from './files/file-router.js';
import { clientEdge } from './http/client-edge.js';
import type { ArrivedMiddleware, ArrivedState, ClientRouter, ClientState } from './http/client-request.js';
import type { ClientSite } from './http/client-site.js';
import { requestReader } from './http/request-reader.js';
import type { CompleteHeaders } from './http/response-headers.js';
import { macroRouter } from './macros/macro-router.js';
import { operationRouter } from './operation/operation-router.js';
import { pageRouter } from './pages/page-router.js';
import { passingOn } from './passing/passing-on.js';
import { portalRouter } from './portal/portal-router.js';
import { recordingRouter } from './recordings/recording-router.js';
import { scenarioRouter } from './scenarios/scenario-router.js';
import { problemAnswer } from './services/problem.js';
import { serviceRouter } from './services/service-router.js';
import { sessionRouter } from './sessions/session-router.js';
import { sessionsRouter } from './sessions/sessions-router.js';
import { settingsRouter } from './settings/settings-router.js';

/** Of services and of operators; the page at `/api/v1/` is for people, who are told errors as pages. */
const PROGRAM_TARGET = /^\/api\/(?:admin\/)?v1(?:$|\?|\/[^?])/i;

/** Tells programs as problems also what is wrong before a router has the request: its path, or a node that is gone. */
const problemsForPrograms: ArrivedMiddleware = ({ req, state }, next) => {
  if (PROGRAM_TARGET.test(req.url ?? '')) state.errorAnswer = problemAnswer;
  return next();
};

type ArrivedContext = Koa.ParameterizedContext<ArrivedState>;

/**
 * koa itself would watch each response for its end and write what nobody has answered; the edge does both. That alone took a
 * twentieth of what a request allocates.
 */
class ClientApplication extends Koa<ArrivedState> {
  /** What `callback` calls for each request. */
  handleRequest(context: ArrivedContext, answer: (context: ArrivedContext) => Promise<void>): Promise<void> {
    return answer(context);
  }
}

/**
 * The application of a line, portal or not: every error is answered at its edge, every request is read once, and one
 * of the routers answers it. Routes read bodies themselves: some want to know first who sends it.
 */
export function createClientApp(site: ClientSite, completeHeaders: CompleteHeaders): LineRequestListener {
  const app = new ClientApplication();
  app.use(clientEdge(site, completeHeaders));
  app.use(problemsForPrograms);
  app.use(requestReader(site));
  if (site.nodes !== undefined) app.use(passingOn(site, site.nodes));
  // as one, which looks for the route of a request once
  const all: ClientRouter = new Router<ClientState>();
  for (const router of routersOf(site)) all.use(router.routes());
  app.use(all.routes());
  return app.callback();
}

/** The first that knows a path answers it. */
function routersOf(site: ClientSite): readonly ClientRouter[] {
  const ofLine =
    site.portal === undefined
      ? [macroRouter(site), settingsRouter(site), recordingRouter(site), sessionsRouter(site), fileRouter(site)]
      : [macroRouter(site), portalRouter(site, site.portal)];
  const ofServices = site.services === undefined ? [] : [serviceRouter(site, site.services)];
  const ofOperators = site.portal === undefined ? [] : [operationRouter(site, site.portal)];
  return [...ofServices, ...ofOperators, ...ofLine, scenarioRouter(site), sessionRouter(site), pageRouter(site)];
}
