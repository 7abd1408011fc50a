import { isDeepStrictEqual } from 'node:util';
import type { SharedStores } from '../../cluster/postgresql/shared-stores.js';
import type { Configuration } from '../../config/configuration.js';
import type { Condition } from '../../operation/health/health.js';
import { remembered } from '../../operation/health/remembered-condition.js';
import { type Part, type Replacement, refused, unchanged } from '../part.js';

/** The database that is shared with other processes: open before the parts that use it are made, closed after them. */
export class StorePart implements Part {
  readonly name = 'store';
  readonly reads = ['store'] as const;
  readonly #store: Configuration['store'];
  readonly #shared: SharedStores | undefined;
  readonly #conditions: readonly Condition[];

  constructor({ store }: Configuration, shared: SharedStores | undefined) {
    this.#store = store;
    this.#shared = shared;
    this.#conditions = shared === undefined ? [] : [remembered({ name: 'database', fault: () => shared.writeFault() })];
  }

  /** Health of the database; files have the checks of their folders. */
  get conditions(): readonly Condition[] {
    return this.#conditions;
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
