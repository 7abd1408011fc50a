/** What a node says of itself. */
export interface NodeReport {
  readonly code: string;
  /** `host:port` of its internal line; empty: it has none, and only its own machine reaches it. */
  readonly address: string;
  readonly version: string;
  readonly state: 'up' | 'draining';
  readonly sessions: number;
}

/** What others know of it. */
export interface KnownNode extends NodeReport {
  /** For how long it has said nothing, by the clock of the database. */
  readonly silentMilliseconds: number;
}

/** What has changed: which nodes there are, how they do and what they tell each other; or users and groups. */
export type ClusterChange = 'nodes' | 'users';

/** Which nodes there are. Each says so again and again, for as long as it runs. */
export interface NodeStore {
  /**
   * Says that a node is there.
   * @returns whether nothing of its sessions is on record; undefined: another process that runs has its code
   */
  report(own: NodeReport): Promise<{ readonly isNew: boolean } | undefined>;
  /** The key of the internal line between machines: the first server that asks makes it. */
  sealKey(): Promise<Buffer>;
  /** How many servers and workers use the database; this one is among them, and others see it from then on. */
  processes(): Promise<number>;
  /** What is known. */
  look(): Promise<KnownNodes>;
  /**
   * Has something done as soon as another process has changed something. That may come late, or never: whoever must know of it looks
   * now and then.
   */
  listen(changed: (what: ClusterChange) => void): void;
  /** Forgets the node of this process, with its sessions. */
  remove(code: string): Promise<void>;
  /**
   * Puts on record which sessions a node has.
   * @param changed those that are new or different: what they are called, and what others are told of them
   */
  keepSessions(code: string, changed: readonly (readonly [string, string])[], gone: readonly string[]): Promise<void>;
  /** Tells all nodes something, each at least once; those that cannot read it now are told later, within an hour. */
  tell(news: string): Promise<void>;
  /** What is on record of the sessions of other nodes, but for those that are gone for good. */
  sessionsElsewhere(code: string): Promise<readonly string[]>;
}

interface KnownNodes {
  readonly nodes: readonly KnownNode[];
  /** What was told lately, by anybody. */
  readonly news: readonly string[];
}

/** Where the internal line of a node is: a socket of this machine, in a folder that nobody else may enter, or TLS to any machine. */
export type NodeAddress =
  | { readonly kind: 'unix'; readonly path: string }
  | { readonly kind: 'https'; readonly host: string; readonly port: number };

/** What both ends of the internal line show, and ask of each other. */
export interface ClusterTls {
  readonly cert: Buffer;
  readonly key: Buffer;
  /** Of the authority that signs for the nodes of the cluster alone. */
  readonly ca: Buffer;
  /** The DNS name that the certificates of all its nodes have. */
  readonly name: string;
}
