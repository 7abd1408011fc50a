import type { IncomingMessage, ServerResponse } from 'node:http';
import { ServiceError } from '../../lib/errors.js';
import { StopSource } from '../../lib/stop-signal.js';
import type { InboundLimits } from '../../lines/listener/line-definition.js';
import type { ArrivedMiddleware, ClientRequest, ClientState } from './client-request.js';
import type { ClientSite } from './client-site.js';
import { parseRequestParameters } from './request-parameters.js';
import { parseRequestPath, pathOfAnyNode, type RequestPath, splitRequestTarget } from './request-path.js';
import { reachedAddress } from './request-sender.js';

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
    // koa parses the URL again and may throw for an absolute form
    if (!incoming.url?.startsWith('/')) context.url = target.path;
    context.newRouterPath = routingPath(path);
    return next();
  };
}

function pathOf(target: string, node: string | undefined): RequestPath {
  const path = parseRequestPath(target);
  return node === undefined ? path : pathOfAnyNode(path);
}

function goneSignal(response: ServerResponse): ClientRequest['signal'] {
  const stop = new StopSource();
  response.on('close', () => {
    if (!response.writableFinished) stop.abort();
  });
  return stop;
}

/**
 * Canonical path for the routers' RegExps: names in upper case with minimal percent-encoding, a transaction after one
 * plus sign, a session after two, without its code. So `/%53ecure/…` cannot bypass the checks of `/SECURE/…`. Stricter
 * comparisons of names are up to the routes.
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

function folded(name: string): string {
  return encodeURIComponent(name.toUpperCase());
}

/** `Host` (RFC 9110, section 7.2); captures the name or address before the port. */
const HOST = /^(\[[\da-f:.]+\]|[^:[\]@/?#\s]+)(?::\d*)?$/i;
const ABSOLUTE_FORM = /^https?:\/\/([^/?#]*)/i;
const LOOPBACK = /^(?:127\.|::1$)/;

/**
 * Accepts only the line's names as Host, which prevents DNS rebinding. The connection's own address is always accepted,
 * because it cannot be another site's name. `localhost` is accepted on loopback connections.
 * @param names lower case; undefined accepts any name
 * @throws ServiceError SVC_ERR_REQUEST_HOST; SVC_ERR_REQUEST_SYNTAX for an invalid Host
 */
export function checkRequestHost(request: IncomingMessage, names: ReadonlySet<string> | undefined): void {
  const { headers, url = '' } = request;
  if (names === undefined) {
    // RFC 9112, section 3.2; empty if the request target has no authority
    if (headers.host === undefined || headers.host === '' || HOST.test(headers.host)) return;
    throw new ServiceError('SVC_ERR_REQUEST_SYNTAX', { detail: 'Host is not a host name with an optional port.' });
  }
  const inTarget = ABSOLUTE_FORM.exec(url)?.[1];
  for (const host of inTarget === undefined ? [headers.host] : [headers.host, inTarget]) {
    if (!isServed(host ?? '', names, reachedAddress(request))) {
      throw new ServiceError('SVC_ERR_REQUEST_HOST');
    }
  }
}

function isServed(host: string, names: ReadonlySet<string>, localAddress: string): boolean {
  const name = HOST.exec(host)?.[1]?.toLowerCase().replace(/\.$/, '');
  if (name === undefined) return false;
  if (names.has(name)) return true;
  if (name === 'localhost') return LOOPBACK.test(localAddress);
  return name === (localAddress.includes(':') ? `[${localAddress}]` : localAddress);
}

/** Colon, blank, CR and LF. */
const HEADER_LINE_OVERHEAD = 4;
const HOST_NAME_LENGTH = 4;

/**
 * Checks limits that Node's parser does not. `headerBytes` counts each header as name, colon, one blank, value, CR LF.
 * @throws ServiceError SVC_ERR_REQUEST_URL_LENGTH, SVC_ERR_REQUEST_HEADER_SIZE, and SVC_ERR_REQUEST_SYNTAX for a
 * missing or repeated Host (RFC 9112, section 3.2)
 */
export function checkRequestLimits(request: IncomingMessage, limits: InboundLimits): void {
  if ((request.url ?? '').length > limits.urlBytes) {
    throw new ServiceError('SVC_ERR_REQUEST_URL_LENGTH', {
      detail: { code: 'body.bytes', values: { most: limits.urlBytes } },
    });
  }
  const { rawHeaders } = request;
  let bytes = rawHeaders.length * (HEADER_LINE_OVERHEAD / 2);
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? '';
    bytes += name.length + (rawHeaders[index + 1] ?? '').length;
    if (name.length === HOST_NAME_LENGTH && name.toLowerCase() === 'host') hosts += 1;
  }
  if (bytes > limits.headerBytes) {
    throw new ServiceError('SVC_ERR_REQUEST_HEADER_SIZE', {
      detail: { code: 'body.bytes', values: { most: limits.headerBytes } },
    });
  }
  if (hosts > 1 || (hosts === 0 && request.httpVersion === '1.1')) {
    throw new ServiceError('SVC_ERR_REQUEST_SYNTAX', { detail: 'There must be one Host header.' });
  }
}
