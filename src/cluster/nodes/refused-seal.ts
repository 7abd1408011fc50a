import type { IncomingMessage } from 'node:http';

/** In the answer of an internal line that did not open a seal. */
export const REFUSED_SEAL_HEADER = 'Sallyport-Refused';

/** Whether a line has given an answer. Earlier versions of the internal line answer 204 to whatever they cannot read. */
export function isOfLine({ statusCode, headers }: IncomingMessage): boolean {
  if (statusCode === 400) return headers[REFUSED_SEAL_HEADER.toLowerCase()] === undefined;
  return statusCode !== 204 || headers['x-request-id'] !== undefined;
}
