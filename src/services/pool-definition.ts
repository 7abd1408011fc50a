/** Sessions of a host, signed on and waiting for calls. */
export interface PoolDefinition {
  readonly name: string;
  /** Name of the host. */
  readonly host: string;
  /** Kept signed on and waiting, as far as `most` allows. */
  readonly ready: number;
  /** Sessions in all. */
  readonly most: number;
  readonly users: readonly PoolUserDefinition[];
  /** That a user may have at the same time. */
  readonly sessionsPerUser: number;
  /** Names of services without a pool. */
  readonly signOn: string;
  readonly signOff: string | undefined;
  /** Name of the screen where a session must stand to be lent, and to be taken back. */
  readonly home: string;
  /** Attention keys, pressed one at a time until a session stands there. */
  readonly returnHome: readonly string[];
  readonly checkoutMilliseconds: number;
  readonly waitMilliseconds: number;
  /** Sessions that nobody has used for so long are signed off, but for `ready` of them. */
  readonly idleMilliseconds: number;
  /** Of silence, until the connection is told to be alive; undefined: nothing is sent. */
  readonly keepAliveMilliseconds: number | undefined;
}

export interface PoolUserDefinition {
  readonly user: string;
  /** In UTF-8: a string would be in every picture of the memory. */
  readonly password: Uint8Array;
}

/** What a pool is now: for health, and for who looks after it. */
export interface PoolState {
  readonly name: string;
  readonly host: string;
  readonly most: number;
  /** Whether an operator has drained it: no call has a session of it. */
  readonly isDrained: boolean;
  /** Sessions signed on and waiting for a call. */
  readonly free: number;
  readonly lent: number;
  /** Signing on, coming home, signing off. */
  readonly between: number;
  /** Calls that wait for a session. */
  readonly waiting: number;
  readonly users: readonly PoolUserState[];
  /** Why no session can be had of the host now, in words; undefined: it can. */
  readonly trouble: string | undefined;
}

export interface PoolUserState {
  readonly user: string;
  readonly sessions: number;
  /** Sign-ons in a row that the host has refused. */
  readonly refusals: number;
  /** Refused too often: no sign-on is tried until somebody has looked at it. */
  readonly isStopped: boolean;
}

/** Why a call has had no session, or not for long enough. */
export type PoolOutcome =
  /** None was free in time, or too many calls wait. */
  | { readonly kind: 'noSession'; readonly retryAfterSeconds: number }
  /** There is none, and none can be had of the host now. */
  | { readonly kind: 'hostUnreachable'; readonly retryAfterSeconds: number }
  /** An operator has drained the pool. */
  | { readonly kind: 'drained'; readonly retryAfterSeconds: number }
  /** The host has refused all users of the pool, and nobody tries again until somebody has looked at it. */
  | { readonly kind: 'cannotSignOn' }
  /** The call took longer than a session is lent for. */
  | { readonly kind: 'overTime'; readonly seconds: number }
  /** The server stops. */
  | { readonly kind: 'stopping' };
