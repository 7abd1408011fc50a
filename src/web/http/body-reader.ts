import { koaBody } from 'koa-body';
import { ServiceError } from '../../lib/errors.js';
import type { ClientMiddleware } from './client-request.js';
import type { ClientSite } from './client-site.js';
import { clientGone, hasBody, readRequestBody } from './request-body.js';

/** Each byte is one character: the strict parser is fed with the bytes as they came. */
const BYTES = 'binary';

type ReadForm = (context: Parameters<ClientMiddleware>[0]) => Promise<Buffer> | undefined;

/**
 * Reads posted forms without files by koa-body, whose own parsing is kept from doing anything that costs.
 * @returns undefined where the body is none of these; nothing of it was read then
 * @throws ServiceError SVC_ERR_REQUEST_BODY_SIZE, SVC_ERR_REQUEST_SYNTAX where the client goes away before its end
 */
function formReader(mostBytes: number): ReadForm {
  const read = koaBody({
    json: false,
    text: false,
    includeUnparsed: true,
    encoding: BYTES,
    formLimit: mostBytes,
    // to decode a million plus signs takes 0.2 s
    queryString: { parameterLimit: 1, depth: 0, decoder: () => '' },
    onError: (error) => {
      if (isOfType(error, 'request.aborted')) throw clientGone();
      if (!isOfType(error, 'entity.too.large')) throw error;
      throw new ServiceError('SVC_ERR_REQUEST_BODY_SIZE', { detail: `At most ${mostBytes} bytes are taken.` });
    },
  });

  const readBytes: (...parameters: Parameters<ReadForm>) => Promise<Buffer> = async (context) => {
    const { req, request } = context;
    const chunks: Buffer[] = [];
    const keep = (chunk: Buffer) => chunks.push(chunk);
    const reading = read(context, nothingMore);
    req.on('data', keep);
    try {
      await reading;
      return Buffer.from(request.rawBody ?? '', BYTES);
    } finally {
      req.off('data', keep);
      delete request.rawBody;
      delete request.body;
      // passwords may be among them
      for (const chunk of chunks) chunk.fill(0);
    }
  };

  return (context) => {
    // it would inflate what is encoded
    const isItsOwn = context.method === 'POST' && context.get('Content-Encoding') === '' && context.is('urlencoded');
    return isItsOwn ? readBytes(context) : undefined;
  };
}

/** As raw-body names them. */
function isOfType(error: Error, type: 'request.aborted' | 'entity.too.large'): boolean {
  return 'type' in error && error.type === type;
}

async function nothingMore(): Promise<void> {}

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
