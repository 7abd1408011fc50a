import { readSteps } from '../../config/load-services.js';
import { type Orderer, WorkThreads } from '../../lib/turns/work-threads.js';
import type { StepsReading } from '../../services/service-definition.js';
import type { ScreenDefinition } from '../../tn3270/conversation/screen-definition.js';
import { type KnownScreens, stepsReading } from './service-texts-work.js';

/** Of JSON. Larger documents are read on a thread: one of 64 KiB with a fault in each line takes 50 ms. */
const LARGEST_READ_HERE_BYTES = 8_192;

/** Reads steps that programs post. */
export class PostedSteps {
  readonly #screens: ReadonlyMap<string, ScreenDefinition>;
  #known: KnownScreens | undefined;

  /** @param screens that steps may name */
  constructor(screens: ReadonlyMap<string, ScreenDefinition>) {
    this.#screens = screens;
  }

  /**
   * @param bytes of the JSON that the document was read from
   * @throws ServiceError SVC_ERR_CHECK_COMPLEX, SVC_ERR_CHECK_BUSY; what the signal was aborted with
   */
  async read(document: unknown, bytes: number, orderer: Orderer): Promise<StepsReading> {
    if (bytes <= LARGEST_READ_HERE_BYTES) return readSteps(document, this.#screens);
    this.#known ??= [...this.#screens.values()].map(({ name, conditions }) => [name, conditions.length]);
    return WorkThreads.ofUsers.run(stepsReading, { document, screens: this.#known }, orderer);
  }
}
