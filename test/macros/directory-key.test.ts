import { expect } from 'chai';
import { ServiceError } from '../../src/lib/errors.js';
import { type DirectoryKeyRecord, DirectoryKeys } from '../../src/macros/directory-key.js';
import type { MacroDirectory } from '../../src/macros/macro-directory.js';
import { MemoryDirectoryKeyStore } from '../../src/macros/memory-directory-key-store.js';

const DIRECTORY_KEY_LENGTH = 32;
const MOST_DIRECTORY_KEYS = 100_000;
const MOST_DIRECTORY_KEYS_OF_HOLDER = 20_000;

const MINUTE = 60_000;
const group: MacroDirectory = { level: 'group', name: 'SYSPROG' };
const user = (name: string): MacroDirectory => ({ level: 'user', name });

/** Records by kind and name, in capitals: the number is another one when a record is added again. */
class Records {
  readonly numbers = new Map<string, number>();
  readonly passwords = new Map<string, string>();

  async identityOf(kind: 'group' | 'user', name: string) {
    const number = this.numbers.get(`${kind} ${name.toUpperCase()}`) ?? 1;
    return number === 0 ? undefined : String(number);
  }
  async findUser(name: string) {
    const [role, groups] = ['administrator', []] as const;
    if ((await this.identityOf('user', name)) === undefined) return undefined;
    return { name, role, groups, passwordSet: this.passwords.get(name.toUpperCase()) };
  }
}

describe('DirectoryKeys', () => {
  let records: Records;
  let now: number;
  let keys: DirectoryKeys;
  beforeEach(() => {
    now = 5_000;
    records = new Records();
    keys = new DirectoryKeys(new MemoryDirectoryKeyStore(), records, () => now);
  });

  it('gives keys of one length, of letters, digits, - and _', async () => {
    expect(DIRECTORY_KEY_LENGTH).to.equal(32);
    const issued = await Promise.all(
      Array.from({ length: 2000 }, (_, index) => keys.issue(user(`U${index}`), 'admin')),
    );
    for (const key of issued) expect(key).to.match(/^[A-Za-z0-9_-]{32}$/);
    expect(new Set(issued).size).to.equal(2000);
  });

  it('finds the directory of a key, for the user who got it, in any case', async () => {
    const key = await keys.issue(group, 'Admin');
    expect(await keys.find(key, 'ADMIN')).to.deep.equal(group);
    expect(await keys.find(key, 'admin2')).to.equal(undefined);
    expect(await keys.find(`${key}1`, 'admin')).to.equal(undefined);
    expect(await keys.find(key.slice(1), 'admin')).to.equal(undefined);
    expect(await keys.find('', 'admin')).to.equal(undefined);
  });

  it('tells a user from a group of the same name', async () => {
    const [ofUser, ofGroup] = [await keys.issue(user('SYSPROG'), 'admin'), await keys.issue(group, 'admin')];
    expect(ofUser).to.not.equal(ofGroup);
    expect(await keys.find(ofUser, 'admin')).to.deep.equal(user('SYSPROG'));
    expect(await keys.find(ofGroup, 'admin')).to.deep.equal(group);
    expect(await keys.find(await keys.issue({ level: 'global' }, 'admin'), 'admin')).to.deep.equal({ level: 'global' });
  });

  it('opens nothing for another record of the same name, of the group, of the user and of the holder', async () => {
    const cases: readonly (readonly [MacroDirectory, string])[] = [
      [group, 'group SYSPROG'],
      [group, 'user ADMIN'],
      [user('U1'), 'user U1'],
      [{ level: 'global' }, 'user ADMIN'],
    ];
    for (const [directory, record] of cases) {
      records.numbers.clear();
      const key = await keys.issue(directory, 'admin');
      expect(await keys.find(key, 'admin'), record).to.deep.equal(directory);
      records.numbers.set(record, 2);
      expect(await keys.find(key, 'admin'), record).to.equal(undefined);
      const second = await keys.issue(directory, 'admin');
      expect(second, record).to.not.equal(key);
      expect(await keys.find(second, 'admin'), record).to.deep.equal(directory);
      keys = new DirectoryKeys(new MemoryDirectoryKeyStore(), records, () => now);
    }
  });

  it('says that a group or user was removed, and issues no key for it', async () => {
    const key = await keys.issue(group, 'admin');
    records.numbers.set('group SYSPROG', 0);
    for (const work of [() => keys.find(key, 'admin'), () => keys.issue(group, 'admin')]) {
      const error = await work().then(
        () => undefined,
        (thrown: unknown) => thrown,
      );
      expect(error).to.be.instanceOf(ServiceError);
      const { code, detail } = error as ServiceError;
      expect([code, detail]).to.deep.equal(['SVC_ERR_MACRO_DIRECTORY', 'There is no group SYSPROG.']);
    }
  });

  it('opens nothing after a new password of the holder, and stays good after one of the user it is for', async () => {
    const key = await keys.issue(user('U1'), 'admin');
    records.passwords.set('U1', '2026-11-27T12:00:00Z');
    expect(await keys.find(key, 'admin')).to.deep.equal(user('U1'));
    records.passwords.set('ADMIN', '2026-11-27T12:00:00Z');
    expect(await keys.find(key, 'admin')).to.equal(undefined);
  });

  it('works for an hour', async () => {
    const key = await keys.issue(group, 'admin');
    now += 60 * MINUTE - 1;
    expect(await keys.find(key, 'admin')).to.deep.equal(group);
    now += 1;
    expect(await keys.find(key, 'admin')).to.equal(undefined);
  });

  it('gives the same key again for half an hour, and then another beside it', async () => {
    const key = await keys.issue(group, 'admin');
    now += 30 * MINUTE - 1;
    expect(await keys.issue({ level: 'group', name: 'sysprog' }, 'ADMIN')).to.equal(key);
    expect(await keys.issue(group, 'other')).to.not.equal(key);
    now += 1;
    const second = await keys.issue(group, 'admin');
    expect(second).to.not.equal(key);
    expect(await keys.issue(group, 'admin')).to.equal(second);
    now += 30 * MINUTE - 1;
    expect(await keys.find(key, 'admin')).to.deep.equal(group);
    now += 1;
    // the first is forgotten here, which takes nothing from the second
    await keys.issue(user('U1'), 'admin');
    expect([await keys.find(key, 'admin'), await keys.find(second, 'admin')]).to.deep.equal([undefined, group]);
  });

  it('forgets the oldest key of a holder who has too many', async () => {
    const others = await keys.issue(group, 'other');
    const issued = await Promise.all(
      Array.from({ length: MOST_DIRECTORY_KEYS_OF_HOLDER }, (_, index) => keys.issue(user(`U${index}`), 'admin')),
    );
    expect(await keys.find(issued[0] ?? '', 'admin')).to.deep.equal(user('U0'));
    const newest = await keys.issue(user('ONEMORE'), 'admin');
    expect(await keys.find(issued[0] ?? '', 'admin')).to.equal(undefined);
    expect(await keys.find(issued[1] ?? '', 'admin')).to.deep.equal(user('U1'));
    expect(await keys.find(newest, 'admin')).to.deep.equal(user('ONEMORE'));
    expect(await keys.find(others, 'other')).to.deep.equal(group);
  });

  it('forgets the oldest key of all where there are too many', async () => {
    const holders = MOST_DIRECTORY_KEYS / MOST_DIRECTORY_KEYS_OF_HOLDER;
    const first = await keys.issue(user('U0'), 'admin0');
    let last = '';
    for (let index = 1; index < MOST_DIRECTORY_KEYS; index += 1) {
      last = await keys.issue(user(`U${index}`), `admin${index % holders}`);
    }
    expect(await keys.find(first, 'admin0')).to.deep.equal(user('U0'));
    await keys.issue(group, 'other');
    expect(await keys.find(first, 'admin0')).to.equal(undefined);
    expect(await keys.find(last, `admin${(MOST_DIRECTORY_KEYS - 1) % holders}`)).to.not.equal(undefined);
  });

  it('issues one key to a holder who asks many times at once, and is kept by none of them', async () => {
    const kept: DirectoryKeyRecord[] = [];
    class WatchedStore extends MemoryDirectoryKeyStore {
      override async add(record: DirectoryKeyRecord, at: number) {
        // the next turn of the event loop, as a database takes
        await new Promise((resolve) => setImmediate(resolve));
        kept.push(record);
        return super.add(record, at);
      }
    }
    keys = new DirectoryKeys(new WatchedStore(), records, () => now);
    const ask = () => Promise.all(Array.from({ length: 50 }, () => keys.issue(group, 'admin')));
    const issued = new Set(await ask());
    expect([issued.size, kept.length]).to.deep.equal([1, 1]);
    now += 30 * MINUTE;
    for (const key of await ask()) issued.add(key);
    expect([issued.size, kept.length]).to.deep.equal([2, 2]);
    const dump = JSON.stringify(kept);
    for (const key of issued) {
      expect(dump).to.not.include(key);
      expect(await keys.find(key, 'admin')).to.deep.equal(group);
    }
    for (const { id } of kept) expect(await keys.find(id, 'admin')).to.equal(undefined);
  });

  it('finds at one process what another has issued', async () => {
    const store = new MemoryDirectoryKeyStore();
    const [here, elsewhere] = [
      new DirectoryKeys(store, records, () => now),
      new DirectoryKeys(store, records, () => now),
    ];
    const key = await here.issue(group, 'admin');
    expect(await elsewhere.find(key, 'ADMIN')).to.deep.equal(group);
    expect(await elsewhere.issue(group, 'admin')).to.not.equal(key);
    expect(await here.issue(group, 'admin')).to.equal(key);
  });
});
