export class LogThrottle {
  #nextMilliseconds = Number.NEGATIVE_INFINITY;
  #withheld = 0;

  constructor(private readonly intervalMilliseconds: number) {}

  /** @returns the number of suppressed events since the last one that passed; undefined to suppress this event */
  pass(nowMilliseconds: number): number | undefined {
    if (nowMilliseconds < this.#nextMilliseconds) {
      this.#withheld += 1;
      return undefined;
    }
    this.#nextMilliseconds = nowMilliseconds + this.intervalMilliseconds;
    const withheld = this.#withheld;
    this.#withheld = 0;
    return withheld;
  }
}
