export interface NodeReport {
  readonly code: string;
  /** `host:port` of the internal line. Empty if only processes of the same machine can reach the node. */
  readonly address: string;
  readonly version: string;
  readonly state: 'up' | 'draining';
  readonly sessions: number;
}

export interface KnownNode extends NodeReport {
  /** Time since the last report, on the clock of the database. */
  readonly silentMilliseconds: number;
}

/** `nodes`: list, state or news of nodes. `users`: users and groups. */
export type ClusterChange = 'nodes' | 'users';

/** List of nodes. Each node reports repeatedly while it runs. */
export interface NodeStore {
  /**
   * Reports this node as present.
   * @returns whether the store has no sessions of this node, or undefined if another running process has its code
   */
  report(own: NodeReport): Promise<{ readonly isNew: boolean } | undefined>;
  /** Key of the internal line between machines. Created by the first server. */
  sealKey(): Promise<Buffer>;
  /** Number of servers and workers on the database. Registers this process. */
  processes(): Promise<number>;
  look(): Promise<KnownNodes>;
  /**
   * Calls `changed` when another process has changed data. Notifications may be late or missing, so callers must also
   * poll.
   */
  listen(changed: (what: ClusterChange) => void): void;
  remove(code: string): Promise<void>;
  /**
   * Stores changes in the sessions of a node.
   * @param changed ID and facts of each new or changed session
   */
  keepSessions(code: string, changed: readonly (readonly [string, string])[], gone: readonly string[]): Promise<void>;
  /** Sends news to all nodes at least once. Nodes that are not available get it later, within an hour. */
  tell(news: string): Promise<void>;
  /** Facts about the sessions of other nodes, without abandoned nodes. */
  sessionsElsewhere(code: string): Promise<readonly string[]>;
}

interface KnownNodes {
  readonly nodes: readonly KnownNode[];
  readonly news: readonly string[];
}

/** Internal line of a node: a socket in a private folder of this machine, or TLS to any machine. */
export type NodeAddress =
  | { readonly kind: 'unix'; readonly path: string }
  | { readonly kind: 'https'; readonly host: string; readonly port: number };

export interface ClusterTls {
  readonly cert: Buffer;
  readonly key: Buffer;
  /** The authority must only sign for nodes of the cluster. */
  readonly ca: Buffer;
  /** DNS name in the certificates of all nodes. */
  readonly name: string;
}
