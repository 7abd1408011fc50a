import type { IncomingMessage } from 'node:http';
import { koaBody } from 'koa-body';
import { ServiceError } from '../../lib/errors.js';
import type { StopSignal } from '../../lib/stop-signal.js';
import type { ClientMiddleware } from './client-request.js';
import type { ClientSite } from './client-site.js';

export function hasBody({ headers }: IncomingMessage): boolean {
  const length = headers['content-length'];
  return headers['transfer-encoding'] !== undefined || (length !== undefined && Number(length) !== 0);
}

function isEncoded({ headers }: IncomingMessage): boolean {
  return (headers['content-encoding'] ?? 'identity').trim().toLowerCase() !== 'identity';
}

function clientGone(): ServiceError {
  return new ServiceError('SVC_ERR_REQUEST_SYNTAX', { detail: 'The client disconnected.' });
}

interface BodyStop {
  readonly signal: StopSignal;
  readonly error: () => Error;
}

/**
 * Reads the whole body.
 * @throws ServiceError SVC_ERR_REQUEST_BODY_TYPE for a Content-Encoding other than identity, SVC_ERR_REQUEST_BODY_SIZE
 * above the limit, SVC_ERR_REQUEST_SYNTAX if the client disconnects; the error of `stop`. The rest of the body is read
 * and discarded.
 */
export function readRequestBody(request: IncomingMessage, mostBytes: number, stop?: BodyStop): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    let body = new GrowingBytes();
    const refuse = (error: Error) => {
      body = new GrowingBytes();
      request.off('data', take);
      request.resume();
      reject(error);
    };
    const refuseSize = () => {
      refuse(bodyTooLarge(mostBytes));
    };
    const take = (chunk: Buffer) => {
      if (body.length + chunk.length > mostBytes) refuseSize();
      else body.add(chunk);
    };
    // a request that was destroyed earlier emits no further events
    if (request.destroyed && !request.complete) {
      reject(clientGone());
      return;
    }
    request.once('error', () => reject(clientGone()));
    if (isEncoded(request)) {
      refuse(new ServiceError('SVC_ERR_REQUEST_BODY_TYPE', { detail: { code: 'body.contentEncoding' } }));
      return;
    }
    if (Number(request.headers['content-length'] ?? 0) > mostBytes) {
      refuseSize();
      return;
    }
    if (stop?.signal.aborted) {
      refuse(stop.error());
      return;
    }
    stop?.signal.addEventListener('abort', () => refuse(stop.error()));
    request.on('data', take);
    request.once('end', () => resolve(body.bytes));
  });
}

/**
 * Copies pieces into one buffer, because keeping one-byte pieces needs about 200 times their size. The first piece is
 * kept without copying, because it is usually the whole body.
 */
class GrowingBytes {
  length = 0;
  #room: Buffer = Buffer.alloc(0);

  get bytes(): Buffer {
    return this.#room.subarray(0, this.length);
  }

  add(piece: Buffer): void {
    const length = this.length + piece.length;
    if (this.length === 0) this.#room = piece;
    else {
      if (length > this.#room.length) this.#grow(length);
      piece.copy(this.#room, this.length);
    }
    this.length = length;
  }

  #grow(length: number): void {
    const grown = Buffer.allocUnsafe(Math.max(length, 2 * this.#room.length));
    this.#room.copy(grown, 0, 0, this.length);
    this.#room = grown;
  }
}

/** One character per byte, for the strict parser. */
const BYTES = 'binary';

type ReadForm = (context: Parameters<ClientMiddleware>[0]) => Promise<Buffer> | undefined;

/**
 * Reads forms without files through koa-body, with its own parsing disabled.
 * @returns undefined for other bodies, which are not read
 * @throws ServiceError SVC_ERR_REQUEST_BODY_SIZE, SVC_ERR_REQUEST_SYNTAX if the client disconnects
 */
function formReader(mostBytes: number): ReadForm {
  const read = koaBody({
    json: false,
    text: false,
    includeUnparsed: true,
    encoding: BYTES,
    formLimit: mostBytes,
    // decoding a million plus signs takes 0.2 s
    queryString: { parameterLimit: 1, depth: 0, decoder: () => '' },
    onError: (error) => {
      if (isOfType(error, 'request.aborted')) throw clientGone();
      if (!isOfType(error, 'entity.too.large')) throw error;
      throw bodyTooLarge(mostBytes);
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
      for (const chunk of chunks) chunk.fill(0);
    }
  };

  return (context) => {
    // koa-body would decompress an encoded body
    const isItsOwn = context.method === 'POST' && context.get('Content-Encoding') === '' && context.is('urlencoded');
    return isItsOwn ? readBytes(context) : undefined;
  };
}

function isOfType(error: Error, type: 'request.aborted' | 'entity.too.large'): boolean {
  return 'type' in error && error.type === type;
}

async function nothingMore(): Promise<void> {}

/** See docs/develop/decisions/0014 for the use of koa-body. */
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

function bodyTooLarge(most: number): ServiceError {
  return new ServiceError('SVC_ERR_REQUEST_BODY_SIZE', { detail: { code: 'body.bytes', values: { most } } });
}
