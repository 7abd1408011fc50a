/** Repeats of an audit entry that were counted and not written. */
export class AuditRepeats {
  more = 0;
  #first = 0;
  #last = 0;

  /** @param now milliseconds since 1970 */
  add(now: number): void {
    if (this.more === 0) this.#first = now;
    this.#last = now;
    this.more++;
  }

  include(later: AuditRepeats): void {
    if (this.more === 0) this.#first = later.#first;
    this.#last = later.#last;
    this.more += later.more;
  }

  /** What the entry says: how many, and the times of the first and the last of them. */
  get facts(): object {
    return {
      more: this.more,
      first: new Date(this.#first).toISOString(),
      last: new Date(this.#last).toISOString(),
    };
  }
}
