/**
 * The part of AbortSignal that waiting code needs. An AbortSignal can be used instead. AbortController is too slow to
 * create for every request: it costs as much as the rest of a short scenario.
 */
export interface StopSignal {
  readonly aborted: boolean;
  readonly reason?: unknown;
  addEventListener(type: 'abort', listener: () => void): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

/** Stop signal with its trigger. Calls each listener once. Listeners added after the stop are not called. */
export class StopSource implements StopSignal {
  aborted = false;
  reason: unknown;
  #listeners: (() => void)[] = [];

  addEventListener(_type: 'abort', listener: () => void): void {
    this.#listeners.push(listener);
  }

  removeEventListener(_type: 'abort', listener: () => void): void {
    const index = this.#listeners.indexOf(listener);
    if (index >= 0) this.#listeners.splice(index, 1);
  }

  abort(reason?: unknown): void {
    if (this.aborted) return;
    this.aborted = true;
    this.reason = reason;
    for (const listener of this.#listeners.splice(0)) listener();
  }
}
