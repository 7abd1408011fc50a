import { expect } from 'chai';
import { MemorySignOnStore } from '../../src/security/memory-sign-on-store.js';
import { MOST_SIGN_ONS } from '../../src/security/sign-on-store.js';
import { signOnStoreContract } from './contract/sign-on-store-contract.js';

signOnStoreContract('the memory', async () => {
  const store = new MemorySignOnStore();
  return { store, beside: async () => store, remove: async () => {} };
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
    await store.add(record(MOST_SIGN_ONS), 0);
    expect(await store.touch('0', 0, 1_000)).to.equal(undefined);
    expect(await store.touch('1', 0, 1_000)).to.not.equal(undefined);
  });
});
