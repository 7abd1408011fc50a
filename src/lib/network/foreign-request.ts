import type { IncomingMessage } from 'node:http';
import { isIPv4 } from 'node:net';

/** `otherSite`: sent by a page of another site. `otherName`: sent to another host name for this machine. */
export type ForeignRequest = 'otherSite' | 'otherName';

/** Start of the `User-Agent` header of all browsers. Scripts do not use it by default. */
const BROWSER = /^\s*Mozilla\//i;

/**
 * Checks a request to a server that programs on this machine use without authentication. Any web page in a browser of
 * the user can send requests to such a server.
 * Browsers name the page in `Sec-Fetch-Site` (Fetch Metadata), `Origin` (Fetch) and `Referer` (RFC 9110). Other clients
 * send none of these headers. Browsers send `Sec-Fetch-Site` only to loopback names and over TLS, and a page can
 * suppress `Referer`, so browser requests without any of these headers are refused. A page cannot change the
 * `User-Agent` of an image or link.
 * With DNS rebinding, a page counts as the same site, but its name is in `Host`.
 * @param listensAt configured host of the listener
 * @returns undefined if the request is allowed
 */
export function foreignRequest(request: IncomingMessage, listensAt: string): ForeignRequest | undefined {
  const { headers, socket } = request;
  const { host } = headers;
  // Optional in HTTP/1.0, which browsers do not use.
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

/** @returns undefined if the text is not a name with the port of the listener. The port may be missing. */
function readServer(host: string, port: number): NamedServer | undefined {
  const [, name = '', written] = /^(\[[\da-f:.]+\]|[^:/?#@[\]\s]+)(?::(\d{1,5}))?$/.exec(host.toLowerCase()) ?? [];
  if (name === '' || (written !== undefined && Number(written) !== port)) return undefined;
  return { name: name.replace(/^\[(.*)\]$/, '$1'), origin: port === 80 ? `http://${name}` : `http://${name}:${port}` };
}

/** True for a loopback name (RFC 6761, RFC 1122, RFC 4291) or an address of the listener. */
function isOwnName(name: string, addresses: readonly string[]): boolean {
  if (name === 'localhost' || name === '::1' || (isIPv4(name) && name.startsWith('127.'))) return true;
  return addresses.some((address) => address !== '' && address.toLowerCase().replace(/^::ffff:/, '') === name);
}

function originOf(referer: string): string {
  return URL.canParse(referer) ? new URL(referer).origin : 'null';
}
