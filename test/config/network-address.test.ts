import { expect } from 'chai';
import { readListenAddress, readServiceAddress } from '../../src/config/network-address.js';
import { readAs, readFault } from '../../src/lib/read-outcome.js';

describe('network addresses', () => {
  // the forms of the contract and of reference 1.1 (LOCADDR)
  const listened: readonly [string, { host: string | undefined; port: number }][] = [
    ['127.0.0.1:41002', { host: '127.0.0.1', port: 41002 }],
    ['client.example:80', { host: 'client.example', port: 80 }],
    ['localhost:0', { host: 'localhost', port: 0 }],
    ['[::1]:41002', { host: '::1', port: 41002 }],
    ['[fe80::1%eth0]:65535', { host: 'fe80::1%eth0', port: 65535 }],
    [':41002', { host: undefined, port: 41002 }],
    ['0:41002', { host: undefined, port: 41002 }],
  ];
  for (const [text, address] of listened) {
    it(`listens on ${text}`, () => expect(readListenAddress(text)).to.deep.equal(readAs(address)));
  }

  const refused = [
    '',
    ':',
    '41002',
    'host',
    'host:',
    'host:x',
    'host:-1',
    '::1:80',
    '[::1]',
    '[]:80',
    'a b:80',
    '1.2.3:80',
  ];
  for (const text of refused) {
    it(`does not listen on "${text}"`, () =>
      expect(readListenAddress(text))
        .to.have.property('fault')
        .that.matches(/^expected /));
  }

  it('bounds ports', () => {
    expect(readListenAddress(':65535')).to.deep.equal(readAs({ host: undefined, port: 65535 }));
    expect(readListenAddress(':65536')).to.deep.equal(readFault('expected a port from 0 to 65535, found 65536'));
    expect(readServiceAddress('a:1')).to.deep.equal(readAs({ host: 'a', port: 1 }));
    expect(readServiceAddress('a:0')).to.deep.equal(readFault('expected a port from 1 to 65535, found 0'));
  });

  it('bounds host names at 253 characters, labels at 63 (RFC 1123)', () => {
    const label = 'a'.repeat(63);
    const name = `${label}.${label}.${label}.${'a'.repeat(61)}`;
    expect(readServiceAddress(`${name}:80`)).to.deep.equal(readAs({ host: name, port: 80 }));
    expect(readServiceAddress(`${name}a:80`)).to.have.property('kind', 'fault');
    expect(readServiceAddress(`${label}a.example:80`)).to.have.property('kind', 'fault');
  });
});
