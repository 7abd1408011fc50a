export interface DatabaseHost {
  /** A name or an address; a path is the folder of a Unix socket. */
  readonly host: string;
  readonly port: number;
}

/** Where a database is, and how it is reached. */
export interface DatabaseDefinition {
  /** At least one. Each new connection is opened to the first one that accepts it and can be written to. */
  readonly hosts: readonly DatabaseHost[];
  readonly database: string;
  readonly user: string;
  /** A function is asked for each connection. */
  readonly password: string | (() => Promise<string>) | undefined;
  /** The certificate must be valid and be for the host (verify-full). Undefined: without TLS. */
  readonly tls: { readonly ca: string | undefined } | undefined;
  readonly limits: DatabaseLimits;
}

interface DatabaseLimits {
  /** For statements. Changes that are put on record have a quarter of that beside them, two at least. */
  readonly connections: number;
  /** For a host. */
  readonly connectMilliseconds: number;
  /** For everything that a query or a change waits for: a connection, locks, statements, the network. */
  readonly statementMilliseconds: number;
}

/** Statements that may wait for a connection, for each of the two kinds. */
export const MOST_WAITING_STATEMENTS = 1_000;
