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
