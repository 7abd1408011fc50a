/** A server of the cluster as operators see it. */
export interface NodeFigures {
  readonly code: string;
  /** Whether it is the one that was asked. */
  readonly isThis: boolean;
  /** `gone`: it has said nothing for a while. */
  readonly state: 'up' | 'draining' | 'gone';
  /** `host:port` of its internal line; empty: only its own machine reaches it. */
  readonly address: string;
  readonly version: string;
  readonly sessions: number;
  /** Since it was heard of last. */
  readonly silentSeconds: number;
}

/** The servers of the cluster; none where there is only one server. */
export interface NodeList {
  readonly nodes: readonly NodeFigures[];
}
