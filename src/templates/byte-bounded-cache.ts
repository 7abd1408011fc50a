interface Sized {
  readonly bytes: number;
}

/** Caches values by name up to a total number of bytes; the least recently used is dropped first. */
export class ByteBoundedCache<T extends Sized> {
  readonly #values = new Map<string, T>();
  #bytes = 0;

  constructor(readonly mostBytes: number) {}

  get(name: string): T | undefined {
    const value = this.#values.get(name);
    // the order of use matters only when the cache is nearly full
    if (value === undefined || this.#bytes * 2 < this.mostBytes) return value;
    this.#values.delete(name);
    this.#values.set(name, value);
    return value;
  }

  /** The newest value is kept even if it alone exceeds the limit. */
  set(name: string, value: T): void {
    this.delete(name);
    this.#values.set(name, value);
    this.#bytes += value.bytes;
    for (const [oldest, { bytes }] of this.#values) {
      if (this.#bytes <= this.mostBytes || oldest === name) break;
      this.#values.delete(oldest);
      this.#bytes -= bytes;
    }
  }

  delete(name: string): void {
    this.#bytes -= this.#values.get(name)?.bytes ?? 0;
    this.#values.delete(name);
  }
}
