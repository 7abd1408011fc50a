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
