import { isIPv6 } from 'node:net';

export interface OutboundLineDefinition {
  readonly name: string;
  readonly externalName: string;
  /** `host:port`, or undefined (`$SITE$`): the SITE option of the scenario names it. */
  readonly site: string | undefined;
  /** undefined: plain HTTP. Certificates are verified; `ca` adds authorities of one's own (path of a PEM file). */
  readonly tls: OutboundTls | undefined;
  readonly limits: OutboundLimits;
}

/** The content of a PEM file. */
export type ReadPem = (path: string) => Buffer;

export interface OutboundTls {
  readonly ca: string | undefined;
  readonly cert: string | undefined;
  readonly key: string | undefined;
  /** OpenSSL cipher string. */
  readonly ciphers?: string | undefined;
}

export interface OutboundLimits {
  /** Connections to one site. */
  readonly connections: number;
  /** Requests that may wait for a connection of a site; one more fails at once. */
  readonly queuedRequests: number;
  readonly connectSeconds: number;
  readonly replyBytes: number;
  /** Names and values together. */
  readonly replyHeaderBytes: number;
}

/** The address of an outbound call. */
export interface OutboundAddress {
  /** `host:port` exactly as it was written: the `Host` header. */
  readonly site: string;
  /** `http://host:port` or `https://host:port`. */
  readonly origin: string;
}

const SITE = /^(?:\[([0-9A-Fa-f:.]{2,45})\]|([A-Za-z0-9_](?:[A-Za-z0-9_.-]{0,252})?)):([0-9]{1,5})$/;

/**
 * Reads `host:port`: a host name, an IPv4 address or an IPv6 address in brackets, and a port from 1 to 65535, which has
 * no default (reference 4.4).
 *
 * @returns undefined for anything else
 */
export function parseSite(site: string, secure: boolean): OutboundAddress | undefined {
  const [, ipv6, , port] = SITE.exec(site) ?? [];
  const portNumber = Number(port);
  if (port === undefined || portNumber < 1 || portNumber > 65_535) return undefined;
  if (ipv6 !== undefined && !isIPv6(ipv6)) return undefined;
  const origin = `${secure ? 'https' : 'http'}://${site}`;
  return URL.canParse(origin) ? { site, origin } : undefined;
}
