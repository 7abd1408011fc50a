import { expect } from 'chai';
import { commandScript } from '../support/project.js';
import { runWithHost } from './raw-host.js';

const REASON = 'Keyboard locked: the host sent a faulty record (X PROG 755); Reset() unlocks it';
/** Each would type or press something. */
const actions = [
  'Enter()',
  'PF(3)',
  'PA(1)',
  'Clear()',
  'Tab()',
  'String("x")',
  'HexString(78)',
  'Key(x)',
  'PasteString(78)',
  'EraseEOF()',
  'Delete()',
  'MoveCursor(0,3)',
  'NextWord()',
  'CircumNot()',
  'CursorSelect()',
  'RestoreInput()',
];

/** GA23-0059, program checks; s3270 has none, and goes on with what it has drawn. */
describe('scripts of s3270 after a faulty record of the host', () => {
  it('are told that nothing reaches the host, and go on after Reset', async () => {
    // a field, then a shift-in on a single-byte code page
    const screen = 'f5c3 114040 1d40 c1 1d60 ffef';
    const faulty = 'f1c3 0f ffef';
    // moves the cursor to row 1, column 11, and leaves the keyboard locked: the faulty record was read before
    const after = 'f140 11404a 13 ffef';
    const { output } = await runWithHost(
      [process.execPath, commandScript, 's3270', '-utf8'],
      ['-model', '2', '127.0.0.1:PORT'],
      {
        says: `fffd18 fffa1801fff0 fffd19 fffb19 fffd00 fffb00 ${screen} ${faulty} ${after}`,
        actions: ['Wait(60,CursorAt,1,11)', 'SaveInput()', ...actions, 'Reset()', 'Home()', 'String("x")'],
      },
    );
    const told = output.split('\n').filter((line) => line.startsWith('data: Keyboard locked'));
    expect(told).to.deep.equal(actions.map(() => `data: ${REASON}`));
    const results = output.split('\n').filter((line) => line === 'ok' || line === 'error');
    expect(results).to.deep.equal(['ok', 'ok', ...actions.map(() => 'error'), 'ok', 'ok', 'ok', 'ok']);
  });
});
