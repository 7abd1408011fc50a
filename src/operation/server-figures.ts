import type { PoolState } from '../services/pool-state.js';

export interface OutboundReport {
  readonly name: string;
  /** `host:port`; undefined if scenarios name the service. */
  readonly site: string | undefined;
  readonly calls: number;
  readonly failures: number;
  readonly lastFailure: { readonly at: number; readonly reason: string } | undefined;
}

/** State of a host as found by its sessions; no connection is made to find out. */
export interface HostReport {
  readonly name: string;
  readonly address: string | undefined;
  readonly sessions: number;
  readonly pooled: number;
  readonly state: 'reached' | 'notReached' | 'unknown';
}

/** The admin API sends it as JSON (docs/run/operation.md). */
export interface PoolReport extends Omit<PoolState, 'users' | 'isDrained'> {
  readonly stoppedUsers: readonly string[];
  readonly drained: boolean;
}

/** The admin API sends it as JSON (docs/run/operation.md). */
export interface PrinterReport {
  readonly name: string;
  readonly host: string;
  /** True if each terminal session has a printer of its own. */
  readonly ofSessions: boolean;
  readonly printers: number;
  readonly connected: number;
  /** Only of a connected printer that is not `ofSessions`. */
  readonly logicalUnit: string | undefined;
  /** Since server start; if `ofSessions`, only of open sessions. */
  readonly documents: number;
  readonly trouble: string | undefined;
  /** ISO 8601. */
  readonly lastPrinted: string | undefined;
}

export interface ServerFigures {
  readonly outbound: readonly OutboundReport[];
  readonly hosts: readonly HostReport[];
  readonly pools: readonly PoolReport[];
  readonly printers: readonly PrinterReport[];
}
