import { expect } from 'chai';
import { rounds } from '../support/rounds.js';
import { MOST_MILLISECONDS } from './engine-fuzz.js';
import { fuzzPrinters } from './print-fuzz.js';

const RECORDS = rounds(50_000, 10_000);
/** A slow machine does fewer; the long run is `npm run fuzz`. */
const LONGEST_MILLISECONDS = 10_000;

describe('printers under mutated records', () => {
  it('throw nothing, let none take long, and print no control characters', () => {
    const { records, faults, slowest } = fuzzPrinters(RECORDS, 3287, performance.now() + LONGEST_MILLISECONDS);
    expect(records).to.be.greaterThan(1_000);
    expect(faults, 'mutations that are noticed').to.be.greaterThan(records / 20);
    expect(slowest).to.be.below(MOST_MILLISECONDS);
  });
});
