import { isIPv6 } from 'node:net';

export interface OutboundLineDefinition {
  readonly name: string;
  readonly externalName: string;
  /** `host:port`; undefined (`$SITE$`): the SITE option of the scenario. */
  readonly site: string | undefined;
  /** Undefined: plain HTTP. Certificates are verified; `ca` adds authorities (path of a PEM file). */
  readonly tls: OutboundTls | undefined;
  readonly limits: OutboundLimits;
}

export type ReadPem = (path: string) => Buffer;

export interface OutboundTls {
  readonly ca: string | undefined;
  readonly cert: string | undefined;
  readonly key: string | undefined;
  /** OpenSSL cipher string. */
  readonly ciphers?: string | undefined;
}

export interface OutboundLimits {
  readonly connections: number;
  /** Maximum requests waiting for a connection of a site; further requests fail at once. */
  readonly queuedRequests: number;
  readonly connectSeconds: number;
  readonly replyBytes: number;
  /** Names and values together. */
  readonly replyHeaderBytes: number;
}

export interface OutboundAddress {
  /** `host:port` as written, also the `Host` header. */
  readonly site: string;
  /** `http://host:port` or `https://host:port`. */
  readonly origin: string;
}

const SITE = /^(?:\[([0-9A-Fa-f:.]{2,45})\]|([A-Za-z0-9_](?:[A-Za-z0-9_.-]{0,252})?)):([0-9]{1,5})$/;

/**
 * Reads `host:port`: a host name, an IPv4 address or an IPv6 address in brackets, and a port from 1 to 65535, which has
 * no default (reference 4.4).
 *
 * @returns undefined if it is malformed
 */
export function parseSite(site: string, secure: boolean): OutboundAddress | undefined {
  const [, ipv6, , port] = SITE.exec(site) ?? [];
  const portNumber = Number(port);
  if (port === undefined || portNumber < 1 || portNumber > 65_535) return undefined;
  if (ipv6 !== undefined && !isIPv6(ipv6)) return undefined;
  const origin = `${secure ? 'https' : 'http'}://${site}`;
  return URL.canParse(origin) ? { site, origin } : undefined;
}
