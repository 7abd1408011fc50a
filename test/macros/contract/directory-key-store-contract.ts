import { expect } from 'chai';
import type { DirectoryKeyRecord, DirectoryKeyStore } from '../../../src/macros/directory-key.js';

/** A store without keys. */
export interface EmptyDirectoryKeyStore {
  readonly store: DirectoryKeyStore;
  /** Another one over the same keys, as a second process has it; the same one where they are those of one process. */
  beside(): Promise<DirectoryKeyStore>;
  remove(): Promise<void>;
}

const NOW = Date.parse('2026-11-21T12:00:00Z');
const LIFE = 1_000;

/** What every store of directory keys does, wherever it keeps them. */
export function directoryKeyStoreContract(what: string, make: () => Promise<EmptyDirectoryKeyStore>): void {
  describe(`${what}, as a store of directory keys`, () => {
    let made: EmptyDirectoryKeyStore;
    let store: DirectoryKeyStore;

    beforeEach(async () => {
      made = await make();
      store = made.store;
    });
    afterEach(() => made.remove());

    const record = (id: string, now = NOW): DirectoryKeyRecord => ({
      id,
      holder: 'admin',
      directory: { level: 'group', name: 'SYSPROG' },
      identity: 'of the first record',
      until: now + LIFE,
    });

    it('gives back what was added, here and in another process, and nothing of another id', async () => {
      expect(await store.find('a', NOW)).to.equal(undefined);
      const everybody: DirectoryKeyRecord = { ...record('b'), directory: { level: 'global' } };
      await store.add(record('a'), NOW);
      await store.add(everybody, NOW);
      expect(await store.find('a', NOW)).to.deep.equal(record('a'));
      expect(await (await made.beside()).find('b', NOW)).to.deep.equal(everybody);
      for (const id of ['A', '', 'a ', "a' OR '1'='1"]) expect(await store.find(id, NOW), id).to.equal(undefined);
    });

    it('has none that is over, to the millisecond', async () => {
      await store.add(record('a'), NOW);
      expect(await store.find('a', NOW + LIFE - 1)).to.not.equal(undefined);
      expect(await store.find('a', NOW + LIFE)).to.equal(undefined);
      await store.add(record('b', NOW + LIFE), NOW + LIFE);
      expect(await store.find('a', NOW + LIFE)).to.equal(undefined);
      expect(await store.find('b', NOW + LIFE)).to.not.equal(undefined);
    });

    it('loses none of many that are added at once, by two processes', async () => {
      const other = await made.beside();
      const ids = Array.from({ length: 100 }, (_, index) => `k${index}`);
      await Promise.all(ids.map((id, index) => (index % 2 === 0 ? store : other).add(record(id), NOW)));
      for (const id of ids) expect(await store.find(id, NOW), id).to.not.equal(undefined);
    });
  });
}
