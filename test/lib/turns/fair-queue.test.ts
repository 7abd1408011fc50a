import { expect } from 'chai';
import { FairQueue } from '../../../src/lib/turns/fair-queue.js';

const busy = new Error('busy');

describe('a fair queue', () => {
  /** Who was served, or refused, in that order. */
  function recorded(most: number, mostOfAddress: number) {
    const queue = new FairQueue<string>({ most, mostOfAddress, refusal: () => busy });
    const served: string[] = [];
    const refused: string[] = [];
    const wait = (address: string, name = address) =>
      queue.wait(address).then(
        (value) => served.push(`${name}:${value}`),
        (error: unknown) => {
          expect(error).to.equal(busy);
          refused.push(name);
        },
      );
    return { queue, served, refused, wait };
  }
  const settled = () => new Promise((resolve) => setImmediate(resolve));

  it('serves addresses in turn, and each of them in the order it came', async () => {
    const { queue, served, wait } = recorded(10, 10);
    for (const name of ['a1', 'a2', 'a3', 'b1', 'c1', 'b2']) void wait(name.charAt(0), name);
    for (let value = 1; value <= 6; value++) expect(queue.serve(`${value}`)).to.equal(true);
    expect([queue.serve('7'), queue.size]).to.deep.equal([false, 0]);
    await settled();
    expect(served).to.deep.equal(['a1:1', 'b1:2', 'c1:3', 'a2:4', 'b2:5', 'a3:6']);
  });

  it('puts an address that comes back behind those that wait', async () => {
    const { queue, served, wait } = recorded(10, 10);
    for (const name of ['a1', 'b1', 'b2']) void wait(name.charAt(0), name);
    queue.serve('');
    void wait('a', 'a2');
    // it was b's turn before a came back
    for (let left = 3; left > 0; left--) queue.serve('');
    await settled();
    expect(served).to.deep.equal(['a1:', 'b1:', 'a2:', 'b2:']);
  });

  it('takes as many of one address as may wait, and not one more', async () => {
    const { queue, refused, wait } = recorded(10, 3);
    for (const name of ['a1', 'a2', 'a3']) void wait('a', name);
    await settled();
    expect([queue.size, refused]).to.deep.equal([3, []]);
    void wait('a', 'a4');
    void wait('b', 'b1');
    await settled();
    expect([queue.size, refused]).to.deep.equal([4, ['a4']]);
  });

  it('takes as many as may wait in all; then the address that has most gives way to one that has less', async () => {
    const { queue, served, refused, wait } = recorded(6, 4);
    for (const name of ['a1', 'a2', 'a3', 'a4', 'b1', 'b2']) void wait(name.charAt(0), name);
    await settled();
    expect([queue.size, refused]).to.deep.equal([6, []]);
    void wait('c', 'c1');
    await settled();
    expect([queue.size, refused]).to.deep.equal([6, ['a4']]);
    // three of a, two of b, one of c: c may have as many as a then has; b may not have more
    void wait('c', 'c2');
    void wait('b', 'b3');
    await settled();
    expect([queue.size, refused]).to.deep.equal([6, ['a4', 'a3', 'b3']]);
    while (queue.serve(''));
    await settled();
    expect(served.map((name) => name.slice(0, 2))).to.deep.equal(['a1', 'b1', 'c1', 'a2', 'b2', 'c2']);
  });

  it('refuses newcomers where everybody who waits has as little', async () => {
    const { refused, wait } = recorded(2, 2);
    for (const name of ['a', 'b', 'c']) void wait(name);
    await settled();
    expect(refused).to.deep.equal(['c']);
  });

  it('lets go of everybody, and goes on', async () => {
    const { queue, served, refused, wait } = recorded(3, 2);
    for (const name of ['a1', 'b1', 'a2']) void wait(name.charAt(0), name);
    queue.refuseAll();
    expect(queue.size).to.equal(0);
    void wait('a', 'a3');
    queue.serve('x');
    await settled();
    expect(refused.toSorted()).to.deep.equal(['a1', 'a2', 'b1']);
    expect(served).to.deep.equal(['a3:x']);
  });
});
