import type { ClientSite } from './client-site.js';
import type { ClientMiddleware } from './client-state.js';
import { hasBody, readRequestBody } from './request-body.js';

/**
 * Reads the body for the routers behind it. Those before it read it themselves, when they know who sends it.
 * @throws ServiceError SVC_ERR_REQUEST_BODY_SIZE
 */
export function bodyReader({ line }: ClientSite): ClientMiddleware {
  return ({ req, state }, next) => {
    if (!hasBody(req)) return next();
    return readRequestBody(req, line.limits.bodyBytes).then((body) => {
      state.request = { ...state.request, body };
      return next();
    });
  };
}
