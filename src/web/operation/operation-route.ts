import type { IncomingMessage } from 'node:http';
import type { Actor } from '../../access/audit/audit-entry.js';
import type { LineOperations } from '../../operation/line-operations.js';
import type { NodeList } from '../../operation/node-list.js';
import type { PoolOperations } from '../../operation/pool-operations.js';
import type { ServerFigures } from '../../operation/server-figures.js';
import type { ServerOperations } from '../../operation/server-operations.js';
import type { SessionOperations } from '../../operation/session-operations.js';
import type { TraceOperations } from '../../operation/trace-operations.js';

export const root = '/api/admin/v1';

export interface OperationRequest {
  readonly lines: LineOperations;
  readonly nodes: NodeList;
  readonly pools: PoolOperations;
  readonly figures: ServerFigures;
  readonly sessions: SessionOperations;
  readonly server: ServerOperations;
  readonly traces: TraceOperations;
  readonly actor: Actor;
  /** The line, session or other thing of the path. */
  readonly named: string;
  query(name: string): string;
  readonly incoming: IncomingMessage;
  /**
   * Has the other workers of this machine do what this one has done.
   * @throws ServiceError SVC_ERR_OPERATION_REFUSED where one of them could not
   */
  byAllWorkers(): Promise<void>;
}

export interface OperationRoute {
  readonly method: 'GET' | 'POST';
  /** Names that begin with a colon stand for anything. */
  readonly path: string;
  /** That a token must have; not there: `operation`. */
  readonly scope?: 'tracing';
  answer(request: OperationRequest): object | Promise<object>;
}
