const FIRST_MILLISECONDS = 1_000;
const LONGEST_MILLISECONDS = 30_000;

/** Delays retries with a host in trouble: 1, 2, 4 … 30 s. */
export class RetryPace {
  readonly #again: () => void;
  #milliseconds = 0;
  #nextAt = 0;
  #trouble: string | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isStopped = false;

  constructor(again: () => void) {
    this.#again = again;
  }

  get trouble(): string | undefined {
    return this.#trouble;
  }

  get leftMilliseconds(): number {
    return Math.max(0, this.#nextAt - performance.now());
  }

  /** @returns time until the next try; undefined if an earlier failure has already scheduled it */
  failed(trouble: string): number | undefined {
    const isKnown = this.leftMilliseconds > 0;
    this.#trouble = trouble;
    if (isKnown) return undefined;
    this.#milliseconds = Math.min(LONGEST_MILLISECONDS, this.#milliseconds * 2 || FIRST_MILLISECONDS);
    this.#nextAt = performance.now() + this.#milliseconds;
    this.again(this.#milliseconds);
    return this.#milliseconds;
  }

  /** Resets the pace. @returns true if the host was in trouble */
  isOver(): boolean {
    const was = this.#trouble !== undefined;
    this.#trouble = undefined;
    this.#milliseconds = 0;
    this.#nextAt = 0;
    return was;
  }

  again(milliseconds: number): void {
    if (this.#isStopped) return;
    clearTimeout(this.#timer);
    // timers may fire slightly early
    this.#timer = setTimeout(this.#again, Math.ceil(milliseconds) + 1).unref();
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
  }
}
