import { expect } from 'chai';
import type { IdempotencyBounds, IdempotencyStore, KeyedRequest } from '../../../src/services/idempotency-store.js';

/** A store without requests. */
export interface EmptyIdempotencyStore {
  readonly store: IdempotencyStore;
  /** The one that a process has that begins when the other was killed. */
  again(): Promise<IdempotencyStore>;
  remove(): Promise<void>;
}

const NOW = Date.parse('2026-11-22T12:00:00Z');
const NEXT_DAY = Date.parse('2026-11-23T12:00:00Z');
const request = (id: string, content = 'content', caller = 'caller'): KeyedRequest => ({ id, caller, content });
const answer = { status: 200, contentType: 'application/json', body: '{"name":"Müller","balance":"1.50"}' };

/** What every store of first answers does, wherever it keeps them. */
export function idempotencyStoreContract(
  what: string,
  make: (bounds?: IdempotencyBounds) => Promise<EmptyIdempotencyStore>,
): void {
  describe(`${what}, as a store of first answers`, () => {
    let made: EmptyIdempotencyStore;
    let store: IdempotencyStore;

    beforeEach(async () => {
      made = await make();
      store = made.store;
    });
    afterEach(() => made.remove());

    it('gives the first answer again for 24 hours, and no longer', async () => {
      expect(await store.begin(request('a'), NOW)).to.deep.equal({ kind: 'begun' });
      await store.answer('a', answer);
      const last = NEXT_DAY - 1;
      expect(await store.begin(request('a'), last)).to.deep.equal({ kind: 'answered', answer });
      expect(await store.begin(request('b'), last)).to.deep.equal({ kind: 'begun' });
      expect(await store.begin(request('a'), last + 1)).to.deep.equal({ kind: 'begun' });
    });

    it('tells one that is running, and another content in either state', async () => {
      await store.begin(request('a'), NOW);
      expect(await store.begin(request('a'), NOW)).to.deep.equal({ kind: 'running' });
      expect(await store.begin(request('a', 'other'), NOW)).to.deep.equal({ kind: 'otherContent' });
      await store.answer('a', answer);
      expect(await store.begin(request('a', 'other'), NOW)).to.deep.equal({ kind: 'otherContent' });
    });

    it('lets one of several begin that come at once', async () => {
      const beginnings = await Promise.all(Array.from({ length: 20 }, () => store.begin(request('a'), NOW)));
      const kinds = beginnings.map(({ kind }) => kind).sort();
      expect(kinds).to.deep.equal(['begun', ...Array.from({ length: 19 }, () => 'running')]);
    });

    it('forgets what was not carried out: it may come again, with whatever', async () => {
      await store.begin(request('a'), NOW);
      await store.forget('a');
      expect(await store.begin(request('a', 'other'), NOW)).to.deep.equal({ kind: 'begun' });
    });

    it('outlives the process: answers are given again, and what ran is told to be interrupted', async () => {
      await store.begin(request('answered'), NOW);
      await store.answer('answered', answer);
      await store.begin(request('running'), NOW);
      await store.begin(request('forgotten'), NOW);
      await store.forget('forgotten');
      const later = await made.again();
      expect(await later.begin(request('answered'), NOW)).to.deep.equal({ kind: 'answered', answer });
      expect(await later.begin(request('answered', 'other'), NOW)).to.deep.equal({ kind: 'otherContent' });
      expect(await later.begin(request('running'), NOW)).to.deep.equal({ kind: 'interrupted' });
      expect(await later.begin(request('forgotten'), NOW)).to.deep.equal({ kind: 'begun' });
      const last = await made.again();
      expect(await last.begin(request('running'), NOW)).to.deep.equal({ kind: 'interrupted' });
    });

    it('keeps so many, so many of a caller, and so many bytes; those that are over make room', async () => {
      const bounded = await make({ most: 3, mostOfCaller: 2, bytes: 10_000 });
      const tight = bounded.store;
      const begin = async (id: string, caller: string, now = NOW) =>
        (await tight.begin(request(id, 'content', caller), now)).kind;
      expect(await begin('a', 'one')).to.equal('begun');
      expect(await begin('b', 'one')).to.equal('begun');
      expect(await begin('c', 'one'), 'the third of a caller').to.equal('full');
      expect(await begin('c', 'two')).to.equal('begun');
      expect(await begin('d', 'two'), 'the fourth').to.equal('full');
      await tight.forget('b');
      expect(await begin('d', 'two')).to.equal('begun');
      for (const id of ['a', 'c', 'd']) await tight.answer(id, { ...answer, body: 'x'.repeat(4_000) });
      const later = NEXT_DAY;
      expect(await begin('e', 'three', later)).to.equal('begun');
      await tight.answer('e', { ...answer, body: 'x'.repeat(10_000) });
      expect(await begin('f', 'three', later), 'no bytes left').to.equal('full');
      await bounded.remove();
    });
  });
}
