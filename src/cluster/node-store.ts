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
  /** Says that a node is there. @returns all that are known; undefined: another process that runs has its code */
  report(own: NodeReport): Promise<readonly KnownNode[] | undefined>;
  /** Forgets a node: that of this process when it stops, or one that is gone. */
  remove(code: string): Promise<void>;
}
