import type Router from '@koa/router';
import type { RouterMiddleware } from '@koa/router';
import type Koa from 'koa';
import type { ServiceError } from '../../lib/errors.js';
import type { Answer } from './answer.js';
import type { ClientRequest } from './client-request.js';
import type { RequestPath } from './request-path.js';

/** What the log says of a call of a service. */
export interface ServiceCallFacts {
  readonly service?: string;
  readonly pool?: string | undefined;
  /** A fixed word. */
  readonly outcome?: string;
}

/** What the application of a line knows of a request before it has been read (`ctx.state`). */
export interface ArrivedState {
  requestId: string;
  path?: RequestPath;
  /** What errors are answered with from here on; undefined: pages, or JSON where the client prefers that. */
  errorAnswer?: (error: ServiceError, requestId: string) => Answer;
  /** For the request log. */
  serviceCall?: ServiceCallFacts;
  /** Given by a router, or by the node that it was passed on to; the edge writes it. */
  answer?: Answer;
}

/** What routers are handed. */
export interface ClientState extends ArrivedState {
  request: ClientRequest;
}

export type ArrivedMiddleware = Koa.Middleware<ArrivedState>;
export type ClientMiddleware = RouterMiddleware<ClientState>;
export type ClientRouter = Router<ClientState>;
