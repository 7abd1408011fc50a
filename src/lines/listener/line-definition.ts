export interface LineTls {
  /** Paths of PEM files. */
  readonly cert: string;
  readonly key: string;
  /** How long browsers must use only TLS (HSTS); undefined: no such header. */
  readonly hstsSeconds?: number | undefined;
  /** OpenSSL cipher string; undefined: those of every server of ours. */
  readonly ciphers?: string | undefined;
}

/** The content of a PEM file. */
export type ReadPem = (path: string) => Buffer;

/** Of whatever listens. */
interface ListenerLimits {
  readonly connections: number;
  readonly connectionsPerAddress: number;
  readonly urlBytes: number;
  readonly headerBytes: number;
  /** Until the headers are complete. */
  readonly headerSeconds: number;
  /** Until the whole request has arrived. */
  readonly requestSeconds: number;
  /** That a connection may stay open without a request. */
  readonly idleSeconds: number;
}

export interface InboundLimits extends ListenerLimits {
  /** Browser sessions of the line, and of one client address. */
  readonly sessions: number;
  readonly sessionsPerAddress: number;
  /** In a minute. */
  readonly sessionStartsPerAddress: number;
  /** Unused for this long, a browser session makes room for another one. */
  readonly sessionIdleSeconds: number;
  readonly bodyBytes: number;
}

/** An endpoint that accepts connections. */
export interface ListenerDefinition {
  readonly name: string;
  /** External name, used in messages and in the log. */
  readonly externalName: string;
  /** Host name, IPv4 address or IPv6 address without brackets; undefined: every address of the machine. */
  readonly host: string | undefined;
  /** 0: any free port (for tests). */
  readonly port: number;
  readonly tls: LineTls | undefined;
  readonly limits: ListenerLimits;
}

/** Headers of every answer of a line. */
interface LineAnswers {
  /** Whether the product and its version are named. */
  readonly server: boolean;
  /** As in LineTls, if a trusted proxy terminates TLS. */
  readonly hstsSeconds?: number;
  /** By their names; an answer that has one already keeps it. */
  readonly headers: Readonly<Record<string, string>>;
}

export interface InboundLineDefinition extends ListenerDefinition {
  readonly entryPoint: string;
  readonly portal: 'administration' | undefined;
  /** Addresses and networks of proxies whose X-Forwarded-For and X-Forwarded-Proto count. */
  readonly trustedProxies: readonly string[];
  readonly answers: LineAnswers;
  /** Under which it is served, lower case; undefined: any. */
  readonly hostNames: ReadonlySet<string> | undefined;
  readonly limits: InboundLimits;
}
