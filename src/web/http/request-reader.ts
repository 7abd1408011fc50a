import type { ServerResponse } from 'node:http';
import { StopSource } from '../../lib/stop-signal.js';
import type { ClientRequest } from './client-request.js';
import type { ClientSite } from './client-site.js';
import type { ArrivedMiddleware, ClientState } from './client-state.js';
import { checkRequestHost } from './request-host.js';
import { checkRequestLimits } from './request-limits.js';
import { parseRequestParameters } from './request-parameters.js';
import { parseRequestPath, pathOfAnyNode, type RequestPath, splitRequestTarget } from './request-path.js';

/**
 * Checks a request and reads all of it but the body, once: routers find it in `ctx.state.request`.
 * @throws ServiceError SVC_ERR_REQUEST_*
 */
export function requestReader({ line, sessions }: ClientSite): ArrivedMiddleware {
  return (context, next) => {
    const { req: incoming, res } = context;
    const state: Partial<ClientState> & { requestId: string } = context.state;
    checkRequestLimits(incoming, line.limits);
    checkRequestHost(incoming, line.hostNames);
    const target = splitRequestTarget(incoming.url ?? '');
    const path = pathOf(target.path, sessions.node);
    state.path = path;
    const parameters = parseRequestParameters(target.query);
    state.request = {
      id: state.requestId,
      incoming,
      target,
      parameters,
      body: undefined,
      path,
      signal: goneSignal(res),
    };
    // koa reads the URL once more: in absolute form, as one that may throw
    if (!incoming.url?.startsWith('/')) context.url = target.path;
    context.newRouterPath = routingPath(path);
    return next();
  };
}

function pathOf(target: string, node: string | undefined): RequestPath {
  const path = parseRequestPath(target);
  return node === undefined ? path : pathOfAnyNode(path);
}

/** Aborted when the connection closes before the response is written. */
function goneSignal(response: ServerResponse): ClientRequest['signal'] {
  const stop = new StopSource();
  response.on('close', () => {
    if (!response.writableFinished) stop.abort();
  });
  return stop;
}

/**
 * The path that the RegExps of the routers see: of all ways to write a path the same one. Names are in upper case, with nothing
 * percent-encoded that need not be, so that `/%53ecure/…` is no way around what is asked of `/SECURE/…`; a transaction stands
 * behind one plus sign, a session behind two, without its code. Whatever compares names more strictly does so itself.
 */
function routingPath(path: RequestPath): string {
  let location = '';
  for (const directory of path.directories) location += `/${folded(directory)}`;
  location += `/${folded(path.page)}`;
  switch (path.kind) {
    case 'page':
      return location;
    case 'transaction':
      return `${location}+${folded(path.transaction)}`;
    case 'session':
      return `${location}++`;
  }
}

/** Slashes and plus signs of names stay percent-encoded. */
function folded(name: string): string {
  return encodeURIComponent(name.toUpperCase());
}
