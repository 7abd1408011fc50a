import type { IncomingMessage } from 'node:http';
import Router from '@koa/router';
import type { Actor } from '../../access/audit/audit-entry.js';
import { ServiceError } from '../../lib/errors.js';
import { repeatedAt } from '../forwarding/forwarding.js';
import type { ClientRouter, ClientState } from '../http/client-request.js';
import type { ClientSite, Portal } from '../http/client-site.js';
import { senderAddress } from '../http/request-sender.js';
import { adminRoutes } from '../routes.js';
import { bearerToken, requireScope } from '../services/api-caller.js';
import { jsonAnswer, problemAnswer } from '../services/problem.js';
import { addressOf } from '../sign-on/signed-on-user.js';
import { routeOfMethod, routesAt } from './route-matching.js';

const ROOT = ['api', 'admin', 'v1'];

/**
 * `/api/admin/v1/` of a portal line: operations on the running server for programs and the command line. Only tokens
 * are accepted, because browsers never send them automatically.
 */
export function operationRouter(site: ClientSite, portal: Portal): ClientRouter {
  const router: ClientRouter = new Router<ClientState>();
  router.all(/^\/API\/ADMIN\/V1(?:\/|$)/, async ({ state }) => {
    const { request } = state;
    const { incoming, path } = request;
    state.errorAnswer = problemAnswer;
    const { name, scopes } = await bearerOf(site, incoming);
    const actor: Actor = { who: `token ${name}`, from: senderAddress(incoming) };
    const names = path.kind === 'page' ? [...ROOT, ...[...path.directories, path.page].slice(ROOT.length)] : [];
    const { route, segments } = routeOfMethod(
      routesAt(adminRoutes, names, (part, name) => part.startsWith(':') || part === name),
      incoming.method,
    );
    const { scope } = route;
    const isAllowed = scopes.includes(scope);
    if (!isAllowed && route.method === 'POST') {
      const subject = names.slice(ROOT.length).join(' ');
      await portal.audit.note({ ...actor, what: 'operation.refused', subject, after: { scopes } });
    }
    requireScope(isAllowed, scope, site);
    const answered = await route.answer({
      portal,
      actor,
      path: route.path,
      segment: (name) => segments.get(name) ?? '',
      query: (parameter) => request.parameters.get(parameter)?.[0] ?? '',
      incoming,
    });
    if (route.isForAllWorkers === true) await repeatByWorkers(site, incoming);
    state.answer = jsonAnswer(200, answered);
  });
  return router;
}

/** @throws ServiceError SVC_ERR_OPERATION_REFUSED if a worker fails */
async function repeatByWorkers(site: ClientSite, incoming: IncomingMessage): Promise<void> {
  const acts = await repeatedAt(site, incoming, site.nodes?.onThisMachine ?? [], Buffer.alloc(0));
  const failed = acts.filter(({ isDone }) => !isDone);
  if (failed.length === 0) return;
  // the texts of other workers are English, as all answers of this API
  const failures = failed.map(
    ({ node, answer: { detail, message } }) => `${node}: ${detail ?? message ?? 'no answer'}`,
  );
  throw new ServiceError('SVC_ERR_OPERATION_REFUSED', {
    detail: { code: 'server.workersFailed', values: { failures: failures.join(' ') } },
  });
}

async function bearerOf({ security }: ClientSite, incoming: IncomingMessage) {
  const token = bearerToken(incoming);
  const record = token === undefined ? undefined : await security?.tokens.find(token);
  if (record !== undefined) return record;
  if (token !== undefined) security?.audit.tokenRefused(addressOf(incoming));
  const error = token === undefined ? '' : ', error="invalid_token"';
  const headers = { 'WWW-Authenticate': `Bearer realm="${security?.realm ?? ''}"${error}` };
  throw new ServiceError('SVC_ERR_TOKEN_NEEDED', { headers });
}
