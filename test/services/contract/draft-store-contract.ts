import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import type { DraftStore, ServiceDraft } from '../../../src/services/draft-store.js';

const MOST_DRAFTS = 100;
const MOST_DRAFTS_OF_USER = 20;

/** A store without drafts. */
export interface EmptyDraftStore {
  readonly store: DraftStore;
  remove(): Promise<void>;
}

export const draft = (members: Partial<ServiceDraft> = {}): ServiceDraft => ({
  id: randomUUID(),
  name: 'account-inquiry',
  user: 'ANNA',
  storedAt: 1_700_000_000_000,
  screens: 'screens:\n',
  service: 'service: account-inquiry\n',
  ...members,
});

/** What any store of drafts does. */
export function itStoresDrafts(open: () => Promise<EmptyDraftStore>): void {
  let empty: EmptyDraftStore;
  beforeEach(async () => {
    empty = await open();
  });
  afterEach(() => empty.remove());

  it('gives back what was stored, the newest first, until it is removed', async () => {
    const { store } = empty;
    expect(await store.list()).to.deep.equal([]);
    const [older, newer] = [draft(), draft({ storedAt: 1_700_000_000_001, service: 'é 漢 \u0000' })];
    expect([await store.add(newer), await store.add(older)]).to.deep.equal([true, true]);
    expect(await store.list()).to.deep.equal([newer, older]);
    expect(await store.read(newer.id)).to.deep.equal(newer);
    expect(await store.remove(newer.id)).to.equal(true);
    expect(await store.remove(newer.id)).to.equal(false);
    expect(await store.read(newer.id)).to.equal(undefined);
    expect(await store.list()).to.deep.equal([older]);
  });

  it('knows no ids that are none', async () => {
    for (const id of ['', '.', '../security', `${randomUUID()}/..`, randomUUID().toUpperCase(), randomUUID()]) {
      expect(await empty.store.read(id), id).to.equal(undefined);
      expect(await empty.store.remove(id), id).to.equal(false);
    }
  });

  it('has as many of a user, and of all, as may be, also where they come at once', async () => {
    const { store } = empty;
    expect([MOST_DRAFTS_OF_USER, MOST_DRAFTS]).to.deep.equal([20, 100]);
    const ofAnna = await Promise.all(Array.from({ length: 21 }, () => store.add(draft())));
    expect(ofAnna.filter(Boolean)).to.have.length(20);
    const others = Array.from({ length: 81 }, (_, at) => store.add(draft({ user: `USER${at}` })));
    expect((await Promise.all(others)).filter(Boolean)).to.have.length(80);
    const [first] = await store.list();
    expect(await store.remove(first?.id ?? '')).to.equal(true);
    expect(await store.add(draft({ user: 'LAST' }))).to.equal(true);
    expect(await store.list()).to.have.length(100);
  });
}
