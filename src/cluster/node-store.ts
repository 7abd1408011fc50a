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

/** Which nodes there are. Each says so again and again, for as long as it runs. */
export interface NodeStore {
  /** Says that a node is there. @returns what is known; undefined: another process that runs has its code */
  report(own: NodeReport): Promise<KnownNodes | undefined>;
  /** Forgets the node of this process, with its sessions. */
  remove(code: string): Promise<void>;
  /**
   * Puts on record which sessions a node has.
   * @param changed those that are new or different: what they are called, and what others are told of them
   */
  keepSessions(code: string, changed: readonly (readonly [string, string])[], gone: readonly string[]): Promise<void>;
  /** What is on record of the sessions of other nodes. */
  sessionsElsewhere(code: string): Promise<readonly string[]>;
}

interface KnownNodes {
  readonly nodes: readonly KnownNode[];
  /** Nothing of the sessions of this one is on record. */
  readonly isNew: boolean;
}
