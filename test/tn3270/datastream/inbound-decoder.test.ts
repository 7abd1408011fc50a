import { expect } from 'chai';
import fc from 'fast-check';
import { decodeInboundRecord, describeTerminal } from '../../../src/tn3270/datastream/inbound-decoder.js';

const MOST_INBOUND_FIELDS = 5_000;

const bytes = (text: string) => Uint8Array.from(Buffer.from(text.replaceAll(' ', ''), 'hex'));
const decode = (text: string, positions = 1920) => {
  const inbound = decodeInboundRecord(bytes(text), positions);
  if (inbound.kind !== 'read') return inbound;
  const fields = inbound.fields.map(({ address, text: codes }) => `${address} ${Buffer.from(codes).toString('hex')}`);
  return { ...inbound, fields };
};

/** Bytes as GA23-0059, chapter 3, has terminals send them. */
describe('inbound decoder', () => {
  it('reads attention identifier, cursor and modified fields', () => {
    expect(decode('7d 40c1 11 40c1 c1c2 11 c150 f1')).to.deep.equal({
      kind: 'read',
      aid: 0x7d,
      cursor: 1,
      fields: ['1 c1c2', '80 f1'],
    });
    expect(decode('f3 5d7f 11 4040')).to.deep.equal({ kind: 'read', aid: 0xf3, cursor: 1919, fields: ['0 '] });
  });

  it('reads short ones, and an unformatted screen', () => {
    expect(decode('6c')).to.deep.equal({ kind: 'read', aid: 0x6c, cursor: undefined, fields: [] });
    expect(decode('7d 4040 c1c2')).to.deep.include({ fields: ['0 c1c2'] });
  });

  it('passes over Set Attribute, and takes no character of the APL set for one of the code page', () => {
    // 08 e7 is the euro sign of the APL set, and e7 is X
    expect(decode('7d 4040 11 4040 28 42f2 c1 08 e7 28 0000 c2')).to.deep.include({ fields: ['0 c13fc2'] });
  });

  it('says what is wrong', () => {
    for (const record of [
      '',
      '7d',
      '7d 40',
      '7d 5e40',
      '7d 4040 11',
      '7d 4040 11 40',
      '7d 4040 114040 08',
      '7d 4040 11 5e40 c1',
      '88 0002',
      '88 0009 81 80',
    ]) {
      expect(decode(record), record).to.include({ kind: 'fault' });
    }
  });

  it('takes so many fields, and no more', () => {
    const fields = (count: number) => `7d 4040 ${'114040'.repeat(count)}`;
    expect(decode(fields(MOST_INBOUND_FIELDS))).to.include({ kind: 'read' });
    expect(decode(fields(MOST_INBOUND_FIELDS + 1))).to.include({ kind: 'fault' });
  });

  it('takes any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), fc.boolean(), (record, replies) => {
        const inbound = decodeInboundRecord(replies ? Uint8Array.from([0x88, ...record]) : record, 1920);
        if (inbound.kind === 'queryReplies') describeTerminal(inbound.replies);
      }),
      { numRuns: 1_000 },
    );
  });
});
