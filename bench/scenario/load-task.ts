/** One request and the body that its answer must have. */
export interface KnownAnswer {
  readonly path: string;
  readonly body: string;
}

/** What the load generator is told to do; it ends after `milliseconds` or after `requests`, whichever is given. */
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
  /** Answers that were not what they must be, and connections that broke. */
  readonly failures: number;
  /** The first of them, in words. */
  readonly firstFailure: string | undefined;
}
