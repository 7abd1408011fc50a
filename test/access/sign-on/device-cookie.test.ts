import { expect } from 'chai';
import { newDeviceCode, readDeviceCode } from '../../../src/access/sign-on/device-cookie.js';

const DEVICE_DAYS = 90;

const DAY = 86_400_000;

describe('the code of a browser', () => {
  const key = Buffer.alloc(32, 1);
  const now = Date.parse('2027-03-01T09:00:00Z');
  const code = newDeviceCode(key, now);

  it('is good for 90 days, to be renewed after 30, and never before it was given', () => {
    const ages = [-1, 0, 29, 30, DEVICE_DAYS - 1, DEVICE_DAYS].map((days) =>
      readDeviceCode(key, code, now + days * DAY),
    );
    const [fresh, old] = [{ isOld: false }, { isOld: true }];
    expect(ages).to.deep.equal([undefined, fresh, fresh, old, old, undefined]);
  });

  it('is another one each time, and of one key alone', () => {
    expect(newDeviceCode(key, now)).not.to.equal(code);
    expect(readDeviceCode(Buffer.alloc(32, 2), code, now)).to.equal(undefined);
  });

  it('is good for nothing where a bit is another one, or one is missing', () => {
    const bytes = Buffer.from(code, 'base64url');
    for (let at = 0; at < bytes.length; at++) {
      const altered = Buffer.from(bytes);
      altered.writeUInt8(altered.readUInt8(at) ^ 1, at);
      expect(readDeviceCode(key, altered.toString('base64url'), now)).to.equal(undefined);
    }
    for (const wrong of ['', code.slice(0, -4), `${code}AAAA`]) {
      expect(readDeviceCode(key, wrong, now)).to.equal(undefined);
    }
  });
});
