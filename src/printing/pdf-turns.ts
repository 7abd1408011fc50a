import { ServiceError } from '../lib/errors.js';
import { FairQueue } from '../lib/turns/fair-queue.js';

/** PDFs that are made at once: each takes its turns of the event loop, and holds its pages until it is done. */
const MOST_AT_ONCE = 4;
/** In all. Printers of hosts wait with one document each, and come to no more than there may be sessions. */
const MOST_WAITING = 100_000;
/** Of one address, or of one printer. */
const MOST_WAITING_OF_ONE = 20;

/** So many PDFs are made at once; whoever waits for one is served in turn, each his own in the order they came. */
export class PdfTurns {
  static readonly ofThisProcess = new PdfTurns();

  readonly #queue = new FairQueue<void>({
    most: MOST_WAITING,
    mostOfAddress: MOST_WAITING_OF_ONE,
    refusal: () => new ServiceError('SVC_ERR_SERVICE_BUSY', { detail: 'too many PDFs are being made' }),
  });
  #taken = 0;

  /**
   * @param askedBy the address or the printer that it is made for
   * @throws ServiceError SVC_ERR_SERVICE_BUSY where too many of it wait, and what `make` throws
   */
  async run<Result>(askedBy: string, make: () => Promise<Result>): Promise<Result> {
    if (this.#taken < MOST_AT_ONCE) this.#taken++;
    else await this.#queue.wait(askedBy);
    try {
      return await make();
    } finally {
      if (!this.#queue.serve()) this.#taken--;
    }
  }
}
