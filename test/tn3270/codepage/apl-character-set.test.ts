import { expect } from 'chai';
import { aplByteOf, aplUnitOfByte } from '../../../src/tn3270/codepage/apl-character-set.js';
import { needS3270 } from '../../support/s3270.js';
import { shownByS3270 } from './s3270-screen.js';

const GRAPHIC_ESCAPE = 0x08;
const shown = (code: number) => String.fromCharCode(aplUnitOfByte[code] as number);

// Expected values: IBM's code page 310, by the graphic character identifiers of its chart.
const chart: Readonly<Record<string, string>> = {
  '85 a2 d3': '│─┼',
  'c5 d5 c4 d4': '┌┐└┘',
  'c6 d6 c7 d7': '├┤┴┬',
  'b0 b1 b2 b3 b4': '⍺∊⍳⍴⍵',
  'b6 b8 ba bb bc': '×÷∇∆⊤',
  '8c be ae': '≤≠≥',
  '8d 8e 8a 8b 8f 9f': '⌈⌊↑↓→←',
  '90 cc cd 9b 9a': '⎕⌷⌽⊂⊃',
  '41 49 51 59 62 69': 'AIJRSZ',
  'f0 f1 f9': '⁰¹⁹',
};

describe('APL character set', () => {
  for (const [codes, characters] of Object.entries(chart)) {
    it(`has ${characters} at ${codes}`, () => {
      expect(
        codes
          .split(' ')
          .map((code) => shown(Number.parseInt(code, 16)))
          .join(''),
      ).to.equal(characters);
    });
  }

  it('has 256 codes, those of controls unassigned', () => {
    expect(aplUnitOfByte).to.have.length(256);
    expect([...aplUnitOfByte.subarray(0, 0x40), aplUnitOfByte[0xff]]).to.deep.equal(new Array(65).fill(0xfffd));
  });

  it('has the characters that s3270 shows, and the letters that it has none for', async function () {
    needS3270(this);
    const codes = Array.from({ length: 0xff - 0x40 }, (_, at) => 0x40 + at);
    const stream = codes.flatMap((code) => [GRAPHIC_ESCAPE, code]);
    const byS3270 = await shownByS3270('cp037', stream, codes.length);
    const letters = /[A-Z]/;
    expect(byS3270).to.have.length(codes.length);
    const ours = codes.map((code) => shown(code).replace('\ufffd', ' ').replace(letters, ' '));
    expect(ours).to.deep.equal(byS3270);
    expect(
      codes
        .map(shown)
        .filter((character) => letters.test(character))
        .join(''),
    ).to.equal('ABCDEFGHIJKLMNOPQRSTUVWXYZ');
  });

  it('finds the code of what only it has', () => {
    for (let code = 0x40; code < 0xff; code++) {
      const unit = aplUnitOfByte[code] as number;
      if (unit !== 0xfffd && unit > 0x7f) expect(aplByteOf(unit), shown(code)).to.equal(code);
    }
    expect(aplByteOf(0x2502)).to.equal(0x85);
  });

  it('has no code for what every code page has, nor for what nobody has', () => {
    for (const codePoint of [0x20, 0x41, 0x5b, 0x7d, 0xfffd, 0x1f600, -1, Number.NaN]) {
      expect(aplByteOf(codePoint), String(codePoint)).to.equal(-1);
    }
  });
});
