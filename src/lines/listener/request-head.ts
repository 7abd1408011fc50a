import type { IncomingMessage } from 'node:http';
import type { ErrorCode } from '../../lib/errors.js';
import { refusedConnectionOption } from './connection-options.js';
import { removeHeaders } from './remove-headers.js';

/** Why a request is refused before anything of it is read. */
interface HeadFault {
  readonly code: ErrorCode;
  /** For the log. */
  readonly detail: string;
}

/** Only servers of one cluster send headers with such names, and only over the internal line. */
const INTERNAL = 'sallyport-';

/**
 * Looks at the head of a request of a client, before any router, and removes the headers that only servers send to each other.
 * @param isTaken whether another protocol begins behind the head
 * @returns why the request is refused; undefined: it is not
 */
export function checkedHead(request: IncomingMessage, isTaken = false): HeadFault | undefined {
  removeHeaders(request, (name) => name.startsWith(INTERNAL));
  const option = refusedConnectionOption(request.rawHeaders);
  if (option !== undefined) return { code: 'SVC_ERR_REQUEST_CONNECTION', detail: `Connection names ${option}` };
  const { 'transfer-encoding': coding, 'content-length': length } = request.headers;
  if (coding !== undefined && (coding.trim().toLowerCase() !== 'chunked' || request.httpVersion !== '1.1')) {
    return { code: 'SVC_ERR_REQUEST_SYNTAX', detail: 'a transfer coding other than chunked' };
  }
  // RFC 6455, section 4.1: the handshake is a GET request without a body
  if (isTaken && (coding !== undefined || Number(length ?? 0) > 0)) {
    return { code: 'SVC_ERR_REQUEST_SYNTAX', detail: 'a WebSocket request with a body' };
  }
  return undefined;
}
