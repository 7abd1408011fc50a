import { expect } from 'chai';
import { Terminal } from './terminal.js';

/** What a terminal does that is sent what it cannot carry out: X PROG and a number, until Reset. */
describe('program checks', () => {
  const checkOf = (terminal: Terminal) => terminal.screen.state.operator.programCheck;

  /** Numbers as IBM's emulators list them under "program checks". */
  const faulty = [
    [750, '99c3', 'no command'],
    [752, 'f5c3 11 5e40', 'Set Buffer Address behind the last position'],
    [752, 'f5c3 3c 5e40 c1', 'Repeat to Address behind it'],
    [754, 'f5', 'no write control character'],
    [754, 'f5c3 11 40', 'half an address'],
    [754, 'f5c3 1d', 'Start Field without its attribute'],
    [754, 'f5c3 29 02 c060', 'Start Field Extended of two pairs with one'],
    [755, 'f5c3 0e 42c1 0f', 'shift-out and shift-in on a single-byte terminal'],
    [756, 'f3 0004 77 00', 'an unknown structured field'],
    [758, 'f3 0005 09 00 03', 'an unknown reply mode'],
    [759, 'f3 0009 03', 'a structured field that is longer than its record'],
    [761, 'f3 0005 09 01 00', 'another partition'],
  ] as const;

  for (const [number, record, what] of faulty) {
    it(`${number}: ${what}`, () => {
      const terminal = new Terminal();
      expect(terminal.host(record)).to.not.equal(undefined);
      expect([checkOf(terminal), terminal.screen.image.locked]).to.deep.equal([number, true]);
    });
  }

  it('797 to 799: double-byte characters that are none', () => {
    for (const [number, record] of [
      [797, 'f5c3 1d40 0e 42c1 0e'],
      [798, 'f5c3 29 02 c040 43f8 08a2'],
      [799, 'f5c3 1d40 0e 42 0f'],
    ] as const) {
      const terminal = new Terminal({ codePage: 'cp939' });
      terminal.host(record);
      expect(checkOf(terminal), record).to.equal(number);
    }
  });

  /** A field with what was typed, and the host's answer to it, which is faulty. */
  function answered(): Terminal {
    const terminal = new Terminal();
    terminal.host('f5c3 1d60 c1 1d40 13 000000 1d60');
    terminal.press("'x", 'Enter', "'ahead");
    terminal.host('99c3');
    return terminal;
  }

  it('leave the screen as it was, and forget what was typed ahead', () => {
    const terminal = answered();
    expect(terminal.codes(1, 4)).to.equal('c100a700');
    terminal.press('Reset');
    expect([checkOf(terminal), terminal.screen.image.locked, terminal.codes(3, 3)]).to.deep.equal([
      undefined,
      false,
      'a70000',
    ]);
  });

  it('are ended by Reset alone: no other key, no write of the host', () => {
    const terminal = answered();
    terminal.sent.length = 0;
    for (const key of ['Tab', 'Left', 'EraseInput', 'Insert', 'Enter', 'PF3', 'Clear', "'y"]) terminal.press(key);
    expect([terminal.sent, checkOf(terminal), terminal.screen.image.insertMode]).to.deep.equal([[], 750, false]);
    terminal.screen.receive(Buffer.from('f5c31d60c21d4013', 'hex'), true);
    expect([checkOf(terminal), terminal.screen.image.locked, terminal.text(1, 1)]).to.deep.equal([750, true, 'B']);
    terminal.press('Reset', "'z", 'Enter');
    expect(terminal.sent).to.deep.equal(['7d40c41140c3a9']);
  });

  it('do not outlive their partner', () => {
    const terminal = answered();
    terminal.screen.setPartner('services');
    expect(checkOf(terminal)).to.equal(undefined);
  });
});
