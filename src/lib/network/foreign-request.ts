import type { IncomingMessage } from 'node:http';
import { isIPv4 } from 'node:net';

/** Why a request is not answered: the page of another site made it, or its page has given this machine another name. */
export type ForeignRequest = 'otherSite' | 'otherName';

/** All browsers begin their `User-Agent` with it, and no script does unless told to. */
const BROWSER = /^\s*Mozilla\//i;

/**
 * Judges a request to a server that programs of this machine use without signing on: any web page that its user opens can send requests to it.
 * Browsers name the page in `Sec-Fetch-Site` (Fetch Metadata), `Origin` (Fetch) and `Referer` (RFC 9110); other clients send none of these.
 * Browsers send `Sec-Fetch-Site` only to loopback names and over TLS, and a page can suppress `Referer`: a request of a browser
 * that names no page is refused. No page can change the `User-Agent` of an image or a link.
 * A page whose name was pointed to this machine (DNS rebinding) counts as the same site, but its name is in `Host`.
 *
 * @param listensAt host of the address that the server listens at, as its user has written it
 * @returns undefined if nothing says that the request is a page's of another site
 */
export function foreignRequest(request: IncomingMessage, listensAt: string): ForeignRequest | undefined {
  const { headers, socket } = request;
  const { host } = headers;
  // HTTP 1.0 has no such header, and no browser speaks it
  const server = host === undefined ? undefined : readServer(host, socket.localPort ?? 0);
  if (host !== undefined && server === undefined) return 'otherName';
  if (server !== undefined && !isOwnName(server.name, [listensAt, socket.localAddress ?? ''])) return 'otherName';
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return 'otherSite';
  const pages = [headers.origin, headers.referer === undefined ? undefined : originOf(headers.referer)];
  if (!pages.every((page) => page === undefined || page === server?.origin)) return 'otherSite';
  const isNamed = site !== undefined || pages.some((page) => page !== undefined);
  return isNamed || !BROWSER.test(headers['user-agent'] ?? '') ? undefined : 'otherSite';
}

interface NamedServer {
  readonly name: string;
  readonly origin: string;
}

/** @returns undefined if it is no name with the port that is listened on; without a port the name alone counts */
function readServer(host: string, port: number): NamedServer | undefined {
  const [, name = '', written] = /^(\[[\da-f:.]+\]|[^:/?#@[\]\s]+)(?::(\d{1,5}))?$/.exec(host.toLowerCase()) ?? [];
  if (name === '' || (written !== undefined && Number(written) !== port)) return undefined;
  return { name: name.replace(/^\[(.*)\]$/, '$1'), origin: port === 80 ? `http://${name}` : `http://${name}:${port}` };
}

/** A loopback name (RFC 6761, RFC 1122, RFC 4291), or an address that the connection was made to. */
function isOwnName(name: string, addresses: readonly string[]): boolean {
  if (name === 'localhost' || name === '::1' || (isIPv4(name) && name.startsWith('127.'))) return true;
  return addresses.some((address) => address !== '' && address.toLowerCase().replace(/^::ffff:/, '') === name);
}

/** A page that hides its address, or has none, is of no site that is known. */
function originOf(referer: string): string {
  return URL.canParse(referer) ? new URL(referer).origin : 'null';
}
