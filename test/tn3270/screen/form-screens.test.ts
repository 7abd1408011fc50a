import { expect } from 'chai';
import { isHiddenPosition, unnamedFields } from '../../../src/tn3270/screen/form-entry.js';
import { fieldIdOf, protectedPositionIdOf, takeFormScreen } from '../../../src/tn3270/screen/form-screen.js';
import { EMPTY, enter, FILLED, FORM, form, hosted, LABEL, packed, refuses, sentBy } from './form-terminal.js';
import type { Terminal } from './terminal.js';

describe('the screen as forms show it', () => {
  it('stays as it was taken, whatever the host writes while its page is made', () => {
    const terminal = hosted('f5c3 c1c2');
    const taken = takeFormScreen(terminal.screen);
    const shown = () => [taken.cells.slice(0, 3).join(''), [0, 1, 2].map((at) => taken.isNull(at))];
    expect(shown()).to.deep.equal(['AB ', [false, false, true]]);
    terminal.host('f5c3 00c3c3');
    expect(shown()).to.deep.equal(['AB ', [false, false, true]]);
  });
});

/** Read Modified of an unformatted screen: the whole buffer without addresses, nulls left out. */
describe('a form on an unformatted screen', () => {
  it('is typed where it says, and sent with all that is there', () => {
    const terminal = hosted('f5c3 c1c2');
    expect(enter(terminal, [{ address: 80, text: 'abc' }], { cursor: 83 })).to.equal(undefined);
    expect(terminal.codes(79, 5)).to.equal('0081828300');
    expect(sentBy(terminal)).to.equal(packed('7d c1d3 c1c2 818283'));
  });

  it('writes over what stands there, and leaves the rest', () => {
    const terminal = hosted('f5c3 c1c2c3');
    enter(terminal, [{ address: 0, text: 'x' }]);
    expect(sentBy(terminal)).to.equal(packed('7d 4040 a7c2c3'));
  });

  it('takes a text up to the last position, and not round the end', () => {
    const terminal = hosted('f5c3');
    expect(enter(terminal, [{ address: 1_918, text: 'ab' }])).to.equal(undefined);
    expect(sentBy(terminal)).to.equal(packed('7d 4040 8182'));
    refuses(hosted('f5c3'), [{ address: 1_918, text: 'abc' }], { address: 1_918, reason: 'tooLong' });
    expect(enter(hosted('f5c3'), [{ address: 0, text: 'x'.repeat(1_920) }])).to.equal(undefined);
    refuses(hosted('f5c3'), [{ address: 0, text: 'x'.repeat(1_921) }], { address: 0, reason: 'tooLong' });
  });

  it('takes no more in all than there are positions: nothing is typed over and over', () => {
    const half = (address: number, text = 'x'.repeat(960)) => ({ address, text });
    expect(enter(hosted('f5c3'), [half(0), half(960)])).to.equal(undefined);
    refuses(hosted('f5c3'), [half(0), half(959), half(960, 'x')], { address: 960, reason: 'tooLong' });
  });

  it('takes as much of double-byte terminals as can be done at once, and not one character more', () => {
    const options = { codePage: 'IBM939', oversize: '160x62' } as const;
    // 9,920 positions for each of 1,612 characters are just within 16,000,000
    expect(enter(hosted('7ec3', options), [{ address: 0, text: 'x'.repeat(1_612) }])).to.equal(undefined);
    refuses(hosted('7ec3', options), [{ address: 0, text: 'x'.repeat(1_613) }], { address: 0, reason: 'tooLong' });
    // one field of all positions but its attribute
    const field = hosted('7ec3 1d40', options);
    expect(enter(field, [{ address: 1, text: 'x'.repeat(1_613) }])).to.equal(undefined);
    refuses(hosted('7ec3 1d40', options), [{ address: 1, text: 'x'.repeat(1_614) }], { address: 1, reason: 'tooLong' });
  });

  it('refuses positions that the screen does not have, and characters that the host does not have', () => {
    refuses(hosted('f5c3'), [{ address: 1_920, text: 'x' }], { address: 1_920, reason: 'unknownField' });
    refuses(hosted('f5c3'), [{ address: 0, text: '日' }], { address: 0, reason: 'untypable', character: '日' });
  });
});

/** IBM939: pairs stand between shift-out (0E) and shift-in (0F), except in a double-byte field. */
describe('a form on a double-byte terminal', () => {
  const options = { codePage: 'IBM939' } as const;
  /** Six positions that may be given subfields. */
  const MIXED = 'f5c3 29 02 c040 fe01 13 000000000000 1d60';
  /** Four positions for pairs alone. */
  const PAIRS = 'f5c3 29 02 c040 43f8 13 00000000 1d60';

  it('sends pairs within shift-out and shift-in', () => {
    const terminal = hosted(MIXED, options);
    expect(enter(terminal, [{ address: 1, text: 'aＡb' }])).to.equal(undefined);
    expect(sentBy(terminal)).to.equal(packed('7d 40c1 11 40c1 81 0e42c10f 82'));
  });

  it('takes as many as fit with what stands round them, and not one more', () => {
    const full = hosted(MIXED, options);
    expect(enter(full, [{ address: 1, text: 'ＡＢ' }])).to.equal(undefined);
    expect(sentBy(full)).to.equal(packed('7d 40c1 11 40c1 0e42c142c20f'));
    for (const text of ['ＡＢＣ', 'ＡＢc', 'ＡＢ  ', 'aＡＢ', 'abcＡ', 'abcdefg']) {
      refuses(hosted(MIXED, options), [{ address: 1, text }], { address: 1, reason: 'tooLong' });
    }
    for (const text of ['Ａbc', 'abＡ', 'abcdef']) {
      expect(enter(hosted(MIXED, options), [{ address: 1, text }]), text).to.equal(undefined);
    }
  });

  it('sends a double-byte field without them', () => {
    const terminal = hosted(PAIRS, options);
    expect(enter(terminal, [{ address: 1, text: 'ＡＢ' }])).to.equal(undefined);
    expect(sentBy(terminal)).to.equal(packed('7d 40c1 11 40c1 42c142c2'));
    refuses(hosted(PAIRS, options), [{ address: 1, text: 'ＡＢＣ' }], { address: 1, reason: 'tooLong' });
  });

  it('refuses single bytes in a double-byte field, and pairs in a field for single bytes', () => {
    refuses(hosted(PAIRS, options), [{ address: 1, text: 'Ａa' }], { address: 1, reason: 'doubleByteCharacter' });
    refuses(form(options), [{ address: EMPTY, text: 'Ａ' }], { address: EMPTY, reason: 'doubleByteCharacter' });
    expect(enter(form(options), [{ address: EMPTY, text: 'abcd' }])).to.equal(undefined);
  });

  it('leaves what is unchanged as it is: the shifts show as blanks', () => {
    const terminal = hosted('f5c3 29 02 c040 fe01 13 0e42c142c20f 1d60', options);
    for (const text of [' ＡＢ', ' ＡＢ ']) {
      expect(enter(terminal, [{ address: 1, text }])).to.equal(undefined);
      expect(terminal.isModified(0)).to.equal(false);
    }
    expect(terminal.codes(1, 6)).to.equal('0e42c142c20f');
  });

  it('replaces pairs by single bytes, leaving no half behind', () => {
    const terminal = hosted('f5c3 29 02 c040 fe01 13 0e42c142c20f 1d60', options);
    expect(enter(terminal, [{ address: 1, text: 'x' }])).to.equal(undefined);
    expect(terminal.codes(1, 6)).to.equal('a70000000000');
    expect(sentBy(terminal)).to.equal(packed('7d 40c1 11 40c1 a7'));
  });

  it('types a changed field as it looked: the blanks that are shifts do not add up', () => {
    const terminal = hosted('f5c3 29 02 c040 fe01 13 0e42c142c20f 00000000 1d60', options);
    expect(enter(terminal, [{ address: 1, text: ' ＡＢ x' }])).to.equal(undefined);
    expect(terminal.text(1, 8), 'as it was entered').to.equal(' ＡＢ x ');
    const shifts = hosted('f5c3 29 02 c040 fe01 13 40 0e42c10f 40 0e42c20f 0000 1d60', options);
    expect(enter(shifts, [{ address: 1, text: '  Ａ   Ｂ y' }])).to.equal(undefined);
    expect(sentBy(shifts)).to.equal(packed('7d 40c1 11 40c1 40 0e42c10f 40 0e42c20f a8'));
    expect(sentBy(terminal)).to.equal(packed('7d 40c1 11 40c1 0e42c142c20f a7'));
  });
});

describe('the inputs that a form did not bring', () => {
  /** As FORM, with a hidden field at 16. */
  const HIDDEN = `${FORM.slice(0, -5)} 1d4c 81828384 1d60`;
  const unnamed = (terminal: Terminal, offered: readonly number[], ...named: readonly number[]) =>
    unnamedFields(terminal.screen.state, offered, new Set(named));

  it('are those of the page before that it does not name', () => {
    expect(unnamed(form(), [EMPTY, FILLED], EMPTY)).to.deep.equal([FILLED]);
    expect(unnamed(form(), [EMPTY, FILLED], EMPTY, FILLED)).to.deep.equal([]);
    expect(unnamed(form(), [])).to.deep.equal([]);
  });

  it('are none that are protected, hidden, or no fields any more', () => {
    const terminal = hosted(HIDDEN);
    expect(isHiddenPosition(terminal.screen.state, 16)).to.equal(true);
    expect(unnamed(terminal, [EMPTY, LABEL, 16, 0, 2, 5, 1_920])).to.deep.equal([EMPTY]);
    expect(unnamed(hosted('f5c3 c1'), [0, 1, 80])).to.deep.equal([]);
  });

  it('are hidden where the screen has fields, and the position', () => {
    const terminal = hosted(HIDDEN);
    const hidden = (at: number, of = terminal) => isHiddenPosition(of.screen.state, at);
    expect([hidden(EMPTY), hidden(FILLED), hidden(19), hidden(1_920)]).to.deep.equal([false, false, true, false]);
    expect(hidden(0, hosted('f5c3 c1'))).to.equal(false);
  });
});

/** Contract: V and 7 upper-case hex digits; readers accept any number of digits. */
describe('field id', () => {
  it('is written with seven digits', () => {
    expect([fieldIdOf(0), fieldIdOf(0x1f), fieldIdOf(0x77f)]).to.deep.equal(['V0000000', 'V000001F', 'V000077F']);
    expect(protectedPositionIdOf(0xa)).to.equal('P000000A');
  });
});
