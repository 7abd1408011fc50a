import { isDeepStrictEqual } from 'node:util';
import type { Configuration } from '../../config/configuration.js';
import type { SharedStores } from '../../postgresql/shared-stores.js';
import { type Part, type Replacement, refused, unchanged } from '../part.js';

/** The database that is shared with other processes: open before the parts that use it are made, closed after them. */
export class StorePart implements Part {
  readonly name = 'store';
  readonly reads = ['store'] as const;
  readonly #store: Configuration['store'];
  readonly #shared: SharedStores | undefined;

  constructor({ store }: Configuration, shared: SharedStores | undefined) {
    this.#store = store;
    this.#shared = shared;
  }

  async start(): Promise<void> {}

  async stop(): Promise<void> {
    await this.#shared?.close();
  }

  async replace({ store }: Configuration): Promise<Replacement> {
    if (isDeepStrictEqual(store, this.#store)) return unchanged;
    return refused({ what: 'store', reason: 'everything that is kept would be elsewhere' });
  }
}
