import type { ClientSite } from './client-site.js';
import type { ClientMiddleware } from './client-state.js';
import { formReader } from './form-reader.js';
import { hasBody, readRequestBody } from './request-body.js';

/**
 * Reads the body for the handler behind it: forms by koa-body, all else as it comes (docs/decisions/0014).
 * @throws ServiceError SVC_ERR_REQUEST_BODY_SIZE
 */
export function bodyReader({ line }: ClientSite): ClientMiddleware {
  const { bodyBytes } = line.limits;
  const readForm = formReader(bodyBytes);
  return (context, next) => {
    const { req, state } = context;
    if (!hasBody(req)) return next();
    const reading = readForm(context) ?? readRequestBody(req, bodyBytes);
    return reading.then((body) => {
      state.request = { ...state.request, body };
      return next();
    });
  };
}
