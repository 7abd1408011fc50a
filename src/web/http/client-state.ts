import type Router from '@koa/router';
import type { RouterMiddleware } from '@koa/router';
import type Koa from 'koa';
import type { Answer } from './answer.js';
import type { ClientRequest } from './client-request.js';
import type { RequestPath } from './request-path.js';

/** What the application of a line knows of a request before it has been read (`ctx.state`). */
export interface ArrivedState {
  requestId: string;
  path?: RequestPath;
  parameters?: ReadonlyMap<string, readonly string[]>;
  /** Given by a router; the edge writes it. */
  answer?: Answer;
}

/** What routers are handed. */
export interface ClientState extends ArrivedState {
  request: ClientRequest;
}

export type ArrivedMiddleware = Koa.Middleware<ArrivedState>;
export type ClientMiddleware = RouterMiddleware<ClientState>;
export type ClientRouter = Router<ClientState>;
