import { expect } from 'chai';
import { matchScore } from '../../client/terminal/commands/fuzzy-search.js';

const texts = ['Erase to end of field', 'Erase input', 'End of field', 'Field mark', 'PF1', 'PF11', 'Écran suivant'];
const found = (sought: string): string[] =>
  texts
    .map((text) => ({ text, score: matchScore(sought, text) }))
    .filter(({ score }) => score !== undefined)
    .sort((one, other) => (other.score ?? 0) - (one.score ?? 0))
    .map(({ text }) => text);

describe('looking for a command', () => {
  for (const [sought, first] of [
    ['eof', 'End of field'],
    ['erase in', 'Erase input'],
    ['field mark', 'Field mark'],
    ['mark field', 'Field mark'],
    ['FM', 'Field mark'],
    ['pf1', 'PF1'],
    ['ecran', 'Écran suivant'],
  ] as const) {
    it(`finds ${first} by ${sought}`, () => {
      expect(found(sought)[0]).to.equal(first);
    });
  }

  it('finds nothing whose letters are not there in their order', () => {
    expect(found('xyz')).to.deep.equal([]);
    expect(found('1fp')).to.deep.equal([]);
  });

  it('takes no longer for what fits nowhere: letters are looked at once', () => {
    expect(matchScore('a'.repeat(10_000), 'a'.repeat(9_999))).to.equal(undefined);
  });
});
