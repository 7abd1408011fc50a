import { expect } from 'chai';
import { MemorySignOnStore } from '../../src/access/sign-on/memory-sign-on-store.js';
import { MemoryTryStore } from '../../src/access/sign-on/memory-try-store.js';
import { signOnStoreContract } from './contract/sign-on-store-contract.js';
import { tryStoreContract } from './contract/try-store-contract.js';

const MOST_SIGN_ONS = 20_000;

signOnStoreContract('the memory', async (mostOfUser) => {
  const store = new MemorySignOnStore(mostOfUser);
  return { store, beside: async () => store, remove: async () => {} };
});

tryStoreContract('the memory', async () => {
  const store = new MemoryTryStore(10);
  return { store, beside: async () => store, remove: async () => {} };
});

describe('the tries in memory', () => {
  const rule = { most: 5, now: 0, until: 1_000 };

  it('are of so many keys: the one whose last try began longest ago is forgotten, unless one is under way', async () => {
    const store = new MemoryTryStore(3);
    const failed = async (key: string) => {
      const begun = await store.begin(key, rule);
      if (begun.kind === 'begun') await store.fail(key, begun.id, { now: 0, until: undefined });
    };
    const counts = async () =>
      Promise.all(['a', 'b', 'c', 'd', 'e', 'f'].map(async (key) => (await store.failures(key, 0)).count));
    for (const key of ['a', 'b', 'c', 'a']) await failed(key);
    expect(await counts()).to.deep.equal([2, 1, 1, 0, 0, 0]);
    await failed('d');
    expect(await counts()).to.deep.equal([2, 0, 1, 1, 0, 0]);
    const held = await store.begin('c', rule);
    await failed('e');
    await failed('f');
    expect(await counts()).to.deep.equal([0, 0, 1, 0, 1, 1]);
    expect(held.kind).to.equal('begun');
  });

  it('are not counted for a key that was only asked for', async () => {
    const store = new MemoryTryStore(1);
    const begun = await store.begin('a', rule);
    if (begun.kind === 'begun') await store.fail('a', begun.id, { now: 0, until: undefined });
    for (let index = 0; index < 5; index += 1) await store.begin(`no such user ${index}`, { ...rule, most: 0 });
    expect((await store.failures('a', 0)).count).to.equal(1);
  });
});

describe('the sign-ons in memory', () => {
  it(`are ${MOST_SIGN_ONS} at most, of all users: the one begun first gives way`, async function () {
    this.timeout(60_000);
    const store = new MemorySignOnStore();
    // what is over gives way by itself, and makes adding quick where all of a time are over at the next
    const record = (index: number) => ({
      id: `${index}`,
      userName: `U${index}`,
      passwordSet: undefined,
      until: 1_000,
      idleUntil: 1_000,
    });
    for (let index = 0; index < MOST_SIGN_ONS; index += 1) await store.add(record(index), 0);
    expect(await store.touch('0', 0, 1_000)).to.not.equal(undefined);
    expect(await store.add(record(MOST_SIGN_ONS), 0)).to.deep.equal([{ id: '0', userName: 'U0', bound: 'ofAll' }]);
    expect(await store.touch('0', 0, 1_000)).to.equal(undefined);
    expect(await store.touch('1', 0, 1_000)).to.not.equal(undefined);
  });
});
