import type { InboundLineDefinition } from '../../lines/listener/line-definition.js';
import { SNIFFING_REFUSED } from './response-headers.js';

/** Gives the headers of an answer, with those that every answer of the line has. */
export type CompleteHeaders = (headers: readonly string[], requestId: string, isOverTls?: boolean) => string[];

interface LineIdentity {
  /** Of the product. */
  readonly version: string;
  readonly line: Pick<InboundLineDefinition, 'tls' | 'answers'>;
}

/**
 * What a line says in every answer: Server first (specification 9.1), the request id and what hardens browsers in front of
 * X-Content-Type-Options, where that is. A header that the answer has already, because its template sets it, stays as it is.
 */
export function lineHeaders({ version, line: { tls, answers } }: LineIdentity): CompleteHeaders {
  const server = answers.server ? ['Server', `Sallyport/${version}`] : [];
  // how long browsers keep to TLS (RFC 6797): told over TLS alone
  const hstsSeconds = tls?.hstsSeconds ?? answers.hstsSeconds;
  const maxAge = hstsSeconds === undefined ? undefined : `max-age=${hstsSeconds}`;
  const further = Object.entries(answers.headers).map(([name, value]) => ({ name, folded: name.toLowerCase(), value }));
  return (headers, requestId, isOverTls = tls !== undefined) => {
    const complete = indexOf(headers, 'server') >= 0 ? [] : [...server];
    const sniffing = indexOf(headers, 'x-content-type-options');
    const end = sniffing < 0 ? headers.length : sniffing;
    for (let index = 0; index < end; index++) complete.push(headers[index] ?? '');
    if (maxAge !== undefined && isOverTls && indexOf(headers, 'strict-transport-security') < 0)
      complete.push('Strict-Transport-Security', maxAge);
    for (const { name, folded, value } of further) if (indexOf(headers, folded) < 0) complete.push(name, value);
    if (indexOf(headers, 'x-request-id') < 0) complete.push('X-Request-Id', requestId);
    if (sniffing < 0) complete.push(...SNIFFING_REFUSED);
    for (let index = end; index < headers.length; index++) complete.push(headers[index] ?? '');
    return complete;
  };
}

/** @param folded name in lower case */
function indexOf(headers: readonly string[], folded: string): number {
  for (let index = 0; index < headers.length; index += 2) {
    const name = headers[index] ?? '';
    if (name.length === folded.length && name.toLowerCase() === folded) return index;
  }
  return -1;
}
