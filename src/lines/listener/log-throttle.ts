/** Lets one event through in each interval and counts the others, so that a flood fills no log. */
export class LogThrottle {
  #nextMilliseconds = Number.NEGATIVE_INFINITY;
  #withheld = 0;

  constructor(private readonly intervalMilliseconds: number) {}

  /** How many events were withheld since the last one let through; undefined where this one is withheld too. */
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
