import type { IncomingMessage } from 'node:http';
import type { ClientSite } from '../http/client-site.js';

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
export function embeddedCookie(site: ClientSite, { headers, socket }: IncomingMessage, strict: string): string {
  const isFramed = headers['sec-fetch-dest'] === 'iframe' && embeddersOf(site).length > 0;
  const isOverTls = 'encrypted' in socket && socket.encrypted === true;
  return isFramed && isOverTls ? strict.replace('SameSite=Strict', 'SameSite=None; Partitioned') : strict;
}
