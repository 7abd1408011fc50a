import type { Failures, TryBeginning, TryRule, TryStore } from './try-store.js';

interface Try {
  hasFailed: boolean;
  /** Undefined: until cleared. */
  until: number | undefined;
}

/** Attempts in one process. Past the limit, the key with the oldest last attempt is evicted. */
export class MemoryTryStore implements TryStore {
  readonly #mostKeys: number;
  /** Key with the oldest last attempt first. */
  readonly #tries = new Map<string, Map<string, Try>>();
  #lastId = 0;

  constructor(mostKeys: number) {
    this.#mostKeys = mostKeys;
  }

  async begin(key: string, { most, now, until }: TryRule): Promise<TryBeginning> {
    const tries = this.#current(key, now) ?? new Map<string, Try>();
    if (tries.size >= most) return { kind: 'full', failures: failuresOf(tries) };
    const id = String(++this.#lastId);
    tries.set(id, { hasFailed: false, until });
    this.#tries.delete(key);
    this.#tries.set(key, tries);
    this.#forgetOldest();
    return { kind: 'begun', id };
  }

  async fail(key: string, id: string, { now, until }: { now: number; until: number | undefined }): Promise<number> {
    const tries = this.#current(key, now) ?? new Map<string, Try>();
    tries.set(id, { hasFailed: true, until });
    this.#tries.set(key, tries);
    this.#forgetOldest();
    return failuresOf(tries).count;
  }

  async release(key: string, id: string): Promise<void> {
    this.#forget(key, (_, one) => one === id);
  }

  async clear(key: string): Promise<void> {
    this.#forget(key, ({ hasFailed }) => hasFailed);
  }

  async failures(key: string, now: number): Promise<Failures> {
    return failuresOf(this.#current(key, now) ?? new Map());
  }

  #current(key: string, now: number): Map<string, Try> | undefined {
    this.#forget(key, ({ until }) => until !== undefined && until <= now);
    return this.#tries.get(key);
  }

  #forget(key: string, isForgotten: (one: Try, id: string) => boolean): void {
    const tries = this.#tries.get(key);
    if (tries === undefined) return;
    for (const [id, one] of tries) if (isForgotten(one, id)) tries.delete(id);
    if (tries.size === 0) this.#tries.delete(key);
  }

  /** Keeps keys with attempts in progress, which are limited elsewhere. */
  #forgetOldest(): void {
    for (const [key, tries] of this.#tries) {
      if (this.#tries.size <= this.#mostKeys) return;
      if ([...tries.values()].every(({ hasFailed }) => hasFailed)) this.#tries.delete(key);
    }
  }
}

function failuresOf(tries: ReadonlyMap<string, Try>): Failures {
  const failed = [...tries.values()].filter(({ hasFailed }) => hasFailed);
  const ends = failed.flatMap(({ until }) => until ?? []);
  return { count: failed.length, firstUntil: ends.length === 0 ? undefined : Math.min(...ends) };
}
