import { randomInt } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type Router from '@koa/router';
import type { RouterMiddleware } from '@koa/router';
import type Koa from 'koa';
import type { ServiceError } from '../../lib/errors.js';
import type { StopSignal } from '../../lib/stop-signal.js';
import type { Answer } from './answer.js';
import type { RequestPath, RequestTarget } from './request-path.js';

const processPrefix = randomInt(36 ** 5, 36 ** 6).toString(36);
let counter = 0;

/** Unique within and between processes, for logs; not meant to be hard to guess. */
export function nextRequestId(): string {
  counter += 1;
  return `${processPrefix}-${counter.toString(36)}`;
}

/** A request to a client line, parsed. */
export interface ClientRequest<Path extends RequestPath = RequestPath> {
  readonly id: string;
  readonly incoming: IncomingMessage;
  readonly target: RequestTarget;
  readonly path: Path;
  readonly parameters: ReadonlyMap<string, readonly string[]>;
  readonly body: Buffer | undefined;
  /** Aborted when the client goes away before its answer is written. */
  readonly signal: StopSignal;
}

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

type Kind = RequestPath['kind'];
type RequestOf<K extends Kind> = ClientRequest<Extract<RequestPath, { kind: K }>>;

/** Undefined: the request is one of a router behind. */
type Responder<Request> = (request: Request) => Promise<Answer | undefined> | Answer | undefined;

/** What a route does with the requests that its RegExp matches: their answer is the edge's to write. */
export function answering(respond: Responder<ClientRequest>): ClientMiddleware {
  return async ({ state }, next) => {
    const answer = await respond(state.request);
    if (answer === undefined) return next();
    state.answer = answer;
  };
}

/** The same, where the path is of a kind. */
export function answeringOnly<K extends Kind>(kind: K, respond: Responder<RequestOf<K>>): ClientMiddleware {
  return answering((request) => (isOf(request, kind) ? respond(request) : undefined));
}

function isOf<K extends Kind>(request: ClientRequest, kind: K): request is RequestOf<K> {
  return request.path.kind === kind;
}
