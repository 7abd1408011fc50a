import type { IncomingMessage } from 'node:http';
import { isOverTls } from './request-sender.js';

/**
 * True without an Origin header, because only browsers must send it (RFC 6455, section 10.2). If the client uses TLS,
 * an origin without TLS is rejected, because anyone able to modify traffic could have written that page. TLS at an
 * untrusted proxy cannot be recognized.
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

/** False also for programs and for browsers without TLS, which do not send Sec-Fetch-Site. */
export function isCrossSite({ headers }: IncomingMessage): boolean {
  return headers['sec-fetch-site'] === 'cross-site';
}

/** True if a page of another site loads this resource without navigation, for example as an image, frame or script. */
export function isEmbeddedElsewhere(request: IncomingMessage): boolean {
  const { 'sec-fetch-mode': mode, 'sec-fetch-dest': destination } = request.headers;
  return isCrossSite(request) && (mode !== 'navigate' || (destination !== undefined && destination !== 'document'));
}

/**
 * True if a page of another origin submits the form. A page of the same site on another port would send the cookie
 * along. `Origin: null` is not rejected: the server's own pages send it, because they hide their address.
 */
export function isForeignSubmit(request: IncomingMessage): boolean {
  const { origin, 'sec-fetch-site': from } = request.headers;
  if (from !== undefined) return from !== 'same-origin' && from !== 'none';
  return origin !== undefined && origin !== 'null' && !isSameOrigin(request);
}

/** True only if the browser confirms the same origin. Required if only the cookie identifies the user. */
export function isOwnSubmit(request: IncomingMessage): boolean {
  const { origin, 'sec-fetch-site': from } = request.headers;
  return from === undefined ? origin !== undefined && isSameOrigin(request) : from === 'same-origin';
}

/**
 * True if the form's page has no visible origin, as in a sandbox or after a redirect from another site. Without TLS,
 * `Origin: null` is the only indication, and browsers send HTTP Basic credentials along.
 */
export function isNamelessSubmit({ method, headers }: IncomingMessage): boolean {
  return method === 'POST' && headers.origin === 'null' && headers['sec-fetch-site'] === undefined;
}
