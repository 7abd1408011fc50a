import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { FileSettingsStore } from '../../../src/access/users/file-settings-store.js';
import type { ServiceError } from '../../../src/lib/errors.js';
import { itStoresSettings } from '../contract/settings-store-contract.js';

const newFolder = () => mkdtemp(join(tmpdir(), 'sallyport-settings-'));

describe('settings of the terminal in files', () => {
  itStoresSettings(async () => {
    const folder = await newFolder();
    return {
      store: new FileSettingsStore(join(folder, 'terminal-settings')),
      remove: () => rm(folder, { recursive: true, force: true }),
    };
  });

  it('are for the server alone, and leave nothing unfinished', async () => {
    const folder = await newFolder();
    await new FileSettingsStore(folder).write('ANNA', '{}', null);
    const names = await readdir(folder);
    expect(names).to.have.length(1);
    expect(names[0]).to.match(/^[\da-f]{32}\.json$/);
    expect((await stat(join(folder, names[0] ?? ''))).mode & 0o777).to.equal(0o600);
    await rm(folder, { recursive: true });
  });

  it('wait for their turn, 100 at most', async () => {
    const folder = await newFolder();
    const store = new FileSettingsStore(folder);
    const writes = Array.from({ length: 101 }, (_, at) => store.write(`USER${at}`, '{}', undefined));
    const outcomes = await Promise.allSettled(writes);
    const refused = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
    expect(refused.map((reason) => (reason as ServiceError).code)).to.deep.equal(['SVC_ERR_SERVICE_BUSY']);
    expect((await store.write('USER100', '{}', null)).kind).to.equal('stored');
    await rm(folder, { recursive: true });
  });
});
