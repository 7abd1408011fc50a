import { ServiceError } from '../lib/errors.js';

/** Runs work on the same thing in the order it came, one after the other, and work on different things at once. */
export class OrderedWork {
  /** The last work on each thing; none of these promises rejects. */
  readonly #last = new Map<string, Promise<void>>();
  #count = 0;
  #isClosed = false;

  constructor(readonly mostOperations: number) {}

  #checkRoom(): void {
    if (this.#isClosed) throw new ServiceError('SVC_ERR_SERVICE_STOPPING');
    if (this.#count >= this.mostOperations) {
      throw new ServiceError('SVC_ERR_SERVICE_BUSY', { detail: `${this.#count} changes wait already` });
    }
  }

  /**
   * Settles as the work does.
   * @throws ServiceError SVC_ERR_SERVICE_BUSY where as much is under way or waits as may, SVC_ERR_SERVICE_STOPPING
   */
  async run<T>(thing: string, work: () => Promise<T>): Promise<T> {
    this.#checkRoom();
    this.#count += 1;
    const outcome = (this.#last.get(thing) ?? Promise.resolve()).then(work);
    const done = () => {
      this.#count -= 1;
      if (this.#last.get(thing) === ended) this.#last.delete(thing);
    };
    const ended: Promise<void> = outcome.then(done, done);
    this.#last.set(thing, ended);
    return outcome;
  }

  /** Takes no more work, and resolves when all has ended. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all(this.#last.values());
  }
}
