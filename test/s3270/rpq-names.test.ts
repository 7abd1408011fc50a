import { expect } from 'chai';
import { readRpq, rpqNames } from '../../src/s3270/program/rpq-names.js';

const FIXED = 'a7f3f2f7f0';

/** Of a reply that tells the time zone alone: its two bytes, and what is wrong. */
function zone(value: string) {
  const reading = readRpq(`TIMEZONE=${value}`);
  const { bytes, faults } = rpqNames(reading, {
    ownAddress: undefined,
    addressOf: () => ({ kind: 'fault', fault: 'not looked up' }),
    version: '',
  });
  const reply = Buffer.from(bytes).toString('hex');
  expect(reply.slice(0, 16)).to.equal(`0a${FIXED}0402`);
  return [Buffer.from(bytes).readInt16BE(8), ...reading.faults, ...faults];
}

/** Words and numbers of s3270 4.1, which has those of an offset for the zone of the machine alone (TZ=XXX-14). */
describe('RPQ names', () => {
  it('tell minutes east of Greenwich', () => {
    for (const [value, minutes] of [
      ...[['+0500', 300] as const, ['0500', 300] as const, ['-0530', -330] as const, ['+0545', 345] as const],
      ...[['30', 30] as const, ['0000', 0] as const, ['+1200', 720] as const, ['-1200', -720] as const],
    ]) {
      expect(zone(value), value).to.deep.equal([minutes]);
    }
  });

  it('tell a fault in place of an offset that is none, or further than half a day', () => {
    for (const value of ['x', '+0560', '5-30', '+12345', '1h']) {
      expect(zone(value), value).to.deep.equal([4, 'RPQ TIMEZONE term is invalid - use +/-hhmm']);
    }
    for (const value of ['+1201', '-1300', '9959']) {
      expect(zone(value), value).to.deep.equal([3, 'RPQ timezone exceeds 12 hour UTC offset']);
    }
  });
});
