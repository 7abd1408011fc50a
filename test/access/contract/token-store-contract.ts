import { expect } from 'chai';
import type { RecordTokenChange, TokenRecord, TokenStore } from '../../../src/access/tokens/token-store.js';
import { ServiceError } from '../../../src/lib/errors.js';

const MOST_TOKENS = 1_000;

/** A store without tokens. */
export interface EmptyTokenStore {
  readonly store: TokenStore;
  /** Another one over the same tokens, as a second process has it. */
  beside(): Promise<TokenStore>;
  /** Puts that many tokens in, by whatever way is fast. */
  fill(tokens: readonly TokenRecord[]): Promise<void>;
  remove(): Promise<void>;
}

const unrecorded: RecordTokenChange = (_change, make) => make();
const hashOf = (text: string) => text.padEnd(43, '-');
const token = (name: string): TokenRecord => ({
  name,
  hash: hashOf(name),
  scopes: ['services:account-inquiry', 'sessions'],
  created: '2026-11-22T10:00:00.000Z',
  expires: '2027-02-20T10:00:00.000Z',
  lastUsed: undefined,
});

async function refusalOf(work: Promise<void>): Promise<string> {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof ServiceError)) throw new Error('it was not refused');
  expect(error.code).to.equal('SVC_ERR_SECURITY_CHANGE');
  return error.detail ?? '';
}

/** What every store of tokens does, wherever it keeps them. */
export function tokenStoreContract(what: string, make: () => Promise<EmptyTokenStore>): void {
  describe(`${what}, as a store of tokens`, () => {
    let made: EmptyTokenStore;
    let store: TokenStore;

    beforeEach(async () => {
      made = await make();
      store = made.store;
    });
    afterEach(() => made.remove());

    const plain = (record: TokenRecord | undefined) => record && { ...record, lastUsed: record.lastUsed };

    it('holds nothing at first', async () => {
      expect(await store.list()).to.deep.equal([]);
      expect(await store.find(hashOf('a'))).to.equal(undefined);
    });

    it('gives back what was added, here and in another process, in the order of names', async () => {
      await store.add(token('bert'), unrecorded);
      await store.add(token('ANNA'), unrecorded);
      const other = await made.beside();
      expect((await other.list()).map(({ name }) => name)).to.deep.equal(['ANNA', 'bert']);
      expect(plain(await other.find(hashOf('bert')))).to.deep.equal(token('bert'));
      for (const hash of ['bert', '', hashOf('BERT')]) expect(await store.find(hash), hash).to.equal(undefined);
    });

    it('refuses a name that is taken, in whatever case, and one that is not there', async () => {
      await store.add(token('billing'), unrecorded);
      expect(await refusalOf(store.add(token('Billing'), unrecorded))).to.equal('The token billing already exists.');
      expect(await refusalOf(store.remove('other', unrecorded))).to.equal('There is no token other.');
    });

    it('finds a removed one no more, in any process, at once', async () => {
      const other = await made.beside();
      await store.add(token('billing'), unrecorded);
      expect(await other.find(hashOf('billing'))).to.not.equal(undefined);
      await store.remove('BILLING', unrecorded);
      expect(await other.find(hashOf('billing'))).to.equal(undefined);
      expect(await store.find(hashOf('billing'))).to.equal(undefined);
    });

    it('tells what a change makes without the hash, and makes none that cannot be recorded', async () => {
      const changes: unknown[] = [];
      const refused: RecordTokenChange = (change) => {
        changes.push(change);
        return Promise.reject(new Error('no record'));
      };
      await store.add(token('kept'), unrecorded);
      for (const work of [store.add(token('new'), refused), store.remove('kept', refused)]) {
        expect(await work.catch((error: Error) => error.message)).to.equal('no record');
      }
      expect((await store.list()).map(({ name }) => name)).to.deep.equal(['kept']);
      expect(JSON.stringify(changes))
        .to.include('"scopes"')
        .and.not.include(hashOf('new'))
        .and.not.include(hashOf('kept'));
    });

    it('remembers the last use, never an earlier one, and brings nothing back by it', async () => {
      await store.add(token('billing'), unrecorded);
      await store.used(hashOf('billing'), '2026-11-22T12:00:00.000Z');
      await store.used(hashOf('billing'), '2026-11-22T11:00:00.000Z');
      expect((await store.find(hashOf('billing')))?.lastUsed).to.equal('2026-11-22T12:00:00.000Z');
      await store.remove('billing', unrecorded);
      await store.used(hashOf('billing'), '2026-11-22T13:00:00.000Z');
      expect(await store.list()).to.deep.equal([]);
    });

    it('loses nothing where two processes change it at once', async () => {
      const other = await made.beside();
      await Promise.all(
        Array.from({ length: 10 }, (_, index) => (index % 2 === 0 ? store : other).add(token(`t${index}`), unrecorded)),
      );
      expect(await store.list()).to.have.length(10);
    });

    it(`takes ${MOST_TOKENS} and no more`, async () => {
      await made.fill(Array.from({ length: MOST_TOKENS - 1 }, (_, index) => token(`t${index}`)));
      await store.add(token('last'), unrecorded);
      expect(await refusalOf(store.add(token('one-more'), unrecorded))).to.include('the maximum of 1000 tokens');
    });
  });
}
