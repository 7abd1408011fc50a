import { expect } from 'chai';
import { Terminal } from './terminal.js';

const MOST_TYPED_AHEAD = 1_000;

/**
 * Erase/Write, keyboard restored: protected "A" at 1–, an input field of 5 from 11 to 15, a protected field at 16, a numeric
 * one of 3 from 81 to 83, autoskip behind both.
 */
const FORM = 'f5c3 11 4040 1d60 c1 11 404a 1d40 13 11 4050 1df0 11 c150 1d50 11 c1d4 1df0';

function form(options = {}): Terminal {
  const terminal = new Terminal(options);
  expect(terminal.host(FORM)).to.equal(undefined);
  return terminal;
}

describe('keyboard', () => {
  it('types into a field, marks it modified, and skips to the next at its end', () => {
    const terminal = form().press("'abcde");
    expect(terminal.codes(11, 5)).to.equal('8182838485');
    expect(terminal.isModified(10)).to.equal(true);
    expect(terminal.cursor, 'over the autoskip field').to.equal(81);
    expect(terminal.error).to.equal(undefined);
  });

  it('refuses to type on a field attribute and in a protected field, until Reset', () => {
    for (const [keys, at] of [
      [['Home', 'Left'], 10],
      [['Home', 'Left', 'Left'], 9],
    ] as const) {
      const terminal = form().press(...keys, "'x");
      expect(terminal.cursor).to.equal(at);
      expect(terminal.error).to.equal('goElsewhere');
      expect(terminal.screen.image.locked).to.equal(true);
      terminal.press("'y", 'Delete', 'EraseEOF', 'Enter');
      expect(terminal.sent).to.deep.equal([]);
      expect(terminal.press('Reset').error).to.equal(undefined);
      expect(terminal.press('Tab', "'z").error).to.equal(undefined);
    }
  });

  it('leads out of an error by a cursor key and Erase Input too, and takes Insert meanwhile', () => {
    expect(form().press('Home', 'Left', "'x", 'EraseInput').error).to.equal(undefined);
    expect(form().press("'b", 'Home', 'Left', "'x", 'Insert', 'Right', "'a").codes(11, 2)).to.equal('8182');
    expect(form().press('Home', 'Left', "'x", 'Right', "'y").codes(11, 1)).to.equal('a8');
  });

  it('takes digits, minus, full stop and DUP in a numeric field where it locks', () => {
    expect(form({ numericLock: true }).press('Tab', "'1-.").codes(81, 3)).to.equal('f1604b');
    expect(form({ numericLock: true }).press('Tab', "'1a").error).to.equal('numericField');
    expect(form({ numericLock: true }).press('Tab', 'Dup').codes(81, 1)).to.equal('1c');
    expect(form().press('Tab', "'1a").error).to.equal(undefined);
  });

  it('inserts while there are nulls, and no further', () => {
    const terminal = form().press("'abc", 'Home', 'Insert', "'xy");
    expect(terminal.codes(11, 5)).to.equal('a7a8818283');
    expect(terminal.press("'z").error).to.equal('tooMuchEntered');
    expect(terminal.codes(11, 5)).to.equal('a7a8818283');
    terminal.press('Reset', "'z");
    expect(terminal.codes(11, 5), 'insert mode is over').to.equal('a7a8a98283');
  });

  it('inserts over blanks at the end only where they count as nulls', () => {
    const blanks = 'f5c3 1d40 13 8182 404040 1d60';
    const hardware = new Terminal();
    hardware.host(blanks);
    expect(hardware.press('Insert', "'x").error).to.equal('tooMuchEntered');
    const filling = new Terminal({ blankFill: true });
    filling.host(blanks);
    expect(filling.press('Insert', "'x").codes(1, 5)).to.equal('a781824040');
  });

  it('loses no underscore to what is inserted: AB_ before nulls, and AB__ in a full field', () => {
    for (const blankFill of [false, true]) {
      const open = new Terminal({ blankFill });
      open.host('f5c3 1d40 13 c1c26d 0000 1d60');
      expect(open.press('Insert', "'x").codes(1, 5)).to.equal('a7c1c26d00');
      const full = new Terminal({ blankFill });
      full.host('f5c3 1d40 13 c1c26d6d 1d60');
      expect(full.press('Insert', "'x").error).to.equal('tooMuchEntered');
      expect(full.codes(1, 4)).to.equal('c1c26d6d');
    }
  });

  it('fills nulls before what is typed with blanks only where it is told to', () => {
    expect(form().press('Right', 'Right', "'x").codes(11, 3)).to.equal('0000a7');
    expect(form({ blankFill: true }).press('Right', 'Right', "'x").codes(11, 3)).to.equal('4040a7');
  });

  it('deletes, moving the rest of the field', () => {
    const terminal = form().press("'abcde", 'Home', 'Right', 'Delete');
    expect(terminal.codes(11, 5)).to.equal('8183848500');
    expect(terminal.cursor).to.equal(12);
  });

  it('erases to the end of the field, and all input', () => {
    const terminal = form().press("'abcde", 'Home', 'Right', 'EraseEOF');
    expect(terminal.codes(11, 5)).to.equal('8100000000');
    expect(terminal.codes(1, 1), 'the protected field').to.equal('c1');
    terminal.press('Tab', "'12", 'EraseInput');
    expect(terminal.codes(11, 5) + terminal.codes(81, 3)).to.equal('0'.repeat(16));
    expect([terminal.isModified(10), terminal.isModified(80)]).to.deep.equal([false, false]);
    expect(terminal.cursor).to.equal(11);
  });

  it('enters DUP and goes on, enters FM and stays', () => {
    const dup = form().press("'a", 'Dup');
    expect(dup.codes(11, 2)).to.equal('811c');
    expect(dup.cursor).to.equal(81);
    const mark = form().press("'a", 'FieldMark');
    expect(mark.codes(11, 2)).to.equal('811e');
    expect(mark.cursor).to.equal(13);
  });

  it('moves by Tab, BackTab, Home and Newline between unprotected fields, round the end', () => {
    const terminal = form();
    const at = (key: string) => terminal.press(key).cursor;
    expect([at('Tab'), at('Tab'), at('BackTab'), at('BackTab')]).to.deep.equal([81, 11, 81, 11]);
    expect([at('Right'), at('BackTab')]).to.deep.equal([12, 11]);
    expect([at('Newline'), at('Home')]).to.deep.equal([81, 11]);
  });

  it('moves by cursor keys, round every edge', () => {
    const terminal = new Terminal();
    terminal.host('f5c3');
    const at = (key: string) => terminal.press(key).cursor;
    expect([at('Left'), at('Right'), at('Up'), at('Down')]).to.deep.equal([1919, 0, 1840, 0]);
    expect(at('Tab'), 'no field at all').to.equal(0);
  });

  it('goes behind the last character by FieldEnd', () => {
    expect(form().press("'ab", 'Home', 'FieldEnd').cursor).to.equal(13);
    expect(form().press("'abcde", 'BackTab', 'Home', 'FieldEnd').cursor).to.equal(15);
    expect(form().press('FieldEnd').cursor).to.equal(11);
  });

  it('types through a field that wraps round the end of the buffer', () => {
    const terminal = new Terminal();
    terminal.host('f5c3 11 5d7e 1d40 13 11 40c3 1d60');
    terminal.press("'abcd");
    expect(terminal.codes(1919, 1) + terminal.codes(0, 3)).to.equal('81828384');
    expect(terminal.press('Enter').sent).to.deep.equal(['7d40c4115d7f81828384']);
  });

  it('types on an unformatted screen, and sends it as one piece', () => {
    const terminal = new Terminal();
    terminal.host('f5c3');
    expect(terminal.press("'hi", 'Right', "'x", 'Enter').sent).to.deep.equal(['7d40c48889a7']);
  });

  it('sends cursor and modified fields by Enter and PF keys, and itself alone by PA keys and Clear', () => {
    expect(form().press("'ab", 'Enter').sent).to.deep.equal(['7d404d11404b8182']);
    expect(form().press("'ab", 'PF1').sent).to.deep.equal(['f1404d11404b8182']);
    expect(form().press('PF24').sent).to.deep.equal(['4c404b']);
    for (const [key, aid] of [
      ['PA1', '6c'],
      ['PA2', '6e'],
      ['PA3', '6b'],
      ['Clear', '6d'],
    ] as const) {
      expect(form().press("'ab", key).sent, key).to.deep.equal([aid]);
    }
    const cleared = form().press('Clear');
    expect([cleared.cursor, cleared.screen.image.formatted]).to.deep.equal([0, false]);
  });

  it('locks until the host restores it, and plays what was typed meanwhile', () => {
    const terminal = form().press('Enter', "'abc", 'Tab', "'1", 'PF3', "'lost");
    expect(terminal.codes(11, 3)).to.equal('000000');
    expect(terminal.screen.keyboard.typedAhead).to.equal(10);
    terminal.host('f1c2');
    expect(terminal.codes(11, 3) + terminal.codes(81, 1)).to.equal('818283f1');
    expect(terminal.sent).to.deep.equal(['7d404b', 'f3c1d211404b818283 11c1d1f1'.replaceAll(' ', '')]);
    expect(terminal.screen.keyboard.typedAhead, 'behind the key').to.equal(4);
    terminal.press('Reset');
    expect(terminal.screen.keyboard.typedAhead).to.equal(0);
    expect(terminal.screen.image.locked, 'the host still has it').to.equal(true);
  });

  it('keeps so many keystrokes, and no more', () => {
    const terminal = form().press('Enter');
    expect(terminal.screen.keyboard.type('x'.repeat(MOST_TYPED_AHEAD))).to.equal('typedAhead');
    expect(terminal.screen.keyboard.type('y')).to.equal('dropped');
    expect(terminal.screen.keyboard.typedAhead).to.equal(MOST_TYPED_AHEAD);
  });

  it('wants a mandatory field filled before it is left, and one entered before it is sent', () => {
    const terminal = new Terminal();
    terminal.host('f5c3 29 02 c040 c104 13 00000000 1d60 11c150 29 02 c040 c102 0000 1d60');
    expect(terminal.press("'ab", 'Tab').error).to.equal('mandatoryFill');
    expect(terminal.cursor).to.equal(3);
    terminal.press('Reset', "'cd");
    expect(terminal.press('Enter').error).to.equal('mandatoryEntry');
    expect(terminal.cursor).to.equal(81);
    expect(terminal.press('Reset', "'x", 'Enter').sent).to.have.length(1);
  });

  it('tells the host when a trigger field is left', () => {
    const terminal = new Terminal();
    terminal.host('f5c3 29 02 c040 c101 13 0000 1d60 11c150 1d40 0000 1d60');
    expect(terminal.press('Tab', 'BackTab').sent, 'nothing was typed').to.deep.equal([]);
    expect(terminal.press("'a", 'Tab').sent).to.deep.equal(['7fc1d11140c181']);
  });

  it('knows no other keys', () => {
    expect(new Terminal().screen.keyboard.press('F1')).to.equal(undefined);
    expect(new Terminal().screen.keyboard.press('constructor')).to.equal(undefined);
  });
});

describe('keyboard of a double-byte terminal', () => {
  /** SO, ＡＢＣ, SI, a: in a field that may be given further subfields, at 1–9. */
  const SUBFIELD = 'f5c3 29 02 c040 fe01 13 0e 42c142c242c3 0f 81 11 4150 1d60';

  function subfield(): Terminal {
    const terminal = new Terminal({ codePage: 'cp939' });
    expect(terminal.host(SUBFIELD)).to.equal(undefined);
    return terminal;
  }

  it('shows a pair as one character', () => {
    expect(subfield().text(1, 10).trimEnd()).to.equal(' ＡＢＣ a');
  });

  it('moves over whole characters', () => {
    const terminal = subfield();
    const at = (key: string) => terminal.press(key).cursor;
    expect([at('Right'), at('Right'), at('Right'), at('Left')]).to.deep.equal([2, 4, 6, 4]);
  });

  it('writes over a pair, lengthens a subfield, begins a new one', () => {
    expect(subfield().press('Right', "'Ｚ").codes(1, 9)).to.equal('0e42e942c242c30f81');
    expect(subfield().press('Right', 'Right', 'Right', 'Right', "'Ｘ").codes(1, 10)).to.equal('0e42c142c242c342e70f');
    const empty = new Terminal({ codePage: 'cp939' });
    empty.host('f5c3 29 02 c040 fe01 13 11 4150 1d60');
    expect(empty.press("'aＡ", 'Enter').sent).to.deep.equal(['7d40c5 1140c1 81 0e42c10f'.replaceAll(' ', '')]);
  });

  it('ends a subfield for a single byte in it, and begins it again', () => {
    expect(subfield().press('Right', 'Right', "'x").codes(1, 10)).to.equal('0e42c10fa7400e0f8100'.slice(0, 20));
  });

  it('refuses a pair where there may be none', () => {
    const terminal = new Terminal({ codePage: 'cp939' });
    terminal.host('f5c3 1d40 13 11 4150 1d60');
    expect(terminal.press("'Ａ").error).to.equal('doubleByteCharacter');
  });

  it('types pairs, and nothing else, into a double-byte field', () => {
    const terminal = new Terminal({ codePage: 'cp939' });
    terminal.host('f5c3 29 02 c040 43f8 13 11 4150 1d60');
    expect(terminal.press("'Ａ").codes(1, 2)).to.equal('42c1');
    expect(terminal.press("'a").error).to.equal('doubleByteCharacter');
  });
});
