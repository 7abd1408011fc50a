export interface LineTls {
  /** Paths of PEM files. */
  readonly cert: string;
  readonly key: string;
  /** Max-age of HSTS; undefined: no such header. */
  readonly hstsSeconds?: number | undefined;
  /** OpenSSL cipher string; undefined: the default of all Sallyport servers. */
  readonly ciphers?: string | undefined;
}

export type ReadPem = (path: string) => Buffer;

interface ListenerLimits {
  readonly connections: number;
  readonly connectionsPerAddress: number;
  readonly urlBytes: number;
  readonly headerBytes: number;
  /** Until the headers are complete. */
  readonly headerSeconds: number;
  /** Until the whole request has arrived. */
  readonly requestSeconds: number;
  /** Maximum time of a connection without a request. */
  readonly idleSeconds: number;
}

export interface InboundLimits extends ListenerLimits {
  readonly sessions: number;
  readonly sessionsPerAddress: number;
  /** Per minute. */
  readonly sessionStartsPerAddress: number;
  /** After this time without use, a browser session can be replaced by a new one. */
  readonly sessionIdleSeconds: number;
  readonly bodyBytes: number;
}

export interface ListenerDefinition {
  readonly name: string;
  readonly externalName: string;
  /** Host name, IPv4 address or IPv6 address without brackets; undefined: every address of the machine. */
  readonly host: string | undefined;
  /** 0: any free port (for tests). */
  readonly port: number;
  readonly tls: LineTls | undefined;
  readonly limits: ListenerLimits;
}

interface LineAnswers {
  /** True to send product and version. */
  readonly server: boolean;
  /** As in LineTls, if a trusted proxy terminates TLS. */
  readonly hstsSeconds?: number;
  /** Defaults: a response keeps its own header with the same name. */
  readonly headers: Readonly<Record<string, string>>;
}

export interface InboundLineDefinition extends ListenerDefinition {
  readonly entryPoint: string;
  readonly portal: 'administration' | undefined;
  /** Addresses and networks of proxies with trusted X-Forwarded-For and X-Forwarded-Proto headers. */
  readonly trustedProxies: readonly string[];
  readonly answers: LineAnswers;
  /** Accepted host names in lower case; undefined: any. */
  readonly hostNames: ReadonlySet<string> | undefined;
  readonly limits: InboundLimits;
}
