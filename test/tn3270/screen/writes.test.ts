import { expect } from 'chai';
import { findTerminalModel } from '../../../src/tn3270/screen/screen-size.js';
import { Terminal } from './terminal.js';

const MOST_FILLED_POSITIONS = 1 << 21;

describe('writes of the host', () => {
  it('use the default size after Erase/Write, the alternate one after Erase/Write Alternate', () => {
    for (const [model, rows, columns] of [
      ['3279-2-E', 24, 80],
      ['3279-3-E', 32, 80],
      ['3279-4-E', 43, 80],
      ['3279-5-E', 27, 132],
    ] as const) {
      const terminal = new Terminal({ model });
      const size = () => [terminal.screen.image.rows, terminal.screen.image.columns];
      expect(size(), 'before anything is written').to.deep.equal([rows, columns]);
      terminal.host('f5c3');
      expect(size()).to.deep.equal([24, 80]);
      terminal.host('7ec3');
      expect(size()).to.deep.equal([rows, columns]);
      terminal.host('f3 0004 03 00');
      expect(size()).to.deep.equal([24, 80]);
    }
  });

  it('reach every position of a screen beyond 14-bit addresses', () => {
    const terminal = new Terminal({ oversize: '160x62' });
    expect(terminal.host('7ec3 11 26bf c1')).to.equal(undefined);
    expect(terminal.text(9919, 1)).to.equal('A');
    expect(terminal.host('f1c3 11 26c0 c1')?.sense).to.equal('operationCheck');
  });

  it('reach by 16 bits what 14 do not, both ways', () => {
    const terminal = new Terminal({ oversize: '255x240' });
    expect(terminal.host('7ec3 11 ef0d 1d c1 13 c1')).to.equal(undefined);
    expect(terminal.text(0xef0e, 1)).to.equal('A');
    terminal.host('f6');
    expect(terminal.sent).to.deep.equal(['60ef0e11ef0ec1']);
    expect(terminal.host('f1c3 11 ef0f c2')).to.equal(undefined);
    expect(terminal.host('f1c3 11 ef10 c2')?.sense).to.equal('operationCheck');
    terminal.host('f5c3 11 5d7f c3');
    expect(terminal.text(1919, 1), 'the default size is addressed as ever').to.equal('C');
  });

  it('begin at the cursor', () => {
    const terminal = new Terminal();
    terminal.host('f5c3 11 40c5 13');
    terminal.host('f1c3 c1');
    expect(terminal.codes(5, 1)).to.equal('c1');
  });

  it('leave the screen as it was where a record is wrong', () => {
    const terminal = new Terminal();
    terminal.host('f5c3 1d60 c1c2c3 1d40 13 c4');
    const before = JSON.stringify({ ...terminal.screen.image, revision: 0 });
    for (const record of [
      'f5c3 c9c9 11 5e40',
      'f1c3 11 4040 c9 1d',
      '7ec3 c9 29 05 c0',
      'f5',
      'f1c3 c9 0f',
      '99c3 c9',
    ]) {
      expect(terminal.host(record), record).to.not.equal(undefined);
      terminal.press('Reset');
      expect(JSON.stringify({ ...terminal.screen.image, revision: 0 }), record).to.equal(before);
    }
  });

  it('take as many positions as they may fill, and one order more is too much', () => {
    const whole = '3c 4040 c1';
    const orders = Math.floor(MOST_FILLED_POSITIONS / 1920);
    expect(new Terminal().host(`f5c3 11 4040 ${whole.repeat(orders)}`)).to.equal(undefined);
    expect(new Terminal().host(`f5c3 11 4040 ${whole.repeat(orders + 1)}`)?.reason).to.include('fills more than');
    expect(new Terminal().host(`f5c3 ${'12 4040'.repeat(orders + 1)}`)?.reason).to.include('fills more than');
    expect(new Terminal().host(`f5c3 1d60 ${'05'.repeat(orders + 1)}`)?.reason).to.include('fills more than');
  });

  it('sweep the screen by structured fields as often as one record may, and no more', () => {
    const write = '0006 4000 f1c3';
    const wholeScreens = Math.floor(MOST_FILLED_POSITIONS / (255 * 255));
    const terminal = new Terminal({ oversize: '255x255' });
    terminal.host('7ec3');
    // one more is carried out than fits: what it takes is known when it is done
    expect(terminal.host(`f3 ${write.repeat(wholeScreens + 1)}`)).to.equal(undefined);
    expect(terminal.host(`f3 ${write.repeat(wholeScreens + 2)}`)?.reason).to.include('take too long');
    const read = '0005 0100 f2';
    const reads = Math.floor(wholeScreens / 3);
    terminal.sent.length = 0;
    expect(terminal.host(`f3 ${read.repeat(200)}`)?.reason).to.include('take too long');
    expect(terminal.sent).to.have.length(reads + 1);
    expect(new Terminal().host(`f3 ${read.repeat(200)}`), 'a small screen').to.equal(undefined);
  });

  it('look for shift-out only so far, as often as a record may make them', () => {
    const terminal = new Terminal({ codePage: 'cp939', oversize: '160x62' });
    expect(terminal.host(`7ec3 ${'c12841f1'.repeat(500)}`)).to.equal(undefined);
    expect(terminal.host(`7ec3 ${'c12841f1'.repeat(10_000)}`)?.reason).to.include('fills more than');
    expect(terminal.host(`7ec3 ${'08a2'.repeat(10_000)}`)?.reason).to.include('fills more than');
  });

  it('repeat a character up to an address, all round where that is the current one', () => {
    const terminal = new Terminal();
    terminal.host('f5c3 11 40c5 3c 40c8 5c');
    expect(terminal.codes(4, 5)).to.equal('005c5c5c00');
    terminal.host('f5c3 11 5d7f 3c 40c1 5c');
    expect(terminal.codes(1919, 1) + terminal.codes(0, 2)).to.equal('5c5c00');
    terminal.host('f5c3 11 4040 3c 4040 5c');
    expect(terminal.codes(0, 1920)).to.equal('5c'.repeat(1920));
  });

  it('erase unprotected positions up to an address, protected ones not', () => {
    const terminal = new Terminal();
    terminal.host('f5c3 1d40 c1c2 1d60 c3 1d40 c4c5 1d60');
    terminal.host('f1c3 11 40c1 12 40c7');
    expect(terminal.codes(0, 9)).to.equal('000000 00c3 0000c5 00'.replaceAll(' ', ''));
  });

  it('tab to the next unprotected field, clearing the rest of this one behind text', () => {
    const terminal = new Terminal();
    terminal.host('f5c3 1d40 c1c2c3 1d60 c4 1d40 c5');
    terminal.host('f1c3 11 40c1 c9 05 c8');
    expect(terminal.codes(0, 8)).to.equal('00c90000 00c4 00c8'.replaceAll(' ', ''));
    terminal.host('f1c3 11 40c1 05 c7');
    expect(terminal.codes(0, 8), 'no text before').to.equal('00c90000 00c4 00c7'.replaceAll(' ', ''));
  });

  it('erase all unprotected, restore the keyboard and put the cursor into the first field', () => {
    const terminal = new Terminal();
    terminal.host('f5c3 1d60 c1 1dc1 c2c3 1d60 c4');
    terminal.press('Enter');
    terminal.host('6f');
    expect(terminal.codes(0, 7)).to.equal('00c1000000 00c4'.replaceAll(' ', ''));
    expect([terminal.cursor, terminal.isModified(2), terminal.screen.image.locked]).to.deep.equal([3, false, false]);
  });

  it('reset modified flags, sound the alarm and restore the keyboard as the write control says', () => {
    const terminal = new Terminal();
    terminal.host('f5c3 1dc1 c1');
    terminal.press('Enter');
    terminal.host('f1c4');
    expect([terminal.isModified(0), terminal.screen.image.locked, terminal.screen.image.alarms]).to.deep.equal([
      true,
      true,
      1,
    ]);
    terminal.host('f1c1');
    expect([terminal.isModified(0), terminal.screen.image.locked]).to.deep.equal([false, true]);
    terminal.host('f1c2');
    expect(terminal.screen.image.locked).to.equal(false);
  });

  it('give fields and characters colours and highlighting, on a terminal that has colours', () => {
    const color = new Terminal();
    color.host('f5c3 29 03 c060 42f2 41f4 c1 28 42f4 c2 28 0000 c3');
    expect(color.screen.image.fields[0]).to.include({ foreground: 0xf2, highlighting: 0xf4 });
    expect(color.screen.image.runs).to.deep.equal([
      { address: 2, length: 1, foreground: 0xf4, background: 0, highlighting: 0 },
    ]);
    const plain = new Terminal({ model: '3278-2-E' });
    plain.host('f5c3 29 03 c060 42f2 41f4 c1');
    expect(plain.screen.image.fields[0]).to.include({ foreground: 0, highlighting: 0xf4 });
  });

  it('give fields validation and outlining, on that terminal and on no other, unless the record is wrong', () => {
    const validated = 'f5c3 29 03 c040 c104 c20f 13 0000 1d60';
    const [first, second] = [new Terminal(), new Terminal()];
    first.host(validated);
    second.host('f5c3 1d40 13 0000 1d60');
    const told = ({ screen }: Terminal) =>
      screen.image.fields.map(({ validation, outlining }) => [validation, outlining]);
    expect(told(first)).to.deep.equal([
      [4, 15],
      [0, 0],
    ]);
    expect(told(second)).to.deep.equal([
      [0, 0],
      [0, 0],
    ]);
    const before = told(first);
    expect(first.host('f5c3 1d40 1d60 11 5e40')).to.not.equal(undefined);
    expect(told(first)).to.deep.equal(before);
    expect(second.host(`${validated} 11 5e40`)).to.not.equal(undefined);
    expect(told(second)).to.deep.equal([
      [0, 0],
      [0, 0],
    ]);
    first.host('f1c3 11 4040 2c 02 c100 c200');
    expect(told(first)).to.deep.equal(told(second));
    expect(told(new Terminal())).to.deep.equal([]);
  });

  it('take shift-out and shift-in only as pairs, with pairs between them', () => {
    for (const record of ['0e 42c1 0e', '0f', '0e 42 0f', '0e 42c1 0f 0f', '0e 0042 0f', '0e 42c1 08c1']) {
      const terminal = new Terminal({ codePage: 'cp939' });
      expect(terminal.host(`f5c3 1d40 ${record}`)?.sense, record).to.equal('operationCheck');
    }
  });
});

describe('terminal models', () => {
  it('have the sizes that their numbers say', () => {
    const size = (name: string, oversize?: string) => {
      const model = findTerminalModel(name, oversize);
      return model.kind === 'fault'
        ? model.fault
        : `${model.value.alternateSize.columns}x${model.value.alternateSize.rows} ${model.value.terminalType}`;
    };
    expect(size('3279-2-E')).to.equal('80x24 IBM-3279-2-E');
    expect(size('IBM-3278-5')).to.equal('132x27 IBM-3278-5');
    expect(size('4')).to.equal('80x43 IBM-3279-4-E');
    expect(size('3279-2-E', '160x62')).to.equal('160x62 IBM-DYNAMIC');
    expect(size('3279-2-E', '255x255')).to.equal('255x255 IBM-DYNAMIC');
    for (const [name, oversize] of [
      ['3279-6'],
      ['3290-2'],
      ['3279-2-E', '256x24'],
      ['3279-2-E', '79x24'],
      ['3279-5', '131x27'],
    ] as const) {
      expect(findTerminalModel(name, oversize), `${name} ${oversize}`).to.have.property('kind', 'fault');
    }
  });
});
