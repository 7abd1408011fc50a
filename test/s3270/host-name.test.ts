import { expect } from 'chai';
import { readHostName } from '../../src/s3270/host-name.js';

const plain = {
  deviceNames: [],
  tls: false,
  verifies: true,
  tn3270e: true,
  isLineTerminal: false,
  speaksTelnet: true,
  isExtended: true,
  throughGateway: false,
  acceptedName: undefined,
  user: undefined,
  waitsForOutput: true,
};

/** Reference 10.5. */
describe('names of hosts in scripts', () => {
  const read = (written: string) => readHostName(written, 23);

  it('have a port, logical units, prefixes and the name of a certificate', () => {
    const cases: ReadonlyArray<readonly [string, object]> = [
      ['host.example', { ...plain, host: 'host.example', port: 23 }],
      ['host.example:992', { ...plain, host: 'host.example', port: 992 }],
      ['L:host:992', { ...plain, host: 'host', port: 992, tls: true }],
      ['l:Y:N:host', { ...plain, host: 'host', port: 23, tls: true, verifies: false, tn3270e: false }],
      ['LU1,LU2@host', { ...plain, host: 'host', port: 23, deviceNames: ['LU1', 'LU2'] }],
      ['L:LU1@[::1]:2023', { ...plain, host: '::1', port: 2023, deviceNames: ['LU1'], tls: true }],
      ['A:host', { ...plain, host: 'host', port: 23, isLineTerminal: true, tn3270e: false }],
      [
        'S:T:P:host',
        { ...plain, host: 'host', port: 23, isExtended: false, speaksTelnet: false, throughGateway: true },
      ],
      ['lu1,@Y:host', { ...plain, host: 'host', port: 23, deviceNames: ['lu1'], verifies: false }],
      ['tn3270s://LU1@host/', { ...plain, host: 'host', port: 992, deviceNames: ['LU1'], tls: true }],
      [
        'tn3270://[::1]:2023?lu=A,B&verifycert=false',
        { ...plain, host: '::1', port: 2023, deviceNames: ['A', 'B'], verifies: false },
      ],
      [
        'telnet://anna@host?waitoutput=false',
        { ...plain, host: 'host', port: 23, isLineTerminal: true, tn3270e: false, user: 'anna', waitsForOutput: false },
      ],
      [
        'L:10.0.0.1=mainframe.example',
        { ...plain, host: '10.0.0.1', port: 23, tls: true, acceptedName: 'mainframe.example' },
      ],
    ];
    for (const [written, value] of cases) expect(read(written), written).to.deep.equal({ kind: 'read', value });
  });

  it('are refused where they are none, or ask for what is not there', () => {
    for (const written of [
      '',
      ' ',
      'a b c',
      'host:0',
      'host:65536',
      '@',
      'a b@host',
      'X:host:23',
      '::1',
      'host=',
      'tn3270://',
      'tn3270://host/path',
      // a proxy would read what follows as lines of its own
      'tn3270://host\r\nX-Other:1',
      'tn3270://[host\r\nX-Other]:1',
      'tn3270://host?luu=A',
      'tn3270://%zz@host',
      `${'L,'.repeat(32)}L@h`,
    ]) {
      expect(read(written).kind, written).to.equal('fault');
    }
    expect(read(`${'L,'.repeat(31)}L@h`).kind).to.equal('read');
  });
});
