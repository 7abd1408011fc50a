import { expect } from 'chai';
import { Terminal } from './terminal.js';

describe('screen image', () => {
  it('is the same object until something changes, and cannot be changed', () => {
    const terminal = new Terminal();
    const { image } = terminal.screen;
    expect(terminal.screen.image).to.equal(image);
    terminal.host('f5c3 c1');
    expect(terminal.screen.image.revision).to.be.greaterThan(image.revision);
    expect(image.text.cells[0]).to.equal(' ');
    expect(Object.isFrozen(image)).to.equal(true);
  });

  it('holds nothing of what is not displayed, written or typed, round the end too', () => {
    const terminal = new Terminal();
    terminal.host('f5c3 11 5d7d 1d4c 13 e2c5c3 d9c5e3 1d60');
    terminal.press("'CANARY");
    const { cells } = terminal.screen.image.text;
    expect(cells.join('').trim()).to.equal('');
    expect(JSON.stringify(terminal.screen.image)).to.not.match(/CAN|SEC|RET/);
    expect(terminal.codes(1918, 2), 'it is there').to.equal('c3c1');
  });

  it('shows the half of a hidden double-byte character as nothing', () => {
    const terminal = new Terminal({ codePage: 'cp939' });
    terminal.host('f5c3 1d4c 0e 42c1 0f 1d60');
    expect(terminal.screen.image.text.cells.slice(0, 5)).to.deep.equal([' ', ' ', ' ', '', ' ']);
  });
});
