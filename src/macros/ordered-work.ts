import { ServiceError } from '../lib/errors.js';

/** Runs work on the same thing in order, and work on different things concurrently. */
export class OrderedWork {
  /** Last work on each thing; these promises never reject. */
  readonly #last = new Map<string, Promise<void>>();
  #count = 0;
  #isClosed = false;

  constructor(readonly mostOperations: number) {}

  #checkRoom(): void {
    if (this.#isClosed) throw new ServiceError('SVC_ERR_SERVICE_STOPPING');
    if (this.#count >= this.mostOperations) {
      throw new ServiceError('SVC_ERR_SERVICE_BUSY', { detail: `${this.#count} changes are already waiting` });
    }
  }

  /**
   * Settles with the work.
   * @throws ServiceError SVC_ERR_SERVICE_BUSY if too much work is running or waiting, SVC_ERR_SERVICE_STOPPING
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

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all(this.#last.values());
  }
}
