export interface KnownAnswer {
  readonly path: string;
  readonly body: string;
}

/** Task of the load generator. It ends after `milliseconds` or after `requests`. */
export interface LoadTask {
  readonly port: number;
  readonly connections: number;
  readonly milliseconds: number | undefined;
  readonly requests: number | undefined;
  readonly answers: readonly KnownAnswer[];
}

export interface LoadResult {
  readonly requests: number;
  readonly seconds: number;
  readonly p50Milliseconds: number;
  readonly p99Milliseconds: number;
  readonly failures: number;
  readonly firstFailure: string | undefined;
}
