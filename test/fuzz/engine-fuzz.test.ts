import { expect } from 'chai';
import { rounds } from '../support/rounds.js';
import { fuzzEngine, MOST_MILLISECONDS } from './engine-fuzz.js';

const RECORDS = rounds(20_000, 6_000);
/** A slow machine does fewer; the long run is `npm run fuzz`. */
const LONGEST_MILLISECONDS = 10_000;

describe('engine under mutated records', () => {
  it('throws nothing, and lets none take long', () => {
    const { records, faults, slowest } = fuzzEngine(RECORDS, 3270, performance.now() + LONGEST_MILLISECONDS);
    expect(records).to.be.greaterThan(1_000);
    expect(faults, 'mutations that are noticed').to.be.greaterThan(records / 20);
    expect(slowest).to.be.below(MOST_MILLISECONDS);
  });
});
