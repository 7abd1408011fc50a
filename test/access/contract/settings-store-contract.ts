import { expect } from 'chai';
import type { SettingsStore } from '../../../src/access/users/settings-store.js';

/** A store without settings. */
export interface EmptySettingsStore {
  readonly store: SettingsStore;
  remove(): Promise<void>;
}

const etagOf = (written: Awaited<ReturnType<SettingsStore['write']>>) =>
  written.kind === 'stored' ? written.etag : written.kind;

/** What any store of settings does. */
export function itStoresSettings(open: () => Promise<EmptySettingsStore>): void {
  let empty: EmptySettingsStore;
  beforeEach(async () => {
    empty = await open();
  });
  afterEach(() => empty.remove());

  it('gives back what was stored, to its user in any case, and to nobody else', async () => {
    const { store } = empty;
    expect(await store.read('ANNA')).to.equal(undefined);
    const etag = etagOf(await store.write('ANNA', '{"theme":"3279"}', undefined));
    expect(etag).to.match(/^"[\da-f]{32}"$/);
    expect(await store.read('anna')).to.deep.equal({ text: '{"theme":"3279"}', etag });
    expect(await store.read('ANNE')).to.equal(undefined);
    expect(etagOf(await store.write('ANNE', '{"theme":"3279"}', null))).to.equal(etag);
  });

  it('changes nothing for whoever has seen something else', async () => {
    const { store } = empty;
    expect(await store.write('ANNA', '{"bell":true}', '"0"')).to.deep.equal({ kind: 'changed' });
    const first = etagOf(await store.write('ANNA', '{"bell":true}', null));
    expect(await store.write('ANNA', '{}', null)).to.deep.equal({ kind: 'changed' });
    expect((await store.read('ANNA'))?.text).to.equal('{"bell":true}');
    expect((await store.write('ANNA', '{}', first)).kind).to.equal('stored');
  });

  it('lets one of several in who have seen the same', async () => {
    const { store } = empty;
    const writes = Array.from({ length: 5 }, (_, at) => store.write('ANNA', `{"fontSize":${at + 8}}`, null));
    const kinds = (await Promise.all(writes)).map(({ kind }) => kind).sort();
    expect(kinds).to.deep.equal(['changed', 'changed', 'changed', 'changed', 'stored']);
  });

  it('takes names that are no names of files', async () => {
    const { store } = empty;
    for (const name of ['../../etc/passwd', 'A/B', '\u0000', 'é', '.', '']) {
      await store.write(name, `{"bell":true}`, null);
      expect((await store.read(name))?.text, JSON.stringify(name)).to.equal('{"bell":true}');
    }
  });

  it('forgets what a user has set, after what is being written, and takes it from nobody else', async () => {
    const { store } = empty;
    await store.write('ANNE', '{"bell":true}', null);
    const writing = store.write('ANNA', '{"bell":true}', null);
    await store.remove('anna');
    expect((await writing).kind).to.equal('stored');
    expect(await store.read('ANNA')).to.equal(undefined);
    await store.remove('ANNA');
    expect((await store.read('ANNE'))?.text).to.equal('{"bell":true}');
    expect((await store.write('ANNA', '{}', null)).kind).to.equal('stored');
  });
}
