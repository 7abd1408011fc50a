import { expect } from 'chai';
import { NameGuesses, nearestName } from '../../../src/lib/text/nearest-name.js';

const MOST_GUESSING = 1_000_000;

describe('nearestName', () => {
  const known = ['directories', 'lines', 'log', 'entryPoint'];

  it('finds a name with a letter too many, too few, wrong, or two exchanged', () => {
    expect(nearestName('directoriess', known)).to.equal('directories');
    expect(nearestName('line', known)).to.equal('lines');
    expect(nearestName('lires', known)).to.equal('lines');
    expect(nearestName('lgo', known)).to.equal('log');
    expect(nearestName('entrypoint', known)).to.equal('entryPoint');
  });

  it('finds none where nothing is near, or the name is over 64 characters', () => {
    expect(nearestName('colour', known)).to.equal(undefined);
    const name = 'a'.repeat(64);
    expect(nearestName(name, [`${name.slice(1)}b`])).to.equal(`${name.slice(1)}b`);
    expect(nearestName(`${name}a`, [name])).to.equal(undefined);
  });
});

describe('guesses of one check', () => {
  const letters = 'ABCDEFGHIJ';
  const nameOf = (number: number) => `SCREEN-${[...String(number)].map((digit) => letters[Number(digit)]).join('')}`;

  it('look at a bounded number of names, however many are unknown', () => {
    const known = Array.from({ length: 2_000 }, (_, number) => nameOf(number));
    let lookedAt = 0;
    function* counted() {
      for (const name of known) {
        lookedAt++;
        yield name;
      }
    }
    const guesses = new NameGuesses();
    for (let number = 0; number < 5_000; number++) guesses.nearest(nameOf(10_000 + number), counted());
    expect(guesses.left).to.equal(0);
    // each one is at least one piece of work; one lookup after the other ends with its first name
    expect(lookedAt).to.be.at.most(MOST_GUESSING + 5_000);
    expect(lookedAt).to.be.below((2_000 * 5_000) / 10);
  });

  it('are made while work is left, and not after that', () => {
    // of a name of 3 characters with one of 3: the name, and 3 rows of 4 cells
    const enough = new NameGuesses(14);
    expect([enough.nearest('lag', ['log']), enough.left]).to.deep.equal(['log', 1]);
    expect(enough.nearest('lag', ['log'])).to.equal(undefined);
    const tooLittle = new NameGuesses(13);
    expect([tooLittle.nearest('lag', ['log']), tooLittle.left]).to.deep.equal([undefined, 0]);
    expect(enough.didYouMean('lag', ['log'])).to.equal('');
  });
});
