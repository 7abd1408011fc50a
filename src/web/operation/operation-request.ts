import type { IncomingMessage } from 'node:http';
import type { Actor } from '../../access/audit/audit-entry.js';
import type { Portal } from '../http/client-site.js';

/** A permitted request of the portal or of the admin API. */
export interface OperationRequest {
  readonly portal: Portal;
  readonly actor: Actor;
  /** Part of the path that replaces `:name` of the route. */
  readonly segment: (name: string) => string;
  /** First value of a query parameter; empty if it is missing. */
  readonly query: (name: string) => string;
}

export interface AdminRequest extends OperationRequest {
  /** Path of its route. */
  readonly path: string;
  readonly incoming: IncomingMessage;
}

/** A request of the admin API. */
export interface AdminRoute {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** Scope that the token must have. */
  readonly scope: 'operation' | 'tracing';
  /** Every worker of the machine answers the request. */
  readonly isForAllWorkers?: boolean | undefined;
  readonly answer: (request: AdminRequest) => object | Promise<object>;
}
