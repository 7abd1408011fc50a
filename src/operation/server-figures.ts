/** How an outbound line does. */
export interface OutboundReport {
  readonly name: string;
  /** `host:port`; undefined: scenarios name the service. */
  readonly site: string | undefined;
  /** Since the server was started. */
  readonly calls: number;
  readonly failures: number;
  /** Milliseconds since 1970. */
  readonly lastFailure: { readonly at: number; readonly reason: string } | undefined;
}

/** How a host does, as its sessions have found it: nobody connects only to find out. */
export interface HostReport {
  readonly name: string;
  /** Undefined: it is the simulated one. */
  readonly address: string | undefined;
  /** Of browsers and programs, and of pools. */
  readonly sessions: number;
  readonly pooled: number;
  readonly state: 'reached' | 'notReached' | 'unknown';
}

export interface PoolReport {
  readonly name: string;
  readonly host: string;
  readonly most: number;
  /** Whether an operator has drained it: no call has a session of it. */
  readonly isDrained: boolean;
  /** Sessions that wait for calls, that calls have, and that sign on, come home or sign off. */
  readonly free: number;
  readonly lent: number;
  readonly between: number;
  /** Calls that wait. */
  readonly waiting: number;
  /** Whom the host has refused so often that nobody tries any more. */
  readonly stoppedUsers: readonly string[];
  /** Why its sessions cannot sign on, in words. */
  readonly trouble: string | undefined;
}

/** How a printer of a host does; nothing of what it prints. */
export interface PrinterReport {
  readonly name: string;
  readonly host: string;
  /** Whether each terminal session has one of its own. */
  readonly ofSessions: boolean;
  /** How many there are, and with how many of them the host may print. */
  readonly printers: number;
  readonly connected: number;
  /** Of one that is not of sessions, while it is connected. */
  readonly logicalUnit: string | undefined;
  /** Since the server was started; of sessions, those that are open. */
  readonly documents: number;
  /** Milliseconds since 1970. */
  readonly lastPrinted: number | undefined;
  /** Why one is not connected, does not print or soon will not, in words. */
  readonly trouble: string | undefined;
}

/** What the server is connected to, as it is now. */
export interface ServerFigures {
  readonly outbound: readonly OutboundReport[];
  readonly hosts: readonly HostReport[];
  readonly pools: readonly PoolReport[];
  readonly printers: readonly PrinterReport[];
}
