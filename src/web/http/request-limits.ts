import type { IncomingMessage } from 'node:http';
import { ServiceError } from '../../lib/errors.js';
import type { InboundLimits } from '../../lines/listener/line-definition.js';

/** Colon, blank, CR and LF of a header line. */
const HEADER_LINE_OVERHEAD = 4;
/** Length of `Host`. */
const HOST_NAME_LENGTH = 4;

/**
 * Checks what Node's parser leaves to the application.
 * `headerBytes` counts every header line as name, colon, one blank, value, CR LF.
 *
 * @throws ServiceError SVC_ERR_REQUEST_URL_LENGTH, SVC_ERR_REQUEST_HEADER_SIZE, and SVC_ERR_REQUEST_SYNTAX for a
 *   missing or repeated Host (RFC 9112 section 3.2)
 */
export function checkRequestLimits(request: IncomingMessage, limits: InboundLimits): void {
  if ((request.url ?? '').length > limits.urlBytes) {
    throw new ServiceError('SVC_ERR_REQUEST_URL_LENGTH', { detail: `At most ${limits.urlBytes} bytes are taken.` });
  }
  const { rawHeaders } = request;
  let bytes = rawHeaders.length * (HEADER_LINE_OVERHEAD / 2);
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? '';
    bytes += name.length + (rawHeaders[index + 1] ?? '').length;
    if (name.length === HOST_NAME_LENGTH && name.toLowerCase() === 'host') hosts += 1;
  }
  if (bytes > limits.headerBytes) {
    throw new ServiceError('SVC_ERR_REQUEST_HEADER_SIZE', { detail: `At most ${limits.headerBytes} bytes are taken.` });
  }
  if (hosts > 1 || (hosts === 0 && request.httpVersion === '1.1')) {
    throw new ServiceError('SVC_ERR_REQUEST_SYNTAX', { detail: 'There must be one Host header.' });
  }
}
