import { expect } from 'chai';
import { addressGroupOf, networkOf } from '../../../src/lib/network/addresses.js';

describe('the network of a client', () => {
  for (const [one, other, isSame] of [
    ['192.0.2.1', '192.0.2.254', true],
    ['192.0.2.1', '192.0.3.1', false],
    ['2001:db8:1:2::1', '2001:db8:1:ffff::1', true],
    ['2001:db8:1::1', '2001:db8:2::1', false],
    ['2001:db8::1', '2001:db8:0:1::1', true],
    ['::1', '192.0.2.1', false],
  ] as const) {
    it(`${one} and ${other}: ${isSame ? 'the same' : 'different'}`, () => {
      expect(networkOf(addressGroupOf(one)) === networkOf(addressGroupOf(other))).to.equal(isSame);
    });
  }
});
