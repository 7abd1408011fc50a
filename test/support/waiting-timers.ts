export class WaitingTimers {
  readonly #callbacks = new Map<NodeJS.Timeout, () => void>();
  readonly #restore: () => void;

  constructor(milliseconds: number) {
    const { setTimeout: realSet, clearTimeout: realClear } = globalThis;
    const set = (callback: (...args: unknown[]) => void, delay = 0, ...args: unknown[]) => {
      if (delay !== milliseconds) return realSet(callback, delay, ...args);
      const timer = realSet(() => undefined, NEVER).unref();
      this.#callbacks.set(timer, () => callback(...args));
      return timer;
    };
    globalThis.setTimeout = Object.assign(set, realSet);
    globalThis.clearTimeout = (timer) => {
      if (typeof timer === 'object') this.#callbacks.delete(timer);
      realClear(timer);
    };
    this.#restore = () => Object.assign(globalThis, { setTimeout: realSet, clearTimeout: realClear });
  }

  get count(): number {
    return this.#callbacks.size;
  }

  fire(): void {
    const callbacks = [...this.#callbacks.values()];
    this.#callbacks.clear();
    for (const callback of callbacks) callback();
  }

  restore(): void {
    this.#restore();
  }
}

/** Longest delay of setTimeout. */
const NEVER = 2 ** 31 - 1;
