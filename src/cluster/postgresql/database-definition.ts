export interface DatabaseHost {
  /** Name, address, or path of the folder of a Unix socket. */
  readonly host: string;
  readonly port: number;
}

export interface DatabaseDefinition {
  /** At least one. A new connection uses the first host that accepts it and is writable. */
  readonly hosts: readonly DatabaseHost[];
  readonly database: string;
  readonly user: string;
  /** A function is called for each connection. */
  readonly password: string | (() => Promise<string>) | undefined;
  /** The certificate must be valid for the host (verify-full). Undefined: no TLS. */
  readonly tls: { readonly ca: string | undefined } | undefined;
  readonly limits: DatabaseLimits;
}

interface DatabaseLimits {
  /**
   * Connections for statements. Recorded changes have additional connections: a quarter of this number, at least two.
   */
  readonly connections: number;
  readonly connectMilliseconds: number;
  /** Total limit of a query or change: connection, locks, statements and network. */
  readonly statementMilliseconds: number;
}

/** Per pool. */
export const MOST_WAITING_STATEMENTS = 1_000;
