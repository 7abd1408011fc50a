import { expect } from 'chai';
import fc from 'fast-check';
import { screenDifference } from '../../src/screen/screen-difference.js';
import type { ScreenImage } from '../../src/screen/screen-image.js';
import { Terminal } from './terminal.js';

describe('screen image', () => {
  it('is the same object until something changes, and cannot be changed', () => {
    const terminal = new Terminal();
    const { image } = terminal.screen;
    expect(terminal.screen.image).to.equal(image);
    terminal.host('f5c3 c1');
    expect(terminal.screen.image.revision).to.be.greaterThan(image.revision);
    expect(image.cells[0]).to.equal(' ');
    expect(Object.isFrozen(image)).to.equal(true);
  });

  it('holds nothing of what is not displayed, written or typed, round the end too', () => {
    const terminal = new Terminal();
    terminal.host('f5c3 11 5d7d 1d4c 13 e2c5c3 d9c5e3 1d60');
    terminal.press("'CANARY");
    const { cells } = terminal.screen.image;
    expect(cells.join('').trim()).to.equal('');
    expect(JSON.stringify(terminal.screen.image)).to.not.match(/CAN|SEC|RET/);
    expect(terminal.codes(1918, 2), 'it is there').to.equal('c3c1');
  });

  it('shows the half of a hidden double-byte character as nothing', () => {
    const terminal = new Terminal({ codePage: 'cp939' });
    terminal.host('f5c3 1d4c 0e 42c1 0f 1d60');
    expect(terminal.screen.image.cells.slice(0, 5)).to.deep.equal([' ', ' ', ' ', '', ' ']);
  });

  it('differs by what is needed to make the later one of the earlier one', () => {
    const record = fc
      .array(fc.tuple(fc.integer({ min: 0, max: 1_919 }), fc.constantFrom('c1', '1d60', '1d4c', '40', '2842f2c3')), {
        maxLength: 12,
      })
      .map((parts) => `f1c3${parts.map(([at, what]) => `11${at.toString(16).padStart(4, '0')}${what}`).join('')}`);
    fc.assert(
      fc.property(record, record, (first, second) => {
        const terminal = new Terminal();
        terminal.host('f5c3');
        terminal.host(first);
        const earlier = terminal.screen.image;
        terminal.host(second);
        const later = terminal.screen.image;
        expect(applied(earlier, later)).to.deep.equal({
          cells: later.cells,
          cursor: later.cursor,
          fields: later.fields,
          runs: later.runs,
        });
      }),
    );
  });

  it('is to be shown whole where its size is another', () => {
    const terminal = new Terminal({ model: '3279-4-E' });
    terminal.host('f5c3');
    const earlier = terminal.screen.image;
    terminal.host('7ec3');
    expect(screenDifference(earlier, terminal.screen.image)).to.equal(undefined);
  });

  it('differs from itself by nothing', () => {
    const { image } = new Terminal().screen;
    expect(screenDifference(image, image)).to.deep.include({ changed: [], fields: undefined, runs: undefined });
  });
});

function applied(earlier: ScreenImage, later: ScreenImage) {
  const difference = screenDifference(earlier, later);
  if (difference === undefined) throw new Error('another size');
  const cells = [...earlier.cells];
  for (const run of difference.changed) cells.splice(run.address, run.cells.length, ...run.cells);
  return {
    cells,
    cursor: difference.cursor,
    fields: difference.fields ?? earlier.fields,
    runs: difference.runs ?? earlier.runs,
  };
}
