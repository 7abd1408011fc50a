import { expect } from 'chai';
import fc from 'fast-check';
import { commandCodes } from '../../../src/tn3270/datastream/commands.js';
import { decodeOutboundRecord } from '../../../src/tn3270/datastream/decoder.js';
import {
  type AttributePair,
  encodeWriteStructuredField,
  eraseReset,
  outbound3270DataStream,
  readPartitionQuery,
  readPartitionQueryList,
  setReplyMode,
  WriteEncoder,
} from '../../../src/tn3270/datastream/encoder.js';
import { RecordingHandler } from './recording-handler.js';

const MOST_STRUCTURED_FIELDS = 256;

const bytes = (text: string) => Uint8Array.from(Buffer.from(text.replaceAll(' ', ''), 'hex'));

function decode(record: Uint8Array | string, handler = new RecordingHandler()) {
  const fault = decodeOutboundRecord(typeof record === 'string' ? bytes(record) : record, handler);
  return { fault, calls: handler.calls };
}

/** Bytes from GA23-0059, chapters 3 and 4. */
const orders: ReadonlyArray<readonly [record: string, ...calls: string[]]> = [
  ['f1 c3', 'write 195', 'end'],
  ['01 c3', 'write 195', 'end'],
  ['f5 40', 'eraseWrite 64', 'end'],
  ['05 40', 'eraseWrite 64', 'end'],
  ['7e 40', 'eraseWriteAlternate 64', 'end'],
  ['0d 40', 'eraseWriteAlternate 64', 'end'],
  ['6f', 'eau'],
  ['0f', 'eau'],
  ['f2', 'read readBuffer'],
  ['02', 'read readBuffer'],
  ['f6', 'read readModified'],
  ['06', 'read readModified'],
  ['6e', 'read readModifiedAll'],
  ['0e', 'read readModifiedAll'],
  ['03'],
  ['f1 40 11 5d7f', 'write 64', 'sba 1919', 'end'],
  ['f1 40 11 077f', 'write 64', 'sba 1919', 'end'],
  ['f1 40 11 4040 c1 13', 'write 64', 'sba 0', 'text c1', 'ic', 'end'],
  ['f1 40 1d f0 c1c2', 'write 64', 'sf 240', 'text c1c2', 'end'],
  ['f1 40 29 02 c0e8 42f2', 'write 64', 'sfe c0e842f2', 'end'],
  ['f1 40 29 00', 'write 64', 'sfe ', 'end'],
  ['f1 40 2c 01 41f4', 'write 64', 'mf 41f4', 'end'],
  ['f1 40 28 4200 28 0000', 'write 64', 'sa 66 0', 'sa 0 0', 'end'],
  ['f1 40 05 05', 'write 64', 'pt', 'pt', 'end'],
  ['f1 40 3c 5d7f 5c', 'write 64', 'ra 1919 92 - false', 'end'],
  ['f1 40 3c 5d7f 08a2', 'write 64', 'ra 1919 162 - true', 'end'],
  ['f1 40 12 4040', 'write 64', 'eua 0', 'end'],
  ['f1 40 08 85', 'write 64', 'ge 133', 'end'],
  ['f1 40 00 0c 0d 15 19 1c 1e 25 3f ff', 'write 64', 'text 000c0d15191c1e253fff', 'end'],
  ['f1 40 c1 04 c2', 'write 64', 'text c1', 'text c2', 'end'],
];

const structuredFields: ReadonlyArray<readonly [record: string, ...calls: string[]]> = [
  ['f3 0005 01 ff 02', 'query all'],
  ['11 0005 01 ff 02', 'query all'],
  ['f3 0000 01 ff 02', 'query all'],
  ['f3 0008 01 ff 03 00 8186', 'query 8186'],
  ['f3 0006 01 ff 03 80', 'query all'],
  ['f3 0006 01 ff 03 40', 'query all'],
  ['f3 0005 01 00 f2', 'readPartition readBuffer'],
  ['f3 0005 01 00 f6', 'readPartition readModified'],
  ['f3 0005 01 00 6e', 'readPartition readModifiedAll'],
  ['f3 0005 09 00 01', 'replyMode extendedField '],
  ['f3 0007 09 00 02 4142', 'replyMode character 4142'],
  ['f3 0004 03 00', 'eraseReset false'],
  ['f3 0004 03 80', 'eraseReset true'],
  ['f3 0007 40 00 f1 40 c1', 'write 64', 'text c1', 'end'],
  ['f3 0005 40 00 6f', 'eau'],
  ['f3 0004 0c 00 0004 00 00 0004 0d 00 0004 0e 00', 'createPartition'],
  ['f3 0005 d0 00 11', 'fileTransfer 0011'],
  ['f3 0006 0f21 8000 0004 03 80', 'eraseReset true'],
];

describe('data stream decoder', () => {
  for (const [record, ...calls] of [...orders, ...structuredFields]) {
    it(`decodes ${record}`, () => {
      expect(decode(record)).to.deep.equal({ fault: undefined, calls });
    });
  }

  it('reads a double-byte character in Repeat to Address where one stands', () => {
    const { calls } = decode('f1 40 3c 5d7f 42c1 c2', new RecordingHandler(1920, true));
    expect(calls).to.deep.equal(['write 64', 'ra 1919 66 193 false', 'text c2', 'end']);
  });

  it('refuses an order that is truncated, wherever it is, and does nothing of it', () => {
    for (const [record] of orders) {
      const whole = bytes(record);
      const isWrite = ['write', 'eraseWrite', 'eraseWriteAlternate'].some((name) => {
        const { ccw, sna } = commandCodes[name as 'write'];
        return whole[0] === ccw || whole[0] === sna;
      });
      if (!isWrite) continue;
      expect(decode(whole.subarray(0, 1)).fault?.sense, `${record}: no write control`).to.equal('commandReject');
    }
    for (const record of [
      '11 5d7f',
      '1d f0',
      '29 02 c0e8 42f2',
      '2c 01 41f4',
      '28 4200',
      '3c 5d7f 5c',
      '3c 5d7f 08a2',
      '12 4040',
      '08 85',
    ]) {
      const order = bytes(record);
      for (let length = 1; length < order.length; length++) {
        const { fault, calls } = decode(Uint8Array.from([0xf1, 0x40, ...order.subarray(0, length)]));
        expect(fault?.sense, `${record} at ${length}`).to.equal('operationCheck');
        expect(calls, `${record} at ${length}`).to.deep.equal(['write 64']);
      }
    }
  });

  it('takes addresses up to the last position, and none beyond', () => {
    const last = decode('f1 40 11 5d7f');
    expect(last.fault).to.equal(undefined);
    for (const record of ['f1 40 11 5e40', 'f1 40 3c 5e40 c1', 'f1 40 12 5e40', 'f1 40 11 0780', 'f1 40 11 3fff']) {
      expect(decode(record).fault, record).to.include({ sense: 'operationCheck' });
    }
    const large = new RecordingHandler(16_384);
    expect(decode('f1 40 11 3fff', large).calls).to.include('sba 16383');
  });

  it('refuses what is no command', () => {
    for (const code of [0x00, 0x04, 0x40, 0x99, 0xff]) {
      expect(decode(Uint8Array.of(code, 0x40)).fault?.sense, `0x${code.toString(16)}`).to.equal('commandReject');
    }
    expect(decode(new Uint8Array(0))).to.deep.equal({ fault: undefined, calls: [] });
  });

  it('refuses structured fields that are wrong, and carries out those beside them', () => {
    for (const record of [
      'f3 00',
      'f3 0002',
      'f3 0009 01 ff 02',
      'f3 0004 01 ff',
      'f3 0005 01 00 02',
      'f3 0005 01 ff f2',
      'f3 0005 01 ff 03',
      'f3 0005 09 00 03',
      'f3 0005 09 01 00',
      'f3 0004 03 01',
      'f3 0003 03',
      'f3 0006 40 01 f1 40',
      'f3 0005 40 00 f2',
      'f3 0004 99 00',
      'f3 0003 0f',
      'f3 0004 0f 99',
    ]) {
      const { fault, calls } = decode(record);
      expect(fault?.sense, record).to.equal('commandReject');
      expect(calls, record).to.deep.equal([]);
    }
    const { fault, calls } = decode('f3 0004 99 00 0004 03 80');
    expect(fault?.sense).to.equal('commandReject');
    expect(calls).to.deep.equal(['eraseReset true']);
  });

  it('carries out a bounded number of structured fields', () => {
    const fields = (count: number) => bytes(`f3${'00040380'.repeat(count)}`);
    expect(decode(fields(MOST_STRUCTURED_FIELDS)).fault).to.equal(undefined);
    const { fault, calls } = decode(fields(MOST_STRUCTURED_FIELDS + 1));
    expect(fault?.sense).to.equal('commandReject');
    expect(calls).to.have.length(MOST_STRUCTURED_FIELDS);
  });

  it('decodes what the encoder wrote', () => {
    const address = fc.integer({ min: 0, max: 6_159 });
    const byte = fc.integer({ min: 0, max: 255 });
    const graphic = fc.integer({ min: 0x40, max: 0xff });
    const pairs = fc.array(fc.tuple(byte, byte), { maxLength: 5 });
    const hexPairs = (list: readonly AttributePair[]) => Buffer.from(list.flat()).toString('hex');
    const order = fc.oneof(
      address.map((at) => [(encoder: WriteEncoder) => encoder.setBufferAddress(at), `sba ${at}`] as const),
      pairs.map(
        (list) => [(encoder: WriteEncoder) => encoder.startFieldExtended(list), `sfe ${hexPairs(list)}`] as const,
      ),
      pairs.map((list) => [(encoder: WriteEncoder) => encoder.modifyField(list), `mf ${hexPairs(list)}`] as const),
      fc
        .tuple(byte, byte)
        .map(
          ([type, value]) =>
            [(encoder: WriteEncoder) => encoder.setAttribute(type, value), `sa ${type} ${value}`] as const,
        ),
      fc.constant([(encoder: WriteEncoder) => encoder.insertCursor(), 'ic'] as const),
      fc.constant([(encoder: WriteEncoder) => encoder.programTab(), 'pt'] as const),
      fc
        .tuple(address, graphic)
        .map(
          ([at, code]) =>
            [(encoder: WriteEncoder) => encoder.repeatToAddress(at, [code]), `ra ${at} ${code} - false`] as const,
        ),
      address.map((at) => [(encoder: WriteEncoder) => encoder.eraseUnprotectedToAddress(at), `eua ${at}`] as const),
      byte.map((code) => [(encoder: WriteEncoder) => encoder.graphicEscape(code), `ge ${code}`] as const),
    );
    fc.assert(
      fc.property(fc.array(order, { maxLength: 30 }), fc.constantFrom(1_920, 6_160), (list, positions) => {
        const fitting = list.filter(
          ([, call]) => !/^(sba|ra|eua) (\d+)/.test(call) || Number(call.split(' ')[1]) < positions,
        );
        const encoder = new WriteEncoder('write', { restoreKeyboard: true }, positions);
        for (const [encode] of fitting) encode(encoder);
        const { fault, calls } = decode(encoder.finish(), new RecordingHandler(positions));
        expect(fault).to.equal(undefined);
        expect(calls).to.deep.equal(['write 194', ...fitting.map(([, call]) => call), 'end']);
      }),
    );
  });

  it('decodes the structured fields that the encoder wrote', () => {
    const write = new WriteEncoder('eraseWrite', { restoreKeyboard: true }, 1_920).text([0xc1]).finish();
    const record = encodeWriteStructuredField(
      readPartitionQuery(),
      readPartitionQueryList([0x81, 0x86]),
      setReplyMode('character', [0x41, 0x42]),
      eraseReset(true),
      outbound3270DataStream(write),
    );
    expect(decode(record)).to.deep.equal({
      fault: undefined,
      calls: [
        'query all',
        'query 8186',
        'replyMode character 4142',
        'eraseReset true',
        'eraseWrite 194',
        'text c1',
        'end',
      ],
    });
  });

  it('takes any bytes', () => {
    const start = fc.constantFrom(...Object.values(commandCodes).flatMap(({ ccw, sna }) => [ccw, sna ?? ccw]));
    fc.assert(
      fc.property(start, fc.uint8Array({ maxLength: 300 }), (command, rest) => {
        decode(Uint8Array.from([command, ...rest]));
      }),
      { numRuns: 2_000 },
    );
  });
});
