/** How long the first answer is given again. */
export const IDEMPOTENCY_MILLISECONDS = 24 * 60 * 60 * 1_000;

/** Bounds of what is kept. */
export interface IdempotencyBounds {
  /** Requests in all. */
  readonly most: number;
  /** Of one caller. */
  readonly mostOfCaller: number;
  /** Bytes of their answers, as they are kept. */
  readonly bytes: number;
}

export const idempotencyBounds: IdempotencyBounds = { most: 100_000, mostOfCaller: 25_000, bytes: 256 * 1024 * 1024 };

/** An answer as it is given again. */
export interface KeptAnswer {
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
  /** The body is no UTF-8, and kept as base64. */
  readonly isBase64?: boolean;
  /** Names and values in turn. */
  readonly headers?: readonly string[];
}

/** A request with a key: hashes alone, which say nothing to whoever reads them. */
export interface KeyedRequest {
  /** Of caller and key. */
  readonly id: string;
  /** Of the caller. */
  readonly caller: string;
  /** Of everything that makes it another request; it can be made by nobody who does not know the key. */
  readonly content: string;
}

export type KeyedBeginning =
  /** It is the first: its answer is to be told, or that it was not carried out. */
  | { readonly kind: 'begun' }
  | { readonly kind: 'answered'; readonly answer: KeptAnswer }
  /** The key came with another content. */
  | { readonly kind: 'otherContent' }
  | { readonly kind: 'running' }
  /** The process that ran it has ended, and nobody knows what became of it. */
  | { readonly kind: 'interrupted' }
  /** No more can be kept. */
  | { readonly kind: 'full' };

/**
 * The first answers to requests with keys, for IDEMPOTENCY_MILLISECONDS from their beginning. What was begun or answered is kept
 * before the promise resolves, and outlives the process. Times are milliseconds since 1970.
 * Every method may reject with ServiceError SVC_ERR_STORE_UNAVAILABLE if nothing can be stored at the moment.
 */
export interface IdempotencyStore {
  /**
   * Looks, and begins where it is the first: of several at once one.
   * @param now not given: by the clock of the store
   */
  begin(request: KeyedRequest, now?: number): Promise<KeyedBeginning>;
  /** Keeps the answer of one that was begun. */
  answer(id: string, answer: KeptAnswer): Promise<void>;
  /** Forgets one that was begun and not carried out: it may come again. */
  forget(id: string): Promise<void>;
}
