import { expect } from 'chai';
import fc from 'fast-check';
import type { FormEntry, FormRefusal } from '../../../src/tn3270/screen/form-entry.js';
import { EMPTY, enter, everything, FILLED, form, hosted, LABEL, packed, refuses, sentBy } from './form-terminal.js';

/** GA23-0059, chapter 3, "Read Modified": what the host is sent afterwards. */
describe('a form on the screen', () => {
  it('is sent as if it had been typed: identifier, cursor, each field behind its address', () => {
    const terminal = form();
    const entries = [
      { address: FILLED, text: 'xyz' },
      { address: EMPTY, text: 'ab' },
    ];
    expect(enter(terminal, entries, { cursor: 12 })).to.equal(undefined);
    // in the order of the screen, nulls left out
    expect(sentBy(terminal)).to.equal(packed('7d 404c 11 40c1 8182 11 404a a7a8a9'));
  });

  it('replaces what the field held: the rest of it is nulls, which are not sent', () => {
    const terminal = form();
    enter(terminal, [{ address: FILLED, text: 'x' }]);
    expect(terminal.codes(FILLED, 5)).to.equal('a700000000');
    expect(sentBy(terminal)).to.equal(packed('7d 40c1 11 404a a7'));
  });

  it('that empties a field sends the address alone', () => {
    const terminal = form();
    enter(terminal, [{ address: FILLED, text: '' }]);
    expect(sentBy(terminal)).to.equal(packed('7d 40c1 11 404a'));
  });

  it('of nothing sends no field', () => {
    const terminal = form();
    expect(enter(terminal, [])).to.equal(undefined);
    expect(sentBy(terminal)).to.equal(packed('7d 40c1'));
  });

  it('sends fields that the host itself marked as modified', () => {
    const terminal = hosted('f5c3 1dc1 8182 1d60 1d40 00 1d60');
    enter(terminal, [{ address: 5, text: 'x' }]);
    expect(sentBy(terminal)).to.equal(packed('7d 4040 11 40c1 8182 11 40c5 a7'));
  });

  it('sends blanks that were typed, before, between and behind', () => {
    const terminal = form();
    enter(terminal, [{ address: EMPTY, text: ' a b' }]);
    expect(sentBy(terminal)).to.equal(packed('7d 40c1 11 40c1 40814082'));
    const behind = form();
    enter(behind, [{ address: EMPTY, text: 'a  ' }]);
    expect(sentBy(behind)).to.equal(packed('7d 40c1 11 40c1 814040'));
  });

  it('leaves an unchanged field unmodified, whatever blanks it ends with', () => {
    for (const text of ['abc', 'abc ', 'abc  ', 'abc     ']) {
      const terminal = form();
      expect(enter(terminal, [{ address: FILLED, text }])).to.equal(undefined);
      expect(terminal.isModified(9)).to.equal(false);
      expect(terminal.codes(FILLED, 5)).to.equal('8182834040');
      expect(sentBy(terminal)).to.equal(packed('7d 40c1'));
    }
    const empty = form();
    enter(empty, [{ address: EMPTY, text: '  ' }]);
    expect(sentBy(empty), 'nulls look like blanks').to.equal(packed('7d 40c1'));
  });

  it('types an unchanged field where the form says so', () => {
    const terminal = form();
    enter(terminal, [{ address: FILLED, text: 'abc', modifies: true }]);
    expect(terminal.isModified(9)).to.equal(true);
    expect(sentBy(terminal)).to.equal(packed('7d 40c1 11 404a 818283'));
  });

  it('tells upper from lower case, and blanks before from none', () => {
    for (const text of ['ABC', ' abc']) {
      const terminal = form();
      enter(terminal, [{ address: FILLED, text }]);
      expect(terminal.isModified(9), text).to.equal(true);
    }
  });

  it('puts the cursor where the form has it, and leaves it where the form says nothing', () => {
    for (const cursor of [0, EMPTY, LABEL, 1_919]) {
      const terminal = form();
      expect(enter(terminal, [{ address: EMPTY, text: 'abcd' }], { cursor })).to.equal(undefined);
      expect(terminal.cursor).to.equal(cursor);
    }
    const terminal = form();
    enter(terminal, [{ address: FILLED, text: 'x' }]);
    expect(terminal.cursor).to.equal(EMPTY);
  });

  it('ends the insert mode and an operator error of before', () => {
    const terminal = form().press('Insert');
    expect(enter(terminal, [{ address: FILLED, text: 'xyz' }])).to.equal(undefined);
    expect(terminal.screen.state.operator.insertMode).to.equal(false);
    expect(terminal.codes(FILLED, 5)).to.equal('a7a8a90000');
    const wrong = form().press('Tab', 'Tab', 'Up', "'x");
    expect(wrong.error).to.equal('goElsewhere');
    expect(enter(wrong, [{ address: EMPTY, text: 'a' }], { cursor: EMPTY })).to.equal(undefined);
    expect(sentBy(wrong)).to.equal(packed('7d 40c1 11 40c1 81'));
  });

  it('tells those who look that something changed', () => {
    const terminal = form();
    const { revision } = terminal.screen.image;
    enter(terminal, [{ address: EMPTY, text: 'ab' }]);
    expect(terminal.screen.image.revision).to.be.greaterThan(revision);
    expect(terminal.text(EMPTY, 2)).to.equal('ab');
  });

  it('says of a record what is not displayed', () => {
    const terminal = hosted('f5c3 1d40 00000000 1d4c 00000000 1d60');
    enter(terminal, [
      { address: 1, text: 'user' },
      { address: 6, text: 'pass' },
    ]);
    expect(sentBy(terminal)).to.equal(packed('7d 4040 11 40c1 a4a28599 11 40c6 9781a2a2'));
    expect(terminal.hidden.at(-1)).to.equal('9781a2a2');
    expect(JSON.stringify(terminal.screen.image)).to.not.include('pass');
  });

  it('knows what a hidden field holds already, and does not tell it', () => {
    const terminal = hosted('f5c3 1d4c 818283 00 1d60');
    enter(terminal, [{ address: 1, text: 'abc' }]);
    expect(terminal.isModified(0)).to.equal(false);
    enter(terminal, [{ address: 1, text: 'abc', modifies: true }]);
    expect(terminal.isModified(0)).to.equal(true);
  });
});

describe('a form that the screen cannot take', () => {
  describe('has a text that is too long', () => {
    /** Field of four between attributes. */
    it('by one', () => {
      const full = form();
      expect(enter(full, [{ address: EMPTY, text: 'abcd' }])).to.equal(undefined);
      expect(sentBy(full)).to.equal(packed('7d 40c1 11 40c1 81828384'));
      refuses(form(), [{ address: EMPTY, text: 'abcde' }], { address: EMPTY, reason: 'tooLong' });
      refuses(form(), [{ address: EMPTY, text: 'x'.repeat(100_000) }], { address: EMPTY, reason: 'tooLong' });
    });

    it('by one, before a field that could take it', () => {
      const adjacent = 'f5c3 1d40 0000 1d40 0000 1d60';
      expect(enter(hosted(adjacent), [{ address: 1, text: 'ab' }])).to.equal(undefined);
      refuses(hosted(adjacent), [{ address: 1, text: 'abc' }], { address: 1, reason: 'tooLong' });
    });

    it('by one, in a field that goes on from the last position to the first', () => {
      // attribute at 1917; 1918, 1919 and 0 to 3 are the field
      const wrapped = 'f5c3 11 5d7d 1d40 13 11 40c4 1d60';
      const terminal = hosted(wrapped);
      expect(enter(terminal, [{ address: 1_918, text: 'abcdef' }])).to.equal(undefined);
      expect(terminal.codes(0, 4)).to.equal('83848586');
      expect(sentBy(terminal)).to.equal(packed('7d 5d7e 11 5d7e 818283848586'));
      refuses(hosted(wrapped), [{ address: 1_918, text: 'abcdefg' }], { address: 1_918, reason: 'tooLong' });
      const short = hosted(wrapped);
      enter(short, [{ address: 1_918, text: 'ab' }]);
      expect(enter(short, [{ address: 1_918, text: 'ab' }]), 'unchanged').to.equal(undefined);
    });

    it('by one, in the only field of the screen', () => {
      const terminal = hosted('f5c3 1d40');
      expect(enter(terminal, [{ address: 1, text: 'x'.repeat(1_919) }])).to.equal(undefined);
      expect(terminal.isModified(0)).to.equal(true);
      refuses(hosted('f5c3 1d40'), [{ address: 1, text: 'x'.repeat(1_920) }], { address: 1, reason: 'tooLong' });
    });

    it('for a field of one position', () => {
      expect(enter(hosted('f5c3 1d40 00 1d60'), [{ address: 1, text: 'a' }])).to.equal(undefined);
      refuses(hosted('f5c3 1d40 00 1d60'), [{ address: 1, text: 'ab' }], { address: 1, reason: 'tooLong' });
    });
  });

  it('names a protected field, even with what it holds', () => {
    refuses(form(), [{ address: LABEL, text: 'x' }], { address: LABEL, reason: 'goElsewhere' });
    refuses(form(), [{ address: LABEL, text: 'LAB' }], { address: LABEL, reason: 'goElsewhere' });
  });

  it('names what is no field: an attribute, the middle of a field, beyond the screen, a field of no length', () => {
    for (const address of [0, 5, 2, 11, 1_920, 0xffff_ffff]) {
      refuses(form(), [{ address, text: 'x' }], { address, reason: 'unknownField' });
      refuses(form(), [{ address, text: '' }], { address, reason: 'unknownField' });
    }
    refuses(hosted('f5c3 1d40 1d60'), [{ address: 1, text: '' }], { address: 1, reason: 'unknownField' });
  });

  it('has its cursor beyond the screen', () => {
    const terminal = form();
    const before = everything(terminal);
    expect(enter(terminal, [{ address: EMPTY, text: 'a' }], { cursor: 1_920 })).to.deep.equal({
      address: 1_920,
      reason: 'unknownField',
    });
    expect(everything(terminal)).to.equal(before);
  });

  it('changes nothing where but one of its fields is wrong, the last one too', () => {
    const good = [
      { address: EMPTY, text: 'ab' },
      { address: FILLED, text: 'xyz' },
    ];
    const bad: readonly (readonly [FormEntry, FormRefusal['reason']])[] = [
      [{ address: LABEL, text: 'x' }, 'goElsewhere'],
      [{ address: 2, text: 'x' }, 'unknownField'],
      [{ address: FILLED, text: 'abcdef' }, 'tooLong'],
      [{ address: FILLED, text: 'ab日' }, 'untypable'],
    ];
    for (const [entry, reason] of bad) {
      // a character that the code page lacks is named
      const refusal = { address: entry.address, reason, ...(reason === 'untypable' && { character: '日' }) };
      refuses(form(), [...good, entry], refusal);
      refuses(form(), [entry, ...good], refusal);
    }
    refuses(form().press('Insert'), [{ address: LABEL, text: 'x' }], { address: LABEL, reason: 'goElsewhere' });
  });

  it('has a character that the code page does not have, or none at all', () => {
    for (const text of ['\t', 'a\nb', '\r', '\0', '\u007f', '\u0085']) {
      refuses(form(), [{ address: EMPTY, text }], { address: EMPTY, reason: 'untypable' });
    }
    for (const [text, character] of [
      ['日', '日'],
      ['a😀', '😀'],
      ['\ud800', '\ud800'],
      ['\udc00x', '\udc00'],
    ] as const) {
      refuses(form(), [{ address: EMPTY, text }], { address: EMPTY, reason: 'untypable', character });
    }
    // a character of a password is named to nobody
    const hidden = hosted('f5c3 1d4c 000000000000 1d60');
    refuses(hidden, [{ address: 1, text: 'pass日' }], { address: 1, reason: 'untypable' });
    const german = form({ codePage: 'cp273' });
    expect(enter(german, [{ address: EMPTY, text: 'äß' }])).to.equal(undefined);
    // code page 273: a diaeresis is C0, sharp s is A1
    expect(sentBy(german)).to.equal(packed('7d 40c1 11 40c1 c0a1'));
  });

  it('has letters for a numeric field, where the terminal locks those', () => {
    const NUMERIC = 'f5c3 1d50 000000000000 1d60';
    for (const text of ['123', '-1.50', '']) {
      expect(enter(hosted(NUMERIC, { numericLock: true }), [{ address: 1, text }]), text).to.equal(undefined);
    }
    for (const text of ['1a', 'a', '1,5', '+1', '1 ']) {
      refuses(hosted(NUMERIC, { numericLock: true }), [{ address: 1, text }], { address: 1, reason: 'numericField' });
      expect(enter(hosted(NUMERIC), [{ address: 1, text }]), 'without numeric lock').to.equal(undefined);
    }
  });

  it('is never harmed by the way it is refused', () => {
    const addresses = fc.constantFrom(0, EMPTY, 2, 5, LABEL, FILLED, 15, 16, 1_919, 1_920);
    const texts = fc.constantFrom('', 'a', 'abcd', 'abcde', 'abc', '日', 'x\n', ' ', '12');
    const entries = fc.array(fc.record({ address: addresses, text: texts }), { maxLength: 5 });
    fc.assert(
      fc.property(entries, fc.option(addresses, { nil: undefined }), (given, cursor) => {
        const terminal = form();
        const before = everything(terminal);
        const refusal = enter(terminal, given, cursor === undefined ? {} : { cursor });
        if (refusal !== undefined) expect(everything(terminal)).to.equal(before);
        else {
          const named = given.every(({ address }) => address === EMPTY || address === FILLED);
          expect(named, 'only input fields are ever taken').to.equal(true);
          expect(terminal.codes(LABEL, 3)).to.equal('d3c1c2');
        }
      }),
    );
  });
});

/** GA23-0059, chapter 4, "Field validation". */
describe('a form with fields that must be there', () => {
  /** Mandatory fill, four positions at 1; mandatory entry, "ab" at 81. */
  const MANDATORY = 'f5c3 29 02 c040 c104 13 00000000 1d60 11c150 29 02 c040 c102 8182 1d60';
  const FILL = 1;
  const ENTRY = 81;

  it('is sent when they are entered and filled', () => {
    const terminal = hosted(MANDATORY);
    const entries = [
      { address: FILL, text: 'abcd' },
      { address: ENTRY, text: 'x' },
    ];
    expect(enter(terminal, entries)).to.equal(undefined);
    expect(sentBy(terminal)).to.equal(packed('7d 40c1 11 40c1 81828384 11 c1d1 a7'));
  });

  it('needs not fill what nothing was typed into', () => {
    expect(enter(hosted(MANDATORY), [{ address: ENTRY, text: 'x' }])).to.equal(undefined);
  });

  it('is refused where a field to be filled is not', () => {
    const entries = [
      { address: ENTRY, text: 'x' },
      { address: FILL, text: 'abc' },
    ];
    refuses(hosted(MANDATORY), entries, { address: FILL, reason: 'mandatoryFill' });
  });

  it('is refused where a field to be entered was not, or holds what it held', () => {
    const refusal = { address: ENTRY, reason: 'mandatoryEntry' } as const;
    refuses(hosted(MANDATORY), [], refusal);
    refuses(hosted(MANDATORY), [{ address: ENTRY, text: 'ab' }], refusal);
    expect(enter(hosted(MANDATORY), [{ address: ENTRY, text: 'ab', modifies: true }])).to.equal(undefined);
  });

  it('asks for none of it with a key that sends no fields', () => {
    const terminal = hosted(MANDATORY);
    expect(enter(terminal, [], { sendsFields: false })).to.equal(undefined);
    expect(sentBy(terminal, 'PA1'), 'a short read: the identifier alone').to.equal('6c');
    expect(sentBy(hosted(MANDATORY), 'Clear')).to.equal('6d');
  });
});
