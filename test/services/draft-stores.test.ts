import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { FileDraftStore } from '../../src/services/file-draft-store.js';
import { draft, itStoresDrafts } from './contract/draft-store-contract.js';

const newFolder = () => mkdtemp(join(tmpdir(), 'sallyport-drafts-'));

describe('drafts of services in files', () => {
  itStoresDrafts(async () => {
    const folder = await newFolder();
    return {
      store: new FileDraftStore(join(folder, 'services-drafts')),
      remove: () => rm(folder, { recursive: true }),
    };
  });

  it('are for the server alone, and leave out what others have put there', async () => {
    const folder = await newFolder();
    const store = new FileDraftStore(folder);
    const one = draft();
    await store.add(one);
    expect(await readdir(folder)).to.deep.equal([`${one.id}.json`]);
    if (process.platform !== 'win32') {
      expect((await stat(join(folder, `${one.id}.json`))).mode & 0o777).to.equal(0o600);
    }
    const { id } = draft();
    for (const text of ['{', 'null', '{"name":5}']) {
      await writeFile(join(folder, `${id}.json`), text);
      expect(await store.list(), text).to.deep.equal([one]);
    }
    await rm(folder, { recursive: true });
  });
});
