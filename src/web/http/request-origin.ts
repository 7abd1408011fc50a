import type { IncomingMessage } from 'node:http';
import { isOverTls } from './request-sender.js';

/**
 * Browsers say which page connects; programs that are none need not (RFC 6455, section 10.2). Where the client came over TLS, a page
 * without it is another's: anybody on the way may have written it. Whether a proxy that is not trusted has the TLS nobody knows.
 */
export function isSameOrigin(request: IncomingMessage): boolean {
  const { origin, host } = request.headers;
  if (origin === undefined) return true;
  try {
    const { protocol, host: hostOfPage } = new URL(origin);
    if (isOverTls(request) && protocol !== 'https:') return false;
    return host !== undefined && hostOfPage === new URL(`${protocol}//${host}`).host;
  } catch {
    return false;
  }
}

/** Whether a browser says that a page of another site leads here. Programs, and browsers without TLS, say nothing. */
export function isCrossSite({ headers }: IncomingMessage): boolean {
  return headers['sec-fetch-site'] === 'cross-site';
}

/** Whether a page of another site makes use of ours without its user going there: as a picture, a frame, a script. */
export function isEmbeddedElsewhere(request: IncomingMessage): boolean {
  const { 'sec-fetch-mode': mode, 'sec-fetch-dest': destination } = request.headers;
  return isCrossSite(request) && (mode !== 'navigate' || (destination !== undefined && destination !== 'document'));
}

/**
 * Whether a browser says that a page of another origin submits the form: one of the same site, on another port perhaps, would
 * have our cookie sent along. `Origin: null` says nothing: so do our own pages, whose address goes nowhere.
 */
export function isForeignSubmit(request: IncomingMessage): boolean {
  const { origin, 'sec-fetch-site': from } = request.headers;
  if (from !== undefined) return from !== 'same-origin' && from !== 'none';
  return origin !== undefined && origin !== 'null' && !isSameOrigin(request);
}

/**
 * Whether a browser says that a page of this very server submits the form: where the cookie alone says whose it is, nothing less
 * will do.
 */
export function isOwnSubmit(request: IncomingMessage): boolean {
  const { origin, 'sec-fetch-site': from } = request.headers;
  return from === undefined ? origin !== undefined && isSameOrigin(request) : from === 'same-origin';
}

/**
 * Whether a page sends a form that the browser does not want to name: one in a sandbox, or behind a redirect of another site. On a
 * line without TLS that is all that browsers say, and they send HTTP Basic along.
 */
export function isNamelessSubmit({ method, headers }: IncomingMessage): boolean {
  return method === 'POST' && headers.origin === 'null' && headers['sec-fetch-site'] === undefined;
}
