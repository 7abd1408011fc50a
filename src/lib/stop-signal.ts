/**
 * Tells those who wait that they are to stop: the part of an AbortSignal that a wait needs, so that an AbortSignal is
 * one too. One is made for every request, and AbortController costs as much as the rest of a short scenario.
 */
export interface StopSignal {
  readonly aborted: boolean;
  /** What it was given with, for those who throw it. */
  readonly reason?: unknown;
  addEventListener(type: 'abort', listener: () => void): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

/** A stop signal and the way to give it. A listener is called once, and not at all where the stop came before. */
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
