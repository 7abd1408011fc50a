import type { IncomingMessage } from 'node:http';
import { ServiceError } from '../../lib/errors.js';
import type { StopSignal } from '../../lib/stop-signal.js';

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
    let body = new GrowingBytes();
    const refuse = (error: Error) => {
      body = new GrowingBytes();
      request.off('data', take);
      request.resume();
      reject(error);
    };
    const refuseSize = () => {
      const detail = `At most ${mostBytes} bytes are taken.`;
      refuse(new ServiceError('SVC_ERR_REQUEST_BODY_SIZE', { detail }));
    };
    const take = (chunk: Buffer) => {
      if (body.length + chunk.length > mostBytes) refuseSize();
      else body.add(chunk);
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
    request.once('end', () => resolve(body.bytes));
  });
}

/** Copies what it is given: to keep pieces of one byte takes some 200 times their size. The first piece is kept, as it is mostly all. */
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
