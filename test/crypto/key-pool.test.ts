import { readdirSync, readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { expect } from 'chai';
import { KeyPool } from '../../src/crypto/key-pool.js';
import { eventually } from '../support/eventually.js';
import { holdLongTimers } from '../support/hold-long-timers.js';
import { skipUnless } from '../support/need.js';

describe('the pool of key pairs', () => {
  it('gives each pair once, those that were ready among them', async () => {
    const pool = new KeyPool({ bits: 512, size: 3, mostWaiting: 3 });
    try {
      pool.open();
      await filled(pool, 3);
      const pairs = await Promise.all([pool.take(), pool.take(), pool.take(), pool.take()]);
      expect(new Set(pairs.map(({ modulus }) => modulus)).size).to.equal(4);
    } finally {
      await pool.close();
    }
  });

  it('generates pairs that somebody waits for at usual priority, and those kept ready at the lowest', async function () {
    skipUnless(this, process.platform === 'linux', 'threads have a priority of their own only on Linux');
    const before = threadsOfLowestPriority();
    const begun = () => threadsOfLowestPriority().filter((thread) => !before.includes(thread));
    const pool = new KeyPool({ bits: 512, size: 0, mostWaiting: 1 });
    const ahead = new KeyPool({ bits: 512, size: 1, mostWaiting: 1 });
    try {
      await pool.take();
      expect(begun()).to.deep.equal([]);
      ahead.open();
      await filled(ahead, 1);
      expect(begun()).to.have.length(1);
    } finally {
      await Promise.all([pool.close(), ahead.close()]);
    }
  });

  it('makes the first sixteen at once and each of the others after a rest, but replaces at once what was taken', async () => {
    const letGo = holdLongTimers(1_000);
    const resting = new KeyPool({ bits: 512, size: 17, mostWaiting: 1 });
    const rested = new KeyPool({ bits: 512, size: 17, mostWaiting: 1 });
    try {
      resting.open();
      await filled(resting, 16);
      await Promise.all([resting.take(), resting.take()]);
      await filled(resting, 16);
      letGo();
      rested.open();
      await filled(rested, 17);
      expect(resting.ready).to.equal(16);
    } finally {
      letGo();
      await Promise.all([resting.close(), rested.close()]);
    }
  });

  it('keeps as many more ready as have had to wait, without a rest and up to its size', async () => {
    const letGo = holdLongTimers(1_000);
    const pool = new KeyPool({ bits: 512, size: 21, mostWaiting: 10 });
    try {
      pool.open();
      await filled(pool, 16);
      await Promise.all(Array.from({ length: 16 + 4 }, () => pool.take()));
      await filled(pool, 20);
      await Promise.all(Array.from({ length: 20 + 4 }, () => pool.take()));
      await filled(pool, 21);
    } finally {
      letGo();
      await pool.close();
    }
  });
});

function filled(pool: KeyPool, pairs: number): Promise<true> {
  return eventually(() => pool.ready === pairs || undefined);
}

function threadsOfLowestPriority(): readonly string[] {
  return readdirSync('/proc/self/task').filter((thread) => {
    const stat = readFileSync(`/proc/self/task/${thread}/stat`, 'utf8');
    // the second field, the name in parentheses, may hold blanks; the nice value is the nineteenth
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16]) === constants.priority.PRIORITY_LOW;
  });
}
