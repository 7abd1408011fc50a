import { expect } from 'chai';
import { decodeInboundRecord, describeTerminal } from '../../../src/tn3270/datastream/inbound-decoder.js';
import { type DeviceDescription, encodeQueryReplies } from '../../../src/tn3270/datastream/query-reply.js';

const model4: DeviceDescription = {
  rows: 43,
  columns: 80,
  defaultRows: 24,
  defaultColumns: 80,
  color: true,
  codePage: 37,
  transferBufferBytes: 16_384,
};

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');
const reply = (device: DeviceDescription, code: number) => hex(encodeQueryReplies(device, Uint8Array.of(code)));

/** The replies of s3270, which hosts take; ours differ in the name of the terminal alone. */
const expected: Readonly<Record<number, string>> = {
  128: '000e81808081848586878895a1a6',
  129: '00178181010000500 02b01000a02e50002006f090c0d70'.replaceAll(' ', ''),
  132: '00088184000d7000',
  133: '001b81858200090c00000000070010000 2b900250100f103c30136'.replaceAll(' ', ''),
  134: '002681860010 00f4f1f1f2f2f3f3f4f4f5f5f6f6f7f7f8f8f9f9fafafbfbfcfcfdfdfefeffff'.replaceAll(' ', ''),
  135: '000f81870500f0f1f1f2f2f4f4f8f8',
  136: '00078188000102',
  149: '000c81950000400040000101',
  166: '001181a600000b010000500018 0050002b'.replaceAll(' ', ''),
};

describe('query replies', () => {
  for (const [code, bytes] of Object.entries(expected)) {
    it(`are as hosts know them: 0x${Number(code).toString(16)}`, () => {
      expect(reply(model4, Number(code))).to.equal(`88${bytes}`);
    });
  }

  it('come all together, in rising order', () => {
    const all = hex(encodeQueryReplies(model4, 'all'));
    expect(all.startsWith(`88${expected[0x80]}${expected[0x81]}`)).to.equal(true);
    expect(all.endsWith(expected[0xa6] ?? '')).to.equal(true);
    expect(hex(encodeQueryReplies(model4, Uint8Array.of(0x88, 0x87)))).to.equal(`88${expected[0x87]}${expected[0x88]}`);
  });

  it('say Null where nothing that was asked for is there (GA23-0059, "Query Reply (Null)")', () => {
    expect(hex(encodeQueryReplies(model4, Uint8Array.of(0xb0)))).to.equal('88000481ff');
    expect(hex(encodeQueryReplies(model4, Uint8Array.of(0x91))), 'no double-byte set').to.equal('88000481ff');
    expect(hex(encodeQueryReplies(model4, new Uint8Array(0)))).to.equal('88000481ff');
  });

  it('claim no colours for a 3278, which has none to tell of (GA23-0059, "Query Reply (Color)")', () => {
    const plain = { ...model4, color: false };
    expect(reply(plain, 0x86)).to.equal('88000481ff');
    expect(reply(plain, 0x80)).to.equal('88000d818080818485878895a1a6');
    const inbound = decodeInboundRecord(encodeQueryReplies(plain, 'all'), 3_440);
    expect(inbound.kind === 'queryReplies' && [...inbound.replies.keys()]).to.not.include(0x86);
  });

  it('claim no file transfer of terminals that have only screens for it: hosts that see it wait for structured fields', () => {
    const byScreens = { ...model4, transferBufferBytes: 0 };
    expect(reply(byScreens, 0x95)).to.equal('88000481ff');
    expect(reply(byScreens, 0x80)).to.equal(`88${'000d818080818485868788a1a6'}`);
  });

  /** As s3270 4.1ga10 replies. */
  const doubleByteSets = [
    [930, '04940122', '0172012c'],
    [939, '04940403', '0172012c'],
    [935, '04960344', '04380345'],
    [937, '04970025', '03a70343'],
    [1388, '04960344', '03a90345'],
  ] as const;

  for (const [codePage, singleByte, doubleByte] of doubleByteSets) {
    it(`name the sets of code page ${codePage}, and what is done with pairs`, () => {
      const device = { ...model4, codePage };
      expect(reply(device, 0x85)).to.equal(
        `88002e81858e00090c000000000b00000000000000${singleByte}0100f10000000003c301368020f8120c417f${doubleByte}`,
      );
      expect(reply(device, 0x91)).to.equal('88000b819100030180030201');
      expect(reply(device, 0x80)).to.equal('88000f8180808184858687889195a1a6');
    });
  }

  it('tell the host what the terminal is', () => {
    for (const [rows, columns] of [
      [24, 80],
      [27, 132],
      [62, 160],
    ] as const) {
      const device = { ...model4, rows, columns, codePage: 939 };
      const inbound = decodeInboundRecord(encodeQueryReplies(device, 'all'), rows * columns);
      if (inbound.kind !== 'queryReplies') throw new Error('no query replies');
      expect(describeTerminal(inbound.replies)).to.deep.equal({
        rows,
        columns,
        color: true,
        doubleByte: true,
        graphicEscape: true,
        transferBytes: 16_384,
      });
    }
  });
});
