import {
  type DirectoryKeyRecord,
  type DirectoryKeyStore,
  MOST_DIRECTORY_KEYS,
  MOST_DIRECTORY_KEYS_OF_HOLDER,
} from './directory-key.js';

export class MemoryDirectoryKeyStore implements DirectoryKeyStore {
  /** In the order of their addition. */
  readonly #records = new Map<string, DirectoryKeyRecord>();
  /** Key IDs of each holder in the order of their addition. */
  readonly #ofHolders = new Map<string, Set<string>>();

  async add(record: DirectoryKeyRecord, now: number): Promise<void> {
    for (const [id, { until }] of this.#records) {
      if (until > now) break;
      this.#forget(id);
    }
    this.#records.set(record.id, record);
    const ofHolder = (this.#ofHolders.get(record.holder) ?? new Set()).add(record.id);
    this.#ofHolders.set(record.holder, ofHolder);
    if (ofHolder.size > MOST_DIRECTORY_KEYS_OF_HOLDER) this.#forgetFirst(ofHolder);
    if (this.#records.size > MOST_DIRECTORY_KEYS) this.#forgetFirst(this.#records.keys());
  }

  async find(id: string, now: number): Promise<DirectoryKeyRecord | undefined> {
    const record = this.#records.get(id);
    return record === undefined || record.until <= now ? undefined : record;
  }

  #forgetFirst(ids: Iterable<string>): void {
    for (const id of ids) {
      this.#forget(id);
      return;
    }
  }

  #forget(id: string): void {
    const record = this.#records.get(id);
    if (record === undefined) return;
    this.#records.delete(id);
    const ofHolder = this.#ofHolders.get(record.holder);
    ofHolder?.delete(id);
    if (ofHolder?.size === 0) this.#ofHolders.delete(record.holder);
  }
}
