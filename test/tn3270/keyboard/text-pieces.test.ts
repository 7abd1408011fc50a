import { expect } from 'chai';
import { soundValue } from '../../../src/lib/read-outcome.js';
import { filledIn, isLeftOut, readTextPieces } from '../../../src/tn3270/keyboard/text-pieces.js';

describe('texts of a service file', () => {
  const values = new Map([
    ['account', '10000001'],
    ['constructor', 'c'],
    ['braces', '{account}'],
    ['empty', ''],
  ]);

  for (const [source, expected] of [
    ['', ''],
    ['plain', 'plain'],
    ['{account}', '10000001'],
    ['No. {account}.', 'No. 10000001.'],
    ['{account}{account}', '1000000110000001'],
    ['{{account}}', '{account}'],
    ['{{{account}}}', '{10000001}'],
    ['}}{{', '}{'],
    ['{constructor}', 'c'],
    // what a parameter holds is text, whatever it looks like
    ['{braces}', '{account}'],
    ['{toString}{hasOwnProperty}', ''],
    ['\u{1f600}{empty}', '\u{1f600}'],
  ] as const) {
    it(`${JSON.stringify(source)} is ${JSON.stringify(expected)}`, () => {
      expect(filledIn(soundValue(readTextPieces(source)), values)).to.equal(expected);
    });
  }

  for (const [source, brace] of [
    ['{', '{{'],
    ['}', '}}'],
    ['a{b', '{{'],
    ['{}', '{{'],
    ['{a b}', '{{'],
    ['{1a}', '{{'],
    ['{__proto__}', '{{'],
    ['{a}}', '}}'],
  ] as const) {
    it(`${JSON.stringify(source)} has a brace that names nothing`, () => {
      expect(readTextPieces(source)).to.deep.equal({
        kind: 'fault',
        fault: `a brace without the name of a parameter: write ${brace} for a brace`,
      });
    });
  }

  it('are left out where they have parameters, and none of them was given', () => {
    const leftOut = (source: string) => isLeftOut(soundValue(readTextPieces(source)), values);
    expect(leftOut('{absent}')).to.equal(true);
    expect(leftOut('x{absent}')).to.equal(true);
    expect(leftOut('{absent}{account}')).to.equal(false);
    expect(leftOut('{empty}')).to.equal(false);
    expect(leftOut('fixed')).to.equal(false);
    expect(leftOut('')).to.equal(false);
  });
});
