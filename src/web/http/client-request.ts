import type { IncomingMessage } from 'node:http';
import type { StopSignal } from '../../lib/stop-signal.js';
import type { RequestPath, RequestTarget } from './request-path.js';

/** A request to a client line, parsed. */
export interface ClientRequest<Path extends RequestPath = RequestPath> {
  readonly id: string;
  readonly incoming: IncomingMessage;
  readonly target: RequestTarget;
  readonly path: Path;
  readonly parameters: ReadonlyMap<string, readonly string[]>;
  readonly body: Buffer | undefined;
  /** Aborted when the client goes away before its answer is written. */
  readonly signal: StopSignal;
}
