import { getEventListeners } from 'node:events';
import { expect } from 'chai';
import { withinTime } from '../../src/services/time-limit.js';

describe('work with a time limit', () => {
  it('leaves nothing on the signal of its caller, so that many calls with one signal need no more memory', async () => {
    const { signal } = new AbortController();
    let during = 0;
    const result = await withinTime(60_000, signal, new Error('late'), async () => {
      during = getEventListeners(signal, 'abort').length;
      return 'done';
    });
    expect([result, during, getEventListeners(signal, 'abort').length]).to.deep.equal(['done', 1, 0]);
  });
});
