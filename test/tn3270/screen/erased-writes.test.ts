import { expect } from 'chai';
import { encodeBufferAddress } from '../../../src/tn3270/datastream/buffer-address.js';
import { isChangedSince } from '../../../src/tn3270/screen/host-changes.js';
import { Terminal } from './terminal.js';

const hex = (bytes: Iterable<number>) => Buffer.from([...bytes]).toString('hex');
const setAddress = (at: number) => `11${hex(encodeBufferAddress(at, 1_920, 'coded'))}`;

const planesOf = ({ screen }: Terminal) => {
  const { codes, fieldAttributes, foregrounds, backgrounds, highlightings, characterSets } = screen.state.space.planes;
  return [codes, fieldAttributes, foregrounds, backgrounds, highlightings, characterSets].map(hex);
};

/** Numbers of a linear congruential generator, the same in each run. */
function* numbers(seed: number): Generator<number, never> {
  for (let state = seed; ; ) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    yield state / 2 ** 32;
  }
}

describe('a write to an erased screen', () => {
  it('gives text that overwrites coloured text the default attributes', () => {
    const terminal = new Terminal();
    terminal.host(`f5c3 ${setAddress(400)} 2842f2 2841f2 c1c1c1c1c1c1 2800 00 ${setAddress(401)} c2c2c2c2`);
    const { foregrounds, highlightings, codes } = terminal.screen.state.space.planes;
    expect(hex(codes.subarray(400, 406))).to.equal('c1c2c2c2c2c1');
    expect(hex(foregrounds.subarray(400, 406))).to.equal('f200000000f2');
    expect(hex(highlightings.subarray(400, 406))).to.equal('f200000000f2');
  });

  it('replaces fields that it has written before', () => {
    const terminal = new Terminal();
    terminal.host(`f5c3 ${setAddress(500)} 1d60 ${setAddress(499)} c2c2c2c2c2c2 ${setAddress(600)} 1d60`);
    const { fieldAttributes, codes } = terminal.screen.state.space.planes;
    expect(hex(codes.subarray(498, 506))).to.equal('00c2c2c2c2c2c200');
    expect(fieldAttributes[500]).to.equal(0);
    expect(fieldAttributes[600]).not.to.equal(0);
  });

  it('draws the same as a second record after the erase', () => {
    const number = numbers(7);
    const below = (limit: number) => Math.floor(number.next().value * limit);
    const orders: readonly (() => string)[] = [
      () => setAddress(below(1_920)),
      () => hex(Array.from({ length: 1 + below(150) }, () => 0xc1 + below(9))),
      () => `1d${hex([0x40 + below(0x40)])}`,
      () => `2902c0${hex([0x40 + below(0x40)])}42f${1 + below(7)}`,
      () => `2842f${below(8)}`,
      () => `2841f${[0, 1, 2, 4][below(4)]}`,
      () => `2845f${below(8)}`,
      () => '280000',
      () => `3c${setAddress(below(1_920)).slice(2)}${hex([0xc1 + below(9)])}`,
      () => `12${setAddress(below(1_920)).slice(2)}`,
      () => '05',
      () => `08${hex([0x41 + below(100)])}`,
      () => `2c0141f${[1, 2, 4][below(3)]}`,
    ];
    for (let round = 0; round < 200; round++) {
      const record = Array.from({ length: 1 + below(40) }, () => orders[below(orders.length)]?.()).join('');
      const inOne = new Terminal();
      const inTwo = new Terminal();
      inOne.host(`f5c3${record}`);
      inTwo.host('f5c3');
      inTwo.host(`f1c3${record}`);
      expect(planesOf(inOne), record).to.deep.equal(planesOf(inTwo));
    }
  });

  it('is rejected for a shift-in, and leaves the screen as it was', () => {
    const terminal = new Terminal();
    terminal.host('f5c3 c1c2c3');
    const before = planesOf(terminal);
    expect(terminal.host('f5c3 c4c4c4c40fc4')).to.include({ programCheck: 755 });
    expect(planesOf(terminal)).to.deep.equal(before);
  });
});

describe('a changed position', () => {
  for (const at of [0, 1, 2, 3, 4, 1_021, 2_022, 2_023, 2_024]) {
    it(`is position ${at} alone, on a screen whose size is odd`, () => {
      const terminal = new Terminal({ oversize: '81x25' });
      terminal.host('7ec3');
      const { state } = terminal.screen;
      const { revision } = state;
      terminal.host(`f1c3 ${`11${hex(encodeBufferAddress(at, 2_025, 'coded'))}`} c1`);
      const isChanged = (address: number) => isChangedSince(state, revision, [{ address, length: 1 }]);
      expect([at - 1, at, at + 1].map((one) => one >= 0 && one < 2_025 && isChanged(one))).to.deep.equal([
        false,
        true,
        false,
      ]);
    });
  }
});
