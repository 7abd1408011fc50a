import { expect } from 'chai';
import { KeyPool } from '../../src/crypto/key-pool.js';

describe('the pool of key pairs', () => {
  it('gives each pair once, those that were ready among them', async () => {
    const pool = new KeyPool({ bits: 512, size: 3, mostWaiting: 3 });
    try {
      pool.open();
      while (pool.ready < 3) await new Promise((resolve) => setImmediate(resolve));
      const pairs = await Promise.all([pool.take(), pool.take(), pool.take(), pool.take()]);
      expect(new Set(pairs.map(({ modulus }) => modulus)).size).to.equal(4);
    } finally {
      await pool.close();
    }
  });
});
