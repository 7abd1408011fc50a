import { expect } from 'chai';
import { addressGroupOf } from '../../../src/lib/network/addresses.js';

describe('what counts as one client address', () => {
  for (const [address, group] of [
    ['192.0.2.1', '192.0.2.1'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:DB8:0001:2::7', '2001:db8:1:2::/64'],
    ['2001:db8::7', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['::', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['2001:db8:1:2:3:4:5::', '2001:db8:1:2::/64'],
  ] as const) {
    it(`${address}: ${group}`, () => expect(addressGroupOf(address)).to.equal(group));
  }
});
