import { expect } from 'chai';
import { decodeBindImage, encodeBindImage } from '../../../src/tn3270/telnet/bind-image.js';
import {
  decodeTn3270eHeader,
  encodeTn3270eHeader,
  nextSequenceNumber,
} from '../../../src/tn3270/telnet/tn3270e-header.js';

const MODEL_2 = { rows: 24, columns: 80 };

/** A BIND as a host sends it: `31 01 03 03 …`, screen sizes from offset 20, their code at 24. */
function bind(code: number, sizes: readonly [number, number, number, number] = [24, 80, 43, 80]): Uint8Array {
  const bytes = Buffer.from('31010303b1903080008787f8870002800000000018502b507f000008c9c2d4f0e3c5e2e3', 'hex');
  bytes.set([...sizes, code], 20);
  return bytes;
}

describe('BIND image', () => {
  it('tells sizes as its code says (SNA Formats, BIND, bytes 20 to 24)', () => {
    expect(decodeBindImage(bind(0x00))?.sizes).to.deep.equal({ default: MODEL_2, alternate: MODEL_2 });
    expect(decodeBindImage(bind(0x02))?.sizes).to.deep.equal({ default: MODEL_2, alternate: MODEL_2 });
    expect(decodeBindImage(bind(0x03))?.sizes).to.deep.equal({ default: MODEL_2, alternate: undefined });
    const size = { rows: 32, columns: 80 };
    expect(decodeBindImage(bind(0x7e, [32, 80, 0, 0]))?.sizes).to.deep.equal({ default: size, alternate: size });
    expect(decodeBindImage(bind(0x7f))?.sizes).to.deep.equal({
      default: MODEL_2,
      alternate: { rows: 43, columns: 80 },
    });
    expect(decodeBindImage(bind(0x01))?.sizes).to.equal(undefined);
  });

  it('tells the name of the application', () => {
    const image = decodeBindImage(bind(0x7f));
    expect(Buffer.from(image?.primaryName ?? []).toString('hex')).to.equal('c9c2d4f0e3c5e2e3');
  });

  it('has a name of 8 bytes at most, and 0 for what is missing', () => {
    const hexOf = (bytes: Uint8Array | undefined) => Buffer.from(bytes ?? []).toString('hex');
    const named = (length: number) => {
      const head = bind(0x7f).subarray(0, 27);
      return decodeBindImage(Buffer.concat([head, Buffer.of(length), Buffer.from('c1c2c3c4c5c6c7c8c9', 'hex')]));
    };
    expect([0, 1, 8, 9, 255].map((length) => hexOf(named(length)?.primaryName))).to.deep.equal([
      '',
      'c1',
      'c1c2c3c4c5c6c7c8',
      'c1c2c3c4c5c6c7c8',
      'c1c2c3c4c5c6c7c8',
    ]);
    // the last byte but one: 8 of the name, and 0 for the user data
    const encoded = (length: number) => hexOf(encodeBindImage(MODEL_2, MODEL_2, new Uint8Array(length).fill(0xc1)));
    expect(encoded(8)).to.match(/^310103.{48}08c1c1c1c1c1c1c1c100$/);
    expect(encoded(9)).to.equal(encoded(8));
    expect(encoded(0)).to.match(/^310103.{48}0000$/);
    expect(decodeBindImage(Uint8Array.of(0x31))).to.deep.equal({
      sizes: undefined,
      primaryName: new Uint8Array(0),
    });
  });

  it('takes any bytes', () => {
    const whole = bind(0x7f);
    for (let length = 0; length <= whole.length; length++) decodeBindImage(whole.subarray(0, length));
    expect(decodeBindImage(Uint8Array.of(0x32))).to.equal(undefined);
    expect(decodeBindImage(new Uint8Array(0))).to.equal(undefined);
  });

  it('is encoded as it is read', () => {
    const name = Uint8Array.of(0xe2, 0xc9, 0xd4);
    const alternate = { rows: 62, columns: 160 };
    expect(decodeBindImage(encodeBindImage(MODEL_2, alternate, name))).to.deep.include({
      sizes: { default: MODEL_2, alternate },
      primaryName: name,
    });
    expect(decodeBindImage(encodeBindImage(MODEL_2, undefined, name))?.sizes?.alternate).to.equal(undefined);
  });
});

describe('TN3270E header', () => {
  it('has five bytes (RFC 2355, section 8.1)', () => {
    const header = { dataType: 2, requestFlag: 0, responseFlag: 1, sequenceNumber: 0x1234 };
    expect(Buffer.from(encodeTn3270eHeader(header)).toString('hex')).to.equal('0200011234');
    expect(decodeTn3270eHeader(Uint8Array.of(2, 0, 1, 0x12, 0x34, 0xff))).to.deep.equal(header);
    expect(decodeTn3270eHeader(Uint8Array.of(2, 0, 1, 0x12))).to.equal(undefined);
  });

  it('numbers from 0 to 32767 and again', () => {
    expect(nextSequenceNumber(0)).to.equal(1);
    expect(nextSequenceNumber(32_766)).to.equal(32_767);
    expect(nextSequenceNumber(32_767)).to.equal(0);
  });
});
