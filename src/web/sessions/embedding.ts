import type { IncomingMessage } from 'node:http';
import type { ClientSite } from '../http/client-site.js';
import { isOverTls } from '../http/request-sender.js';

/** Origins whose pages may have those of the entry point in theirs. The portal is in nobody's. */
export function embeddersOf({ entryPoint, portal }: ClientSite): readonly string[] {
  return portal === undefined ? entryPoint.definition.embedders : [];
}

/**
 * Whether the frame of a page that may do so asks. Browsers say in Referer whose page it is, unless that page hides it: then it
 * is nobody's. A program may say what it likes, and gains nothing: it needs no frame.
 */
export function isFramedByEmbedder(site: ClientSite, { headers }: IncomingMessage): boolean {
  const { 'sec-fetch-dest': destination, 'sec-fetch-mode': mode, referer = '' } = headers;
  if (destination !== 'iframe' || mode !== 'navigate') return false;
  const [origin = ''] = /^https?:\/\/[^/?#]*/i.exec(referer) ?? [];
  return embeddersOf(site).includes(origin.toLowerCase());
}

/**
 * A cookie for a page in a frame: in that of another site browsers send none that is Strict. It is None there, and Partitioned, so
 * that it exists below that one site alone. Everywhere else, and without TLS, the cookie stays as it is.
 */
export function embeddedCookie(site: ClientSite, request: IncomingMessage, strict: string): string {
  const isFramed = request.headers['sec-fetch-dest'] === 'iframe' && embeddersOf(site).length > 0;
  return isFramed && isOverTls(request) ? strict.replace('SameSite=Strict', 'SameSite=None; Partitioned') : strict;
}
