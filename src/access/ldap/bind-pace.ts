import { randomInt } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';

/** How many durations are remembered. */
const MOST_REMEMBERED = 32;

/**
 * How long a directory server takes to compare a password. A name that it does not have is refused after as long a time as one
 * of the last names that it has, so that the time does not tell which names there are.
 */
export class BindPace {
  readonly #now: () => number;
  readonly #durations: number[] = [];
  #oldest = 0;

  /** @param now milliseconds that only grow */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Binds as somebody whom the directory has. */
  async ofEntry<Result>(bind: () => Promise<Result>): Promise<Result> {
    const start = this.#now();
    const result = await bind();
    this.#durations[this.#oldest] = this.#now() - start;
    this.#oldest = (this.#oldest + 1) % MOST_REMEMBERED;
    return result;
  }

  /** Binds as nobody; takes as long as somebody's bind took. */
  async ofNobody<Result>(bind: () => Promise<Result>): Promise<Result> {
    const start = this.#now();
    const result = await bind();
    const { length } = this.#durations;
    const usual = length === 0 ? 0 : (this.#durations[randomInt(length)] ?? 0);
    const left = usual - (this.#now() - start);
    if (left > 0) await wait(left);
    return result;
  }
}
