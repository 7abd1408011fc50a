const PAUSE_MILLISECONDS = 1_000;
const MOST_WAITING = 10_000;

/** What the database could not do is tried again until it is done: one after the other, in the order in which it failed. */
export class RepeatedWork {
  readonly #waiting: (() => Promise<unknown>)[] = [];
  #timer: NodeJS.Timeout | undefined;
  #isOver = false;

  /** @returns false where it is not tried again, as there is more than there may be */
  add(work: () => Promise<unknown>): boolean {
    if (this.#isOver || this.#waiting.length >= MOST_WAITING) return false;
    this.#waiting.push(work);
    if (this.#waiting.length === 1) this.#soon();
    return true;
  }

  close(): void {
    this.#isOver = true;
    this.#waiting.length = 0;
    clearTimeout(this.#timer);
  }

  #soon(): void {
    if (!this.#isOver) this.#timer = setTimeout(() => void this.#repeat(), PAUSE_MILLISECONDS).unref();
  }

  async #repeat(): Promise<void> {
    try {
      for (let [first] = this.#waiting; first !== undefined; [first] = this.#waiting) {
        await first();
        this.#waiting.shift();
      }
    } catch {
      this.#soon();
    }
  }
}
