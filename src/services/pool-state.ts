export interface PoolDefinition {
  readonly name: string;
  readonly host: string;
  /** Number of free sessions to keep signed on, within `most`. */
  readonly ready: number;
  readonly most: number;
  readonly users: readonly PoolUserDefinition[];
  readonly sessionsPerUser: number;
  /** Names of services without a pool. */
  readonly signOn: string;
  readonly signOff: string | undefined;
  /** Screen on which a session must be before it is lent and after it is returned. */
  readonly home: string;
  readonly returnHome: readonly string[];
  readonly checkoutMilliseconds: number;
  readonly waitMilliseconds: number;
  /** Idle sessions beyond `ready` are signed off after this time. */
  readonly idleMilliseconds: number;
  /** Silence after which a keep-alive is sent; undefined to send none. */
  readonly keepAliveMilliseconds: number | undefined;
}

export interface PoolUserDefinition {
  readonly user: string;
  /** UTF-8 bytes, because a string would appear in heap snapshots. */
  readonly password: Uint8Array;
}

export interface PoolState {
  readonly name: string;
  readonly host: string;
  readonly most: number;
  readonly isDrained: boolean;
  readonly free: number;
  readonly lent: number;
  /** Sessions that sign on, return to the home screen or sign off. */
  readonly between: number;
  readonly waiting: number;
  readonly users: readonly PoolUserState[];
  /** Reason why the host accepts no sessions now; undefined if it does. */
  readonly trouble: string | undefined;
}

export interface PoolUserState {
  readonly user: string;
  readonly sessions: number;
  readonly refusals: number;
  /** Too many refusals. The pool retries this user only after a restart or with a new password. */
  readonly isStopped: boolean;
}

/** Why a call got no session, or lost it. */
export type PoolOutcome =
  | { readonly kind: 'noSession'; readonly retryAfterSeconds: number }
  | { readonly kind: 'hostUnreachable'; readonly retryAfterSeconds: number }
  | { readonly kind: 'drained'; readonly retryAfterSeconds: number }
  /** The host refused all users of the pool too often; see `PoolUserState.isStopped`. */
  | { readonly kind: 'cannotSignOn' }
  | { readonly kind: 'overTime'; readonly seconds: number }
  | { readonly kind: 'stopping' };
