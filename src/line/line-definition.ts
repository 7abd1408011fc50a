export interface LineTls {
  /** Paths of PEM files. */
  readonly cert: string;
  readonly key: string;
}

export interface InboundLimits {
  readonly connections: number;
  readonly urlBytes: number;
  readonly headerBytes: number;
  readonly bodyBytes: number;
  /** Until the headers are complete. */
  readonly headerSeconds: number;
  /** Until the whole request has arrived. */
  readonly requestSeconds: number;
  /** That a connection may stay open without a request. */
  readonly idleSeconds: number;
}

export interface InboundLineDefinition {
  readonly name: string;
  /** External name, used in messages and in the log. */
  readonly externalName: string;
  /** Host name, IPv4 address or IPv6 address without brackets; undefined: every address of the machine. */
  readonly host: string | undefined;
  /** 0: any free port (for tests). */
  readonly port: number;
  readonly entryPoint: string;
  readonly portal: 'administration' | undefined;
  readonly tls: LineTls | undefined;
  readonly limits: InboundLimits;
}

export interface OutboundLineDefinition {
  readonly name: string;
  readonly externalName: string;
  /** `host:port`, or undefined (`$SITE$`): the SITE option of the scenario names it. */
  readonly site: string | undefined;
  /** undefined: plain HTTP. Certificates are verified; `ca` adds authorities of one's own (path of a PEM file). */
  readonly tls: OutboundTls | undefined;
  readonly limits: OutboundLimits;
}

export interface OutboundTls {
  readonly ca: string | undefined;
  readonly cert: string | undefined;
  readonly key: string | undefined;
}

export interface OutboundLimits {
  /** Connections to one site. */
  readonly connections: number;
  /** Requests that may wait for a connection of a site; one more fails at once. */
  readonly queuedRequests: number;
  readonly connectSeconds: number;
  readonly replyBytes: number;
  readonly replyHeaderBytes: number;
}
