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

/** Unique across processes, for logs; may be guessable. */
export function nextRequestId(): string {
  counter += 1;
  return `${processPrefix}-${counter.toString(36)}`;
}

export interface ClientRequest<Path extends RequestPath = RequestPath> {
  readonly id: string;
  readonly incoming: IncomingMessage;
  readonly target: RequestTarget;
  readonly path: Path;
  readonly parameters: ReadonlyMap<string, readonly string[]>;
  readonly body: Buffer | undefined;
  /** Aborted if the client disconnects before its answer is written. */
  readonly signal: StopSignal;
}

export interface ServiceCallFacts {
  readonly service?: string;
  readonly pool?: string | undefined;
  readonly outcome?: string;
}

/** `ctx.state` before the request is read. */
export interface ArrivedState {
  requestId: string;
  path?: RequestPath;
  /** Formats errors from here on; by default as a page, or as JSON if the client prefers it. */
  errorAnswer?: (error: ServiceError, requestId: string) => Answer;
  serviceCall?: ServiceCallFacts;
  answer?: Answer;
}

export interface ClientState extends ArrivedState {
  request: ClientRequest;
}

export type ArrivedMiddleware = Koa.Middleware<ArrivedState>;
export type ClientMiddleware = RouterMiddleware<ClientState>;
export type ClientRouter = Router<ClientState>;

type Kind = RequestPath['kind'];
type RequestOf<K extends Kind> = ClientRequest<Extract<RequestPath, { kind: K }>>;

/** Undefined passes the request to the next router. */
type Responder<Request> = (request: Request) => Promise<Answer | undefined> | Answer | undefined;

export function answering(respond: Responder<ClientRequest>): ClientMiddleware {
  return async ({ state }, next) => {
    const answer = await respond(state.request);
    if (answer === undefined) return next();
    state.answer = answer;
  };
}

export function answeringOnly<K extends Kind>(kind: K, respond: Responder<RequestOf<K>>): ClientMiddleware {
  return answering((request) => (isOf(request, kind) ? respond(request) : undefined));
}

function isOf<K extends Kind>(request: ClientRequest, kind: K): request is RequestOf<K> {
  return request.path.kind === kind;
}
