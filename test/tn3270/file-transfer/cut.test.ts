import { expect } from 'chai';
import {
  CutDecoder,
  CutEncoder,
  checksum,
  readCutFrame,
  readSentData,
  sentData,
  sixBits,
  twoDigits,
} from '../../../src/tn3270/file-transfer/cut-frame.js';

const CUT_POSITIONS = 1_920;

const every = Uint8Array.from({ length: 256 }, (_, at) => at);

/** What s3270 4.1 sends of the bytes 0 to 255 in one frame: quadrants by their selectors 5E, 7E, 5C and 7D. */
const everyCoded =
  '5cc1c2c3c4c5c6c7c8c9d1d2d3d4d5d6d7d8d9e2e3e4e5e6e7e8e94c4e6b604b617e407df1f2f3f47e6c506d4d5d4c4e6b604b61f0f1f2f3f4f5f6f7f8f97a6e5cf0f1f27e6f5e407ec1c2c3c4c5c6c7c8c9d1d2d3d4d5d6d7d8d9e2e3e4e5e6e7e8e97df5f65e5d7df8f95e60617e8283848586878889919293949596979899a2a3a4a5a6a7a8a95c6c506d4d5d7d815e8182838485868788897d929394959697985e9192939495969798997d7a6e506d4d5dc1c25ea2a3a4a5a6a7a8a97dd2d3d4d5d6d7d8d9e2e3e4e5e6e7e8e94c4e6b604b61895ec1c2c3c4c5c6c7c8c97d838485868788a85ed1d2d3d4d5d6d7d8d97da2a3a4a5a6a7c9d15ee2e3e4e5e6e7e8e97dc3c4c5c6c7c85ef0f1f2f3f4f5f6f7f8f95cf4f5f6f7f8f9';

const screenOf = (...codes: number[]) => {
  const screen = new Uint8Array(CUT_POSITIONS);
  screen.set(codes);
  return screen;
};

describe('CUT', () => {
  it('codes every byte as s3270 does, and reads it again', () => {
    const { codes, taken } = new CutEncoder().encode(every, 1_000);
    expect(taken).to.equal(256);
    expect(Buffer.from(codes).toString('hex')).to.equal(everyCoded);
    expect(new CutDecoder().decode(codes)).to.deep.equal({ kind: 'read', value: every });
  });

  it('goes on in the quadrant of the frame before, and takes what fits', () => {
    const encoder = new CutEncoder();
    const first = encoder.encode(Buffer.from('AAAA'), 3);
    expect(Buffer.from(first.codes).toString('hex')).to.equal('7ec1c1');
    expect(first.taken).to.equal(2);
    expect(Buffer.from(encoder.encode(Buffer.from('AA'), 3).codes).toString('hex')).to.equal('c1c1');
    // a selector alone is nothing
    expect(encoder.encode(Uint8Array.of(0), 1)).to.deep.equal({ codes: new Uint8Array(0), taken: 0 });
  });

  it('reads no character that stands for nothing', () => {
    expect(new CutDecoder().decode(Uint8Array.of(0xc1))).to.include({ kind: 'fault' });
    expect(new CutDecoder().decode(Uint8Array.of(0x5e, 0x00))).to.include({ kind: 'fault' });
  });

  it('writes lengths and checksums as s3270 does', () => {
    // a frame that is full: 1,912 characters
    expect(twoDigits(1_912)).to.deep.equal([0x6b, 0xe8]);
    expect(checksum(Uint8Array.of(0x5c, 0xa9))).to.equal(0xe5);
    expect(Buffer.from(sentData(0x83, Uint8Array.of(0x5c, 0xa9)).codes).toString('hex')).to.equal('83e581835ca9');
  });

  it('reads frames, and says what is wrong with them', () => {
    expect(readCutFrame(screenOf(0xc3, 0x81, 0x81, 0x81))).to.deep.equal({
      kind: 'read',
      value: { kind: 'acknowledge' },
    });
    expect(readCutFrame(screenOf(0xc3, 0x81, 0x81, 0x89))).to.deep.equal({ kind: 'read', value: { kind: 'complete' } });
    const longest = screenOf(0xc1, 0x81, 0x81, ...twoDigits(1_909));
    expect(readCutFrame(longest), 'as long as a frame can be').to.include({ kind: 'read' });
    for (const wrong of [
      screenOf(0x99),
      screenOf(0xc3, 0x81, 0x12, 0x34),
      screenOf(0xc1, 0x81, 0x81, ...twoDigits(1_910)),
      screenOf(0xc1, 0x81, 0x81, 0x00, 0x00),
      new Uint8Array(3_440),
    ]) {
      expect(readCutFrame(wrong)).to.include({ kind: 'fault' });
    }
  });

  it('takes no answer that was changed on its way', () => {
    const answer = Uint8Array.of(0x40, ...sentData(sixBits(1), Uint8Array.of(0x5c, 0xa9)).codes);
    expect(readSentData(sixBits(1), answer)).to.include({ kind: 'read' });
    expect(readSentData(sixBits(2), answer), 'out of sequence').to.include({ kind: 'fault' });
    for (const at of [2, 3, 4, 5]) {
      const changed = answer.slice();
      changed[at] = (changed[at] as number) ^ 0x01;
      expect(readSentData(sixBits(1), changed), `position ${at}`).to.include({ kind: 'fault' });
    }
  });
});
