export interface LineTls {
  /** Paths of PEM files. */
  readonly cert: string;
  readonly key: string;
  /** How long browsers are to come with TLS alone; undefined: they are told nothing. */
  readonly hstsSeconds?: number | undefined;
}

/** The content of a PEM file. */
export type ReadPem = (path: string) => Buffer;

export interface InboundLimits {
  readonly connections: number;
  readonly connectionsPerAddress: number;
  /** Browser sessions of the line, and of one client address. */
  readonly sessions: number;
  readonly sessionsPerAddress: number;
  /** In a minute. */
  readonly sessionStartsPerAddress: number;
  /** Unused for this long, a browser session makes room for another one. */
  readonly sessionIdleSeconds: number;
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
  /** Under which it is served, lower case; undefined: any. */
  readonly hostNames: ReadonlySet<string> | undefined;
  readonly limits: InboundLimits;
}
