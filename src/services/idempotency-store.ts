export const IDEMPOTENCY_MILLISECONDS = 24 * 60 * 60 * 1_000;

export interface IdempotencyBounds {
  readonly most: number;
  readonly mostOfCaller: number;
  readonly bytes: number;
}

export const idempotencyBounds: IdempotencyBounds = { most: 100_000, mostOfCaller: 25_000, bytes: 256 * 1024 * 1024 };

export interface KeptAnswer {
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
  /** True if the body is not UTF-8 and stored as base64. */
  readonly isBase64?: boolean;
  /** Alternating names and values. */
  readonly headers?: readonly string[];
}

/** A request with an idempotency key. All fields are hashes, so that they reveal nothing about the request. */
export interface KeyedRequest {
  /** Hash of caller and key. */
  readonly id: string;
  readonly caller: string;
  /** Hash of everything that distinguishes requests. It cannot be computed without the idempotency key. */
  readonly content: string;
}

export type KeyedBeginning =
  /** First request with this key: call `answer`, or `forget` if it was not executed. */
  | { readonly kind: 'begun' }
  | { readonly kind: 'answered'; readonly answer: KeptAnswer }
  | { readonly kind: 'otherContent' }
  | { readonly kind: 'running' }
  /** The process that ran the request ended; the outcome is unknown. */
  | { readonly kind: 'interrupted' }
  | { readonly kind: 'full' };

/**
 * Stores the first answers to requests with keys for IDEMPOTENCY_MILLISECONDS after the request started. Promises
 * resolve after the change is on disk. Times are milliseconds since 1970. Every method may reject with ServiceError
 * SVC_ERR_STORE_UNAVAILABLE.
 */
export interface IdempotencyStore {
  /**
   * Atomic: of several concurrent requests with the same key, one gets `begun`. Default for `now`: the store's clock.
   */
  begin(request: KeyedRequest, now?: number): Promise<KeyedBeginning>;
  answer(id: string, answer: KeptAnswer): Promise<void>;
  forget(id: string): Promise<void>;
}
