/** Addresses remembered; past them the one that began a session longest ago is forgotten. */
const MOST_ADDRESSES = 10_000;
const MINUTE = 60_000;

/** Counts how many sessions an address may begin: as many as it may in a minute at once, then one after the other. */
export class SessionStarts {
  /** By address, the one that began a session last at the end: how many it may begin as of when. */
  readonly #allowances = new Map<string, { readonly left: number; readonly at: number }>();

  /** Milliseconds until the address may begin one more; 0: it may now. */
  wait(address: string, perMinute: number, now: number): number {
    return Math.max(0, ((1 - this.#leftOf(address, perMinute, now)) * MINUTE) / perMinute);
  }

  count(address: string, perMinute: number, now: number): void {
    const left = this.#leftOf(address, perMinute, now) - 1;
    this.#allowances.delete(address);
    this.#allowances.set(address, { left, at: now });
    const [oldest] = this.#allowances.keys();
    if (this.#allowances.size > MOST_ADDRESSES && oldest !== undefined) this.#allowances.delete(oldest);
  }

  #leftOf(address: string, perMinute: number, now: number): number {
    const known = this.#allowances.get(address);
    if (known === undefined) return perMinute;
    return Math.min(perMinute, known.left + ((now - known.at) * perMinute) / MINUTE);
  }
}
