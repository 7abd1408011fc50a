import { expect } from 'chai';
import fc from 'fast-check';
import type { FieldTuple, TextAt } from '../../src/terminal/protocol/server-message.js';
import { AMOUNT, change, FIELDS, form, NAME, PASSWORD, press, sent, shown } from './modelled-form.js';

describe('model of the terminal page and its user', () => {
  describe('keys', () => {
    it('turns insert mode on and off by Insert', () => {
      const model = press(form(), "'bc", 'Home', 'Insert', "'a", 'Insert', "'x");
      expect(shown(model, 11, 5)).to.equal('axc  ');
      expect(model.insertMode).to.equal(false);
    });

    it('takes blanks at the end of a field for room to insert, and those between words not', () => {
      const model = press(form({ t: [[11, 'a b']] }), 'Insert', "'xy");
      expect(shown(model, 11, 5)).to.equal('xya b');
      expect(model.type('z')).to.equal('tooMuchEntered');
      expect(shown(model, 11, 5)).to.equal('xya b');
    });

    it('goes by FieldEnd to the last position of a full field', () => {
      expect(press(form({ t: [[11, 'abcde']] }), 'FieldEnd').cursor).to.equal(15);
      expect(press(form({ t: [[11, 'abcd']] }), 'FieldEnd').cursor).to.equal(15);
      expect(press(form({ t: [[11, 'abc']] }), 'FieldEnd').cursor).to.equal(14);
    });

    it('refuses letters in numeric fields unless told otherwise', () => {
      expect(press(form(), 'Tab', "'a").lock).to.equal('numericField');
      expect(press(form({}, { numericLock: false }), 'Tab', "'a").lock).to.equal(0);
    });

    it('refuses what no terminal types', () => {
      for (const text of ['\u0007', '\u0301', '\ud800']) expect(form().type(text)).to.equal('minusFunction');
    });

    it('goes where the mouse is pressed, which leads out of an error', () => {
      const model = press(form(), 'Left', "'x");
      expect(model.moveCursor(241)).to.equal('done');
      expect([model.cursor, model.lock]).to.deep.equal([241, 0]);
      for (const nowhere of [-1, 1920, 1.5, Number.NaN]) expect(model.moveCursor(nowhere)).to.equal('dropped');
      model.submitted();
      expect(model.moveCursor(11), 'while the host is at work').to.equal('dropped');
    });
  });

  describe('validation', () => {
    const validated = (validation: number) => ({
      f: FIELDS.map((field): FieldTuple => (field[0] === AMOUNT ? [AMOUNT, 16, 0, 0, 0, validation] : field)),
    });

    it('sends no screen whose field that must be entered was not', () => {
      const model = form(validated(2));
      expect(model.firstUnsent()).to.deep.equal({ address: 81, refusal: 'mandatoryEntry' });
      expect(model.lock, 'only asked').to.equal(0);
      expect(model.prepareToSend(false), 'a key without fields').to.equal(true);
      expect(model.prepareToSend()).to.equal(false);
      expect([model.lock, model.cursor]).to.deep.equal(['mandatoryEntry', 81]);
      expect(model.prepareToSend(), 'until Reset').to.equal(false);
      press(model, 'Reset', "'1");
      expect(model.prepareToSend()).to.equal(true);
      expect(model.firstUnsent()).to.equal(undefined);
    });

    it('leaves no field that must be filled and is not', () => {
      const model = press(form(validated(4)), 'Tab', "'12");
      expect(model.press('Tab')).to.equal('mandatoryFill');
      expect(model.cursor).to.equal(83);
      expect(model.moveCursor(11), 'nor by the mouse').to.equal('mandatoryFill');
      expect(model.firstUnsent()).to.deep.equal({ address: 81, refusal: 'mandatoryFill' });
      expect(press(model, 'Reset', "'3").lock).to.equal(0);
      expect(model.cursor).to.equal(161);
    });

    it('tells that a trigger field was left, and waits', () => {
      const keys: string[] = [];
      const model = form(validated(1), { attention: (key) => keys.push(key) });
      expect([press(model, 'Tab', 'Tab').lock, keys]).to.deep.equal([0, []]);
      expect([press(model, 'BackTab', "'1", 'Tab').lock, keys]).to.deep.equal([1, ['TRIGGER']]);
    });
  });

  describe('copying', () => {
    const TABLE = {
      f: [],
      t: [
        [0, 'one   two'],
        [80, 'three four'],
        [160, '漢\u007fx five'],
      ] as TextAt[],
    };

    it('copies from one position to another, blanks at the end of rows left out', () => {
      expect(form(TABLE).copyText(6, 84)).to.equal('two\nthree');
      expect(form(TABLE).copyText(84, 6), 'from right to left').to.equal('two\nthree');
      expect(form(TABLE).copyText(0, 179)).to.equal('one   two\nthree four\n漢x five');
    });

    it('copies a box, columns kept', () => {
      expect(form(TABLE).copyText(6, 170, true)).to.equal('two\nfour\nve');
      expect(form(TABLE).copyText(10, 166, true), 'of the two other corners').to.equal('two\nfour\nve');
      expect(form(TABLE).copyText(161, 163, true)).to.equal(' x');
    });
  });

  describe('storing what was typed', () => {
    it('gives it back on the same revision', () => {
      const model = press(form(), "'abc", 'Tab', "'12");
      const stored = JSON.parse(JSON.stringify(model.snapshot()));
      const reloaded = form();
      expect(reloaded.restore(stored)).to.equal(true);
      expect(reloaded.formFor()).to.deep.equal(model.formFor());
      expect(reloaded.cells()).to.deep.equal(model.cells());
      expect(form({ r: 18 }).restore(stored), 'another screen').to.equal(false);
    });

    it('gives back an unformatted screen', () => {
      const model = press(form({ f: [], t: [], u: 3 }), "'abc");
      const reloaded = form({ f: [], t: [], u: 3 });
      expect(reloaded.restore(JSON.parse(JSON.stringify(model.snapshot())))).to.equal(true);
      expect(reloaded.formFor()).to.deep.equal(model.formFor());
    });

    it('never stores, shows or copies what is not displayed', () => {
      fc.assert(
        fc.property(
          fc.stringMatching(/^[QZXJ]{1,8}$/),
          fc.array(fc.constantFrom('Left', 'Delete', 'Insert')),
          (secret, keys) => {
            const model = press(form(), "'abc", 'Tab', 'Tab', `'${secret}`, ...keys);
            const visible = JSON.stringify(model.snapshot()) + model.cells().join('') + model.copyText(0, 1919);
            expect(visible).not.to.match(/[QZXJ]/);
            expect(visible).to.include('abc');
          },
        ),
      );
    });

    it('takes nothing that does not fit the screen', () => {
      const cells = [...'abcde'];
      for (const field of [
        { address: PASSWORD, cells: [...'password'] },
        { address: 0, cells: [...'protected'] },
        { address: NAME, cells: [...'abc'] },
        { address: NAME + 1, cells },
        { address: -1, cells },
        { address: 5000, cells },
        { address: NAME, cells: 'abcde' },
        { address: NAME, cells: [1, 2, 3, 4, 5] },
        { address: NAME, cells: ['ab', 'c', 'd', 'e', ''] },
      ]) {
        const model = form();
        model.restore({ revision: 17, cursor: 99999, fields: [{ modified: true, ...field }] } as never);
        expect([sent(model), model.cursor], JSON.stringify(field)).to.deep.equal([[], 11]);
      }
      expect(form().restore({ revision: 17, cursor: 11, fields: [null] } as never)).to.equal(true);
      for (const nothing of [undefined, null, {}, { revision: 17 }, 'x']) {
        expect(form().restore(nothing as never)).to.equal(false);
      }
    });
  });

  describe('double-byte characters', () => {
    it('take two positions, shown as a character and nothing', () => {
      const model = press(form(), 'Tab', 'Tab', 'Tab', "'漢字", "'a");
      expect(model.cells().slice(241, 246)).to.deep.equal(['漢', '', '字', '', 'a']);
      expect(model.cursor).to.equal(246);
      expect(sent(model)).to.deep.equal([['V00000F1', '漢字a']]);
    });

    it('are refused where the host has no room for them, shift-out and shift-in', () => {
      // 4 of 5 positions
      expect(form().type('漢')).to.equal('done');
      // 6 of 5
      const model = form();
      expect(model.type('漢字')).to.equal('doubleByteCharacter');
      expect([shown(model, 11, 5), model.cursor]).to.deep.equal(['漢   ', 13]);
      expect(press(form(), "'ab").type('漢'), '2 and 4').to.equal('doubleByteCharacter');
      expect(press(form(), "'漢a").type('b'), 'nor more beside them').to.equal('doubleByteCharacter');
      expect(press(form(), 'Left').type('漢')).to.equal('goElsewhere');
      expect(press(form(), 'Tab').type('漢')).to.equal('numericField');
    });

    it('are passed, deleted and overwritten as one', () => {
      const at = press(form(), 'Tab', 'Tab', 'Tab', "'漢字");
      expect(press(at, 'Left').cursor).to.equal(243);
      expect(press(at, 'Home', 'Tab', 'Tab', 'Tab', 'Right').cursor).to.equal(243);
      expect(at.moveCursor(242)).to.equal('done');
      expect(at.cursor, 'the left half').to.equal(241);
      expect(sent(press(at, 'Delete'))).to.deep.equal([['V00000F1', '字']]);
      expect(at.cells().slice(241, 244)).to.deep.equal(['字', '', ' ']);
      expect(press(at, "'x").cells().slice(241, 244)).to.deep.equal(['x', ' ', ' ']);
    });

    it('insert', () => {
      const model = press(form(), 'Tab', 'Tab', 'Tab', "'ab", 'BackTab', 'Insert', "'漢");
      expect(model.cells().slice(241, 246)).to.deep.equal(['漢', '', 'a', 'b', ' ']);
    });

    it('are pasted, each as wide as it is', () => {
      const model = press(form(), 'Tab', 'Tab', 'Tab');
      expect(model.paste('漢字\n日a').outcome).to.equal('done');
      expect(model.cells().slice(241, 246)).to.deep.equal(['漢', '', '字', '', ' ']);
      expect(model.cells().slice(321, 325)).to.deep.equal(['日', '', 'a', ' ']);
    });

    it('are given up whole where the host writes over a half', () => {
      for (const piece of [
        [0, 'X'],
        [1, 'X'],
      ] as const) {
        const model = press(form({ f: [], t: [], u: 0 }), "'漢a");
        model.receive(change(17, { t: [piece], u: 0 }));
        expect(model.cells().slice(0, 3)).to.deep.equal(piece[0] === 0 ? ['X', ' ', 'a'] : [' ', 'X', 'a']);
      }
    });

    it('keep the shift codes that the host sent round them out of what is sent', () => {
      const model = form({ t: [[241, ' 漢\u007f abc']], u: 241 });
      expect(shown(model, 241, 8)).to.equal(' 漢 abc ');
      press(model, 'FieldEnd', "'d");
      expect(sent(model)).to.deep.equal([['V00000F1', '漢abcd']]);
    });

    it('are no characters of a session that has none', () => {
      const model = form({}, { widthOf: (character) => (character < '\u0100' ? 1 : 0) });
      expect(model.type('漢')).to.equal('minusFunction');
    });
  });
});
