import { expect } from 'chai';
import { LdapUserCache } from '../../../src/access/ldap/ldap-user-store.js';

const MOST_CACHED_USERS = 1000;

describe('users of a directory that are remembered', () => {
  const user = (name: string) => ({ name, role: 'user' as const, groups: [] });

  it('are so for 30 seconds', () => {
    let now = 5;
    const cache = new LdapUserCache(() => now);
    cache.keep('alice', user('Alice'));
    now = 5 + 29_999;
    expect(cache.find('ALICE')).to.deep.equal(user('Alice'));
    now = 5 + 30_000;
    expect(cache.find('alice')).to.equal(undefined);
  });

  it('are a thousand, and the oldest makes room', () => {
    const cache = new LdapUserCache(() => 0);
    const isKept = (n: number) => cache.find(`u${n}`) !== undefined;
    for (let n = 0; n < MOST_CACHED_USERS; n += 1) cache.keep(`u${n}`, user(`u${n}`));
    expect([isKept(0), isKept(MOST_CACHED_USERS - 1)]).to.deep.equal([true, true]);
    cache.keep('u0', user('u0'));
    cache.keep(`u${MOST_CACHED_USERS}`, user('one more'));
    expect([isKept(0), isKept(1), isKept(2), isKept(MOST_CACHED_USERS)]).to.deep.equal([true, false, true, true]);
  });
});
