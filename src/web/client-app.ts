import Koa from 'koa';
import type { LineRequestListener } from '../line/inbound-line.js';
import { fileRouter } from './files/file-router.js';
import { clientEdge } from './http/client-edge.js';
import type { ClientSite } from './http/client-site.js';
import type { ArrivedState, ClientRouter } from './http/client-state.js';
import type { CompleteHeaders } from './http/line-headers.js';
import { requestReader } from './http/request-reader.js';
import { macroRouter } from './macros/macro-router.js';
import { operationRouter } from './operation/operation-router.js';
import { pageRouter } from './pages/page-router.js';
import { passingOn } from './passing/passing-on.js';
import { portalRouter } from './portal/portal-router.js';
import { recordingRouter } from './recordings/recording-router.js';
import { scenarioRouter } from './scenarios/scenario-router.js';
import { serviceRouter } from './services/service-router.js';
import { sessionRouter } from './sessions/session-router.js';
import { sessionsRouter } from './sessions/sessions-router.js';
import { settingsRouter } from './settings/settings-router.js';

/**
 * The application of a line, portal or not: every error is answered at its edge, every request is read once, and one
 * of the routers answers it. Routes read bodies themselves: some want to know first who sends it.
 */
export function createClientApp(site: ClientSite, completeHeaders: CompleteHeaders): LineRequestListener {
  const app = new Koa<ArrivedState>();
  app.on('error', (error: Error) => site.log.debug({ line: site.line.name, err: error }, 'connection broke'));
  app.use(clientEdge(site, completeHeaders));
  app.use(requestReader(site));
  if (site.nodes !== undefined) app.use(passingOn(site, site.nodes));
  for (const router of routersOf(site)) app.use(router.routes());
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
