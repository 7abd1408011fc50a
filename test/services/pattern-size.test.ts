import { expect } from 'chai';
import { RE2JS, RE2JSException } from 're2js';
import { compilePattern, patternSize } from '../../src/services/bounded-pattern.js';
import { randomFrom } from '../support/random.js';

const LARGEST_PATTERN = 2_500;

/** `\p{L}` and its like count as so many instructions. */
const PARTS = [
  ...['a', 'ü', '.', '^', '$', '\\d', '\\pL', '\\P{Greek}', '\\x{1F600}', '\\Qa{9}\\E', '[a-z]', '[^]a]', '[\\]{2}]'],
  ...['[[:alpha:]-]', '\\b', '{', '}', '{2', '-', ']', '(?i)', '(?i:b)', '()', '|', '(?P<n>c)', '[\\pN{3}]', '\\{4}'],
];
const REPEATS = ['*', '+', '?', '??', '{0}', '{3}', '{2,}', '{0,}', '{1,4}', '{0,7}?', '{7,7}'];

describe('the size of a pattern', () => {
  it('is at least that of its program, for random patterns', () => {
    const random = randomFrom(33);
    const one = (list: readonly string[]) => list[Math.floor(random() * list.length)] ?? '';
    const made = (depth: number): string => {
      const parts = Array.from({ length: 1 + Math.floor(random() * 4) }, () => {
        const part = depth > 0 && random() < 0.4 ? `(${random() < 0.5 ? '?:' : ''}${made(depth - 1)})` : one(PARTS);
        return random() < 0.5 ? part + one(REPEATS) : part;
      });
      return parts.join('');
    };
    let compiled = 0;
    for (let round = 0; round < 4_000; round++) {
      const source = made(3);
      const size = patternSize(source);
      if (size > 20_000) continue;
      try {
        const program = RE2JS.compile(source).programSize();
        compiled++;
        expect(size, source).to.be.at.least(program);
      } catch (error) {
        if (!(error instanceof RE2JSException)) throw error;
      }
    }
    expect(compiled).to.be.above(500);
  });

  it('multiplies repetitions', () => {
    // ten digits, and the frame of each program
    expect(patternSize('^[0-9]{8}$')).to.equal(15);
    // a repeated group does not repeat the part before it
    expect(patternSize('a{10}(?:b){10}')).to.be.below(50);
    expect(patternSize(`(?:${'a?'.repeat(245)}){1000}`)).to.be.above(700_000);
    expect(patternSize('(?:(?:(?:a{1000}){1000}){1000}){1000}')).to.be.above(1e12);
  });

  it('counts classes of Unicode properties, and ranges with other cases', () => {
    expect(patternSize('\\pL'.repeat(25))).to.be.above(LARGEST_PATTERN);
    expect(patternSize('(?i)[B-\\x{1e942}][B-\\x{1e942}]')).to.be.above(LARGEST_PATTERN);
    expect(patternSize('[B-\\x{1e942}][B-\\x{1e942}]')).to.be.below(20);
  });

  it('is bounded where a pattern is compiled', () => {
    // 5 are the frame
    const largest = `a{1000}b{1000}c{${LARGEST_PATTERN - 2_005}}`;
    expect(patternSize(largest)).to.equal(LARGEST_PATTERN);
    expect(compilePattern(largest).kind).to.equal('pattern');
    expect(compilePattern(`${largest}d`)).to.deep.equal({
      kind: 'fault',
      fault: 'the pattern has a size of 2501, as repetitions multiply: expected at most 2500',
    });
  });
});
