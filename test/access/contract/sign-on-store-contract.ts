import { expect } from 'chai';
import type { SignOnRecord, SignOnStore } from '../../../src/access/sign-on/sign-on-store.js';

const SIGN_ONS_PER_USER = 50;

/** A store without sign-ons. */
export interface EmptySignOnStore {
  readonly store: SignOnStore;
  /** Another one over the same sign-ons, as a second process has it; the same one where they are those of one process. */
  beside(): Promise<SignOnStore>;
  remove(): Promise<void>;
}

const NOW = Date.parse('2026-11-21T12:00:00Z');
const IDLE = 1_000;
const LONGEST = 10_000;

/** What every store of sign-ons does, wherever it keeps them. */
export function signOnStoreContract(what: string, make: (mostOfUser?: number) => Promise<EmptySignOnStore>): void {
  describe(`${what}, as a store of sign-ons`, () => {
    let made: EmptySignOnStore;
    let store: SignOnStore;

    beforeEach(async () => {
      made = await make();
      store = made.store;
    });
    afterEach(() => made.remove());

    const record = (id: string, userName = 'ANNA', now = NOW): SignOnRecord => ({
      id,
      userName,
      passwordSet: '2026-01-01T00:00:00.000Z',
      until: now + LONGEST,
      idleUntil: now + IDLE,
    });
    const touch = (id: string, now = NOW, from = store) => from.touch(id, now, now + IDLE);

    it('holds nothing at first', async () => {
      expect(await touch('a')).to.equal(undefined);
      expect(await store.remove('a', NOW)).to.equal(undefined);
    });

    it('gives back what was added, here and in another process, and nothing of another id', async () => {
      await store.add(record('a'), NOW);
      const unknown = { ...record('b', 'BERT'), passwordSet: undefined };
      await store.add(unknown, NOW);
      expect(await touch('a')).to.deep.equal(record('a'));
      expect(await touch('b', NOW, await made.beside())).to.deep.equal(unknown);
      for (const id of ['A', '', 'a ', "a' OR '1'='1", 'a\0']) expect(await touch(id), id).to.equal(undefined);
    });

    it('is over after a time without a request, and each request begins that time anew', async () => {
      await store.add(record('a'), NOW);
      expect(await touch('a', NOW + IDLE - 1)).to.include({ idleUntil: NOW + 2 * IDLE - 1 });
      expect(await touch('a', NOW + 2 * IDLE - 2)).to.not.equal(undefined);
      expect(await touch('a', NOW + 3 * IDLE - 2)).to.equal(undefined);
    });

    it('is over at its end, whatever comes', async () => {
      await store.add(record('a'), NOW);
      for (let now = NOW; now < NOW + LONGEST; now += IDLE - 1) expect(await touch('a', now)).to.not.equal(undefined);
      expect(await touch('a', NOW + LONGEST - 1)).to.not.equal(undefined);
      expect(await touch('a', NOW + LONGEST)).to.equal(undefined);
    });

    it('ends no earlier by a request that was under way for long', async () => {
      await store.add(record('a'), NOW);
      await Promise.all([touch('a', NOW + 900), touch('a', NOW + 100), touch('a', NOW + 500)]);
      expect(await touch('a', NOW + 1_899)).to.not.equal(undefined);
    });

    it('gives an ended one to one of those who end it at once, and to nobody again', async () => {
      const other = await made.beside();
      await store.add(record('a'), NOW);
      await store.add(record('b'), NOW);
      const ended = await Promise.all(
        Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? store : other).remove('a', NOW)),
      );
      expect(ended.filter((one) => one !== undefined)).to.deep.equal([record('a')]);
      expect(await touch('a')).to.equal(undefined);
      expect(await touch('b')).to.not.equal(undefined);
      expect(await store.remove('b', NOW + IDLE), 'one that was over').to.equal(undefined);
    });

    it('is not brought back by a request that comes at the same time as its end', async () => {
      for (let round = 0; round < 20; round += 1) {
        const id = `a${round}`;
        await store.add(record(id), NOW);
        await Promise.all([touch(id), store.remove(id, NOW), touch(id), touch(id)]);
        expect(await touch(id)).to.equal(undefined);
      }
    });

    it(`keeps ${SIGN_ONS_PER_USER} of a user, in whatever case, and those of others`, async () => {
      await store.add(record('other', 'BERT'), NOW);
      for (let index = 0; index < SIGN_ONS_PER_USER; index += 1) {
        expect(await store.add(record(`a${index}`), NOW)).to.deep.equal([]);
      }
      // what was asked for last is none the newer for it: the one begun first gives way, and whoever added the other is told
      expect(await touch('a0')).to.not.equal(undefined);
      expect(await store.add(record('one more', 'anna'), NOW)).to.deep.equal([
        { id: 'a0', userName: 'ANNA', bound: 'perUser' },
      ]);
      expect(await touch('a0')).to.equal(undefined);
      expect(await touch('a1')).to.not.equal(undefined);
      expect(await touch('one more')).to.not.equal(undefined);
      expect(await touch('other')).to.not.equal(undefined);
    });

    it('keeps as many of a user as it is told', async () => {
      await made.remove();
      made = await make(2);
      store = made.store;
      for (const id of ['a', 'b']) expect(await store.add(record(id), NOW)).to.deep.equal([]);
      expect(await store.add(record('c'), NOW)).to.deep.equal([{ id: 'a', userName: 'ANNA', bound: 'perUser' }]);
      expect(await touch('a')).to.equal(undefined);
      expect(await touch('b')).to.not.equal(undefined);
    });

    it('counts only those that are not over', async () => {
      for (let index = 0; index < SIGN_ONS_PER_USER; index += 1) {
        await store.add(record(`a${index}`, 'ANNA', index === 1 ? NOW + IDLE : NOW), NOW);
      }
      await touch('a0', NOW + IDLE - 1);
      const later = NOW + IDLE;
      for (let index = 0; index < SIGN_ONS_PER_USER - 2; index += 1) {
        await store.add(record(`b${index}`, 'ANNA', later), later);
      }
      for (const id of ['a0', 'a1', 'b0']) expect(await touch(id, later), id).to.not.equal(undefined);
    });

    it('keeps no more of a user where many sign on at once', async () => {
      const other = await made.beside();
      const ids = Array.from({ length: SIGN_ONS_PER_USER + 25 }, (_, index) => `a${index}`);
      await Promise.all(ids.map((id, index) => (index % 2 === 0 ? store : other).add(record(id), NOW)));
      const kept = await Promise.all(ids.map((id) => touch(id)));
      expect(kept.filter((one) => one !== undefined)).to.have.length(SIGN_ONS_PER_USER);
    });
  });
}
