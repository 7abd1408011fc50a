import type { IncomingMessage } from 'node:http';
import { ServiceError } from '../../errors.js';
import type { StopSignal } from '../../stop-signal.js';

/** Whether the request announces a body (RFC 9112 section 6). */
export function hasBody({ headers }: IncomingMessage): boolean {
  const length = headers['content-length'];
  return headers['transfer-encoding'] !== undefined || (length !== undefined && Number(length) !== 0);
}

function isEncoded({ headers }: IncomingMessage): boolean {
  return (headers['content-encoding'] ?? 'identity').trim().toLowerCase() !== 'identity';
}

/** Of a client that went away before all of its body was here. */
export function clientGone(): ServiceError {
  return new ServiceError('SVC_ERR_REQUEST_SYNTAX', { detail: 'The client went away.' });
}

/** What ends the reading of a body before its end. */
interface BodyStop {
  readonly signal: StopSignal;
  readonly error: () => Error;
}

/**
 * The whole body, as it was sent.
 * @throws ServiceError SVC_ERR_REQUEST_BODY_TYPE for a Content-Encoding other than identity, SVC_ERR_REQUEST_BODY_SIZE past the bound, and the error of the stop; the rest is then read and thrown away.
 *   SVC_ERR_REQUEST_SYNTAX where the client goes away before its end
 */
export function readRequestBody(request: IncomingMessage, mostBytes: number, stop?: BodyStop): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    const refuse = (error: Error) => {
      chunks.length = 0;
      request.off('data', take);
      request.resume();
      reject(error);
    };
    const refuseSize = () => {
      const detail = `At most ${mostBytes} bytes are taken.`;
      refuse(new ServiceError('SVC_ERR_REQUEST_BODY_SIZE', { detail }));
    };
    const take = (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > mostBytes) refuseSize();
      else chunks.push(chunk);
    };
    // a client that went away while something else was waited for tells nothing any more
    if (request.destroyed && !request.complete) {
      reject(clientGone());
      return;
    }
    request.once('error', () => reject(clientGone()));
    if (isEncoded(request)) {
      refuse(new ServiceError('SVC_ERR_REQUEST_BODY_TYPE', { detail: 'Send it without Content-Encoding.' }));
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
    request.once('end', () =>
      resolve(chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks)),
    );
  });
}
