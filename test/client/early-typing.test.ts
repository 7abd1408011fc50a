import { expect } from 'chai';
import { useOfEarlyPress } from '../../client/terminal/early/early-press.js';
import { isStillPainted, type PaintedScreen } from '../../client/terminal/early/painted-comparison.js';

const COLUMNS = 20;

function pressed(
  key: string,
  held: Partial<Record<'ctrlKey' | 'altKey' | 'metaKey' | 'altGraph' | 'repeat', true>> = {},
) {
  const { altGraph = false, ctrlKey = false, altKey = false, metaKey = false, repeat = false } = held;
  const modifiers = { ctrlKey, altKey, metaKey, shiftKey: false };
  const getModifierState = (name: string) => name === 'AltGraph' && altGraph;
  return useOfEarlyPress({ key, code: '', location: 0, isComposing: false, repeat, getModifierState, ...modifiers });
}

/** Two rows: a label, an input of three positions at 7, which goes on in the second row where `length` is longer. */
function shown(text: readonly string[], length = 3) {
  const cells = text.flatMap((row) => [...row.padEnd(COLUMNS)]);
  const fields = [
    { address: 0, isProtected: true, length: 5 },
    { address: 6, isProtected: false, length },
    { address: 7 + length, isProtected: true, length: 39 - 7 - length },
  ];
  return { rows: 2, columns: COLUMNS, isFormatted: true, fields, cells: () => cells };
}

describe('typing before the terminal is ready', () => {
  it('keeps characters and the keys of a terminal, and leaves commands to the browser', () => {
    for (const key of ['a', ' ', 'ß', '€', 'Enter', 'Tab', 'Backspace', 'ArrowLeft', 'F3', 'Escape', 'Home'])
      expect(pressed(key), key).to.equal('kept');
    expect(pressed('@', { altGraph: true, ctrlKey: true, altKey: true })).to.equal('kept');
    expect(pressed('1', { altKey: true })).to.equal('kept');
    expect(pressed('End', { ctrlKey: true })).to.equal('kept');
    expect(pressed('c', { ctrlKey: true })).to.equal('browser');
    expect(pressed('v', { metaKey: true })).to.equal('browser');
    expect(pressed('F5', { ctrlKey: true })).to.equal('browser');
    expect(pressed('ArrowLeft', { altKey: true })).to.equal('browser');
    expect(pressed('Dead')).to.equal('browser');
  });

  it('keeps a key for the host once, however long it is held', () => {
    for (const key of ['Enter', 'F8', 'PageDown', 'Pause'])
      expect(pressed(key, { repeat: true }), key).to.equal('dropped');
    for (const key of ['x', 'Tab', 'Backspace']) expect(pressed(key, { repeat: true }), key).to.equal('kept');
  });

  it('is for the screen that was painted, whatever its inputs contain', () => {
    const painted: PaintedScreen = { rows: [' Name  \0\0\0 (3)', ' F3=End'], inputs: [[7, 3]] };
    expect(isStillPainted(painted, shown([' Name      (3)', ' F3=End']))).to.equal(true);
    expect(isStillPainted(painted, shown([' Name  abc (3)', ' F3=End']))).to.equal(true);
  });

  it('is not for a screen with other text or other inputs', () => {
    const painted: PaintedScreen = { rows: [' Name  \0\0\0 (3)', ' F3=End'], inputs: [[7, 3]] };
    expect(isStillPainted(painted, shown([' DELETE    (3)', ' F3=End']))).to.equal(false);
    expect(isStillPainted(painted, shown([' Name      (3)', ' F3=Yes']))).to.equal(false);
    const elsewhere: PaintedScreen = { rows: [' Name \0\0\0  (3)', ' F3=End'], inputs: [[6, 3]] };
    expect(isStillPainted(elsewhere, shown([' Name      (3)', ' F3=End']))).to.equal(false);
    const none: PaintedScreen = { rows: [' Name      (3)', ' F3=End'], inputs: [] };
    expect(isStillPainted(none, shown([' Name      (3)', ' F3=End']))).to.equal(false);
    const two: PaintedScreen = {
      rows: painted.rows,
      inputs: [
        [7, 3],
        [30, 2],
      ],
    };
    expect(isStillPainted(two, shown([' Name      (3)', ' F3=End']))).to.equal(false);
  });

  it('is for a painted field of two rows, whose second row the page leaves blank', () => {
    const painted: PaintedScreen = { rows: [` Name  ${'\0'.repeat(13)}`, '      .'], inputs: [[7, 13]] };
    const row = (text: string) => [' Name  one', text];
    expect(isStillPainted(painted, shown(row('two   .'), 18))).to.equal(true);
    expect(isStillPainted(painted, shown(row('two   !'), 18))).to.equal(false);
  });
});
