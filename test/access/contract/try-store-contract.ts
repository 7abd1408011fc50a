import { expect } from 'chai';
import type { TryBeginning, TryStore } from '../../../src/access/sign-on/try-store.js';

/** A store without tries. */
export interface EmptyTryStore {
  readonly store: TryStore;
  /** Another one over the same tries, as a second process has it; the same one where they are those of one process. */
  beside(): Promise<TryStore>;
  remove(): Promise<void>;
}

const NOW = Date.parse('2026-11-21T12:00:00Z');
const LEASE = 1_000;
const MOST = 5;

/** What every store of tries does, wherever it keeps them. */
export function tryStoreContract(what: string, make: () => Promise<EmptyTryStore>): void {
  describe(`${what}, as a store of tries`, () => {
    let made: EmptyTryStore;
    let store: TryStore;

    beforeEach(async () => {
      made = await make();
      store = made.store;
    });
    afterEach(() => made.remove());

    const begin = (key = 'a', now = NOW, most = MOST, from = store) =>
      from.begin(key, { most, now, until: now + LEASE });
    const idOf = (begun: TryBeginning) => (begun.kind === 'begun' ? begun.id : '');
    const count = async (key = 'a', now = NOW) => (await store.failures(key, now)).count;
    const fail = async (until: number | undefined, now = NOW, key = 'a') =>
      store.fail(key, idOf(await begin(key, now)), { now, until });

    it('holds nothing at first', async () => {
      expect(await store.failures('a', NOW)).to.deep.equal({ count: 0, firstUntil: undefined });
      await store.clear('a');
      await store.release('a', '1');
      expect(await begin('a', NOW, 0)).to.deep.equal({ kind: 'full', failures: { count: 0, firstUntil: undefined } });
    });

    it('has no room where as many have failed, or could yet, as may', async () => {
      const ids: string[] = [];
      for (let index = 0; index < MOST; index += 1) ids.push(idOf(await begin()));
      expect(new Set(ids).size).to.equal(MOST);
      expect(await begin()).to.deep.equal({ kind: 'full', failures: { count: 0, firstUntil: undefined } });
      expect(await store.fail('a', ids[0] ?? '', { now: NOW, until: NOW + 70 })).to.equal(1);
      expect(await store.fail('a', ids[1] ?? '', { now: NOW, until: NOW + 50 })).to.equal(2);
      expect(await begin()).to.deep.equal({ kind: 'full', failures: { count: 2, firstUntil: NOW + 50 } });
      await store.release('a', ids[2] ?? '');
      expect((await begin()).kind).to.equal('begun');
      expect((await begin()).kind).to.equal('full');
      expect((await begin('b')).kind, 'another key').to.equal('begun');
      expect((await begin('A')).kind, 'another key').to.equal('begun');
    });

    it('counts a failure until its time, to the millisecond, or for ever', async () => {
      expect(await fail(NOW + 100)).to.equal(1);
      expect(await fail(NOW + 200, NOW + 50)).to.equal(2);
      expect(await store.failures('a', NOW + 99)).to.deep.equal({ count: 2, firstUntil: NOW + 100 });
      expect(await store.failures('a', NOW + 100)).to.deep.equal({ count: 1, firstUntil: NOW + 200 });
      expect(await count('a', NOW + 200)).to.equal(0);
      expect(await fail(undefined, NOW, 'b')).to.equal(1);
      const never = { count: 1, firstUntil: undefined };
      expect(await store.failures('b', NOW + 1e12)).to.deep.equal(never);
    });

    it('takes a try whose process says no more for none, and counts it still where it is told late', async () => {
      const ids: string[] = [];
      for (let index = 0; index < MOST; index += 1) ids.push(idOf(await begin()));
      expect((await begin('a', NOW + LEASE - 1)).kind).to.equal('full');
      expect((await begin('a', NOW + LEASE)).kind).to.equal('begun');
      expect(await store.fail('a', ids[0] ?? '', { now: NOW + LEASE, until: NOW + 5 * LEASE })).to.equal(1);
      expect(await count('a', NOW + 4 * LEASE)).to.equal(1);
    });

    it('clears what has failed, and not what is under way', async () => {
      for (let index = 0; index < MOST - 1; index += 1) await fail(undefined);
      const last = idOf(await begin());
      await store.clear('a');
      expect(await count()).to.equal(0);
      for (let index = 0; index < MOST - 1; index += 1) expect((await begin()).kind).to.equal('begun');
      expect((await begin()).kind).to.equal('full');
      expect(await store.fail('a', last, { now: NOW, until: undefined })).to.equal(1);
    });

    it('tells a try once for what it was: failing twice counts once', async () => {
      const id = idOf(await begin());
      await store.fail('a', id, { now: NOW, until: NOW + 100 });
      expect(await store.fail('a', id, { now: NOW, until: NOW + 100 })).to.equal(1);
      await store.release('a', 'no such try');
      expect(await count()).to.equal(1);
    });

    it('begins so many of a hundred at once, of two processes, and no more', async () => {
      const other = await made.beside();
      const begun = await Promise.all(
        Array.from({ length: 100 }, (_, index) => begin('a', NOW, MOST, index % 2 === 0 ? store : other)),
      );
      expect(begun.filter(({ kind }) => kind === 'begun')).to.have.length(MOST);
      expect(new Set(begun.map(idOf)).size).to.equal(MOST + 1);
    });

    it('loses no failure of many at once, of two processes, and tells the last of them how many there are', async () => {
      const other = await made.beside();
      const many = 40;
      const begun = await Promise.all(Array.from({ length: many }, () => begin('a', NOW, many)));
      const counts = await Promise.all(
        begun.map((one, index) =>
          (index % 2 === 0 ? store : other).fail('a', idOf(one), { now: NOW, until: NOW + LEASE }),
        ),
      );
      expect(await count()).to.equal(many);
      expect(Math.max(...counts)).to.equal(many);
      expect((await begin('a', NOW, many)).kind).to.equal('full');
      expect((await begin('a', NOW + LEASE, many)).kind).to.equal('begun');
    });
  });
}
