import type { StopSignal } from '../../lib/stop-signal.js';
/** The words in which a scenario calls a service over an outbound line. */
export interface OutboundRequest {
  readonly method: string;
  /** `host:port` as the scenario names it; the port is never left out. Also sent as the `Host` header. */
  readonly site: string | undefined;
  /** Path and query, beginning with `/`. */
  readonly path: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Uint8Array | undefined;
  /** For traces of the line. */
  readonly traced?: TracedCaller;
}

interface TracedCaller {
  /** Of the request that the call is made for. */
  readonly id: string;
  /** What the caller has under names of secrets: it is masked wherever it stands. Asked where the line is traced. */
  secrets(): Iterable<string>;
}

export interface OutboundReply {
  readonly status: number;
  /** As sent; undefined if the reply has none. */
  readonly contentType: string | undefined;
  readonly body: Buffer;
}

export interface OutboundCaller {
  /**
   * Sends one request over an outbound line and reads the whole reply.
   * Rejects on every failure: unknown line, refused or broken connection, MAXTIME exceeded, reply too long or broken,
   * `signal` aborted. An HTTP error status is not a failure. Redirects are not followed.
   *
   * @param line internal name of the outbound line
   * @param maxTimeMilliseconds MAXTIME of the send; undefined: only the run's own time limit (the signal) counts
   */
  call(
    line: string,
    request: OutboundRequest,
    maxTimeMilliseconds: number | undefined,
    signal: StopSignal,
  ): Promise<OutboundReply>;
}
