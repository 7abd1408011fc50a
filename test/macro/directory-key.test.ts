import { expect } from 'chai';
import {
  DIRECTORY_KEY_LENGTH,
  DirectoryKeys,
  MOST_DIRECTORY_KEYS,
  MOST_DIRECTORY_KEYS_OF_HOLDER,
} from '../../src/macro/directory-key.js';
import type { MacroDirectory } from '../../src/macro/macro-directory.js';

const MINUTE = 60_000;
const group: MacroDirectory = { level: 'group', name: 'SYSPROG' };
const user = (name: string): MacroDirectory => ({ level: 'user', name });

describe('DirectoryKeys', () => {
  let now: number;
  let keys: DirectoryKeys;
  beforeEach(() => {
    now = 5_000;
    keys = new DirectoryKeys({ now: () => now });
  });

  it('gives keys of one length, of letters, digits, - and _', () => {
    expect(DIRECTORY_KEY_LENGTH).to.equal(32);
    const issued = Array.from({ length: 2000 }, (_, index) => keys.issue(user(`U${index}`), 'admin'));
    for (const key of issued) expect(key).to.match(/^[A-Za-z0-9_-]{32}$/);
    expect(new Set(issued).size).to.equal(2000);
  });

  it('finds the directory of a key, for the user who got it, in any case', () => {
    const key = keys.issue(group, 'Admin');
    expect(keys.find(key, 'ADMIN')).to.deep.equal(group);
    expect(keys.find(key, 'admin2')).to.equal(undefined);
    expect(keys.find(`${key}1`, 'admin')).to.equal(undefined);
    expect(keys.find(key.slice(1), 'admin')).to.equal(undefined);
    expect(keys.find('', 'admin')).to.equal(undefined);
  });

  it('tells a user from a group of the same name', () => {
    const [ofUser, ofGroup] = [keys.issue(user('SYSPROG'), 'admin'), keys.issue(group, 'admin')];
    expect(ofUser).to.not.equal(ofGroup);
    expect(keys.find(ofUser, 'admin')).to.deep.equal(user('SYSPROG'));
    expect(keys.find(ofGroup, 'admin')).to.deep.equal(group);
    expect(keys.find(keys.issue({ level: 'global' }, 'admin'), 'admin')).to.deep.equal({ level: 'global' });
  });

  it('works for an hour', () => {
    const key = keys.issue(group, 'admin');
    now += 60 * MINUTE - 1;
    expect(keys.find(key, 'admin')).to.deep.equal(group);
    now += 1;
    expect(keys.find(key, 'admin')).to.equal(undefined);
  });

  it('gives the same key again for half an hour, and then another beside it', () => {
    const key = keys.issue(group, 'admin');
    now += 30 * MINUTE - 1;
    expect(keys.issue({ level: 'group', name: 'sysprog' }, 'ADMIN')).to.equal(key);
    expect(keys.issue(group, 'other')).to.not.equal(key);
    now += 1;
    const second = keys.issue(group, 'admin');
    expect(second).to.not.equal(key);
    expect(keys.issue(group, 'admin')).to.equal(second);
    now += 30 * MINUTE - 1;
    expect(keys.find(key, 'admin')).to.deep.equal(group);
    now += 1;
    // the first is forgotten here, which takes nothing from the second
    keys.issue(user('U1'), 'admin');
    expect([keys.find(key, 'admin'), keys.find(second, 'admin')]).to.deep.equal([undefined, group]);
  });

  it('forgets the oldest key of a holder who has too many', () => {
    const others = keys.issue(group, 'other');
    const issued = Array.from({ length: MOST_DIRECTORY_KEYS_OF_HOLDER }, (_, index) =>
      keys.issue(user(`U${index}`), 'admin'),
    );
    expect(keys.find(issued[0] ?? '', 'admin')).to.deep.equal(user('U0'));
    const newest = keys.issue(user('ONEMORE'), 'admin');
    expect(keys.find(issued[0] ?? '', 'admin')).to.equal(undefined);
    expect(keys.find(issued[1] ?? '', 'admin')).to.deep.equal(user('U1'));
    expect(keys.find(newest, 'admin')).to.deep.equal(user('ONEMORE'));
    expect(keys.find(others, 'other')).to.deep.equal(group);
  });

  it('forgets the oldest key of all where there are too many', () => {
    const holders = MOST_DIRECTORY_KEYS / MOST_DIRECTORY_KEYS_OF_HOLDER;
    const first = keys.issue(user('U0'), 'admin0');
    let last = '';
    for (let index = 1; index < MOST_DIRECTORY_KEYS; index += 1) {
      last = keys.issue(user(`U${index}`), `admin${index % holders}`);
    }
    expect(keys.find(first, 'admin0')).to.deep.equal(user('U0'));
    keys.issue(group, 'other');
    expect(keys.find(first, 'admin0')).to.equal(undefined);
    expect(keys.find(last, `admin${(MOST_DIRECTORY_KEYS - 1) % holders}`)).to.not.equal(undefined);
  });
});
