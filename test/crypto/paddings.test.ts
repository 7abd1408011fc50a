import { expect } from 'chai';
import { paddings } from '../../src/crypto/crypt-definition.js';

const BLOCK = 8;

/** Two blocks of text of which the last bytes are padding: the last one says how many, the others are as the rule wants. */
function padded(filler: (count: number) => number, count: number): Uint8Array {
  const bytes = new Uint8Array(2 * BLOCK).fill(0x41);
  bytes.fill(filler(count), bytes.length - count);
  bytes[bytes.length - 1] = count;
  return bytes;
}

describe('paddings', () => {
  const fillers: readonly (readonly [name: string, filler: (count: number) => number])[] = [
    ['PKCS7', (count) => count],
    ['X9.23', () => 0],
    ['ISO10126', () => 0x5a],
  ];
  for (const [name, filler] of fillers) {
    const unpad = (bytes: Uint8Array) => paddings.get(name)?.(bytes, BLOCK);

    it(`${name} is from one byte to a block, and no more`, () => {
      for (const count of [1, 2, BLOCK - 1, BLOCK]) {
        expect(unpad(padded(filler, count)), String(count)).to.have.length(2 * BLOCK - count);
      }
      for (const count of [BLOCK + 1, 2 * BLOCK])
        expect(unpad(padded(filler, count)), String(count)).to.equal(undefined);
      const none = new Uint8Array(BLOCK).fill(0x41);
      for (const count of [0, 0xff]) {
        none[BLOCK - 1] = count;
        expect(unpad(none), String(count)).to.equal(undefined);
      }
      expect(unpad(new Uint8Array(0))).to.equal(undefined);
    });
  }

  it('of PKCS7 and X9.23 have their own bytes, each of them', () => {
    for (const name of ['PKCS7', 'X9.23']) {
      const filler = name === 'X9.23' ? () => 0 : (count: number) => count;
      for (let back = 2; back <= BLOCK; back++) {
        const bytes = padded(filler, BLOCK);
        bytes[bytes.length - back] = 0x7f;
        expect(paddings.get(name)?.(bytes, BLOCK), `${name}, ${back}`).to.equal(undefined);
      }
    }
  });
});
