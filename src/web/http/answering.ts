import type { Answer } from './answer.js';
import type { ClientRequest } from './client-request.js';
import type { ClientMiddleware } from './client-state.js';
import type { RequestPath } from './request-path.js';

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
