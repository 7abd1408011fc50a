import { expect } from 'chai';
import { readCryptDefinition } from '../../src/crypto/crypt-definition.js';
import { LONGEST_WIRE_VALUE, SessionCrypto } from '../../src/crypto/session-crypto.js';
import { soundValue } from '../../src/lib/read-outcome.js';

describe('the value of a field on the wire', () => {
  for (const [encoding, unit, characters] of [
    ['HEX', '41', 1],
    ['BASE64', 'QUFB', 3],
  ] as const) {
    it(`has ${LONGEST_WIRE_VALUE} characters of ${encoding} at most`, () => {
      const definition = soundValue(readCryptDefinition(['C', 'NONE', 'NONE', 'NO-ENCRYPTION', encoding]));
      const session = new SessionCrypto(definition);
      const most = LONGEST_WIRE_VALUE / unit.length;
      expect(session.clearValue(unit.repeat(most), '')).to.equal('A'.repeat(most * characters));
      expect(session.clearValue(unit.repeat(most + 1), '')).to.equal(undefined);
    });
  }
});
