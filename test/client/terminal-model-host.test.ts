import { expect } from 'chai';
import fc from 'fast-check';
import { BrowserTerminal } from '../../client/terminal/model/browser-terminal.js';
import type { FieldTuple, TextAt } from '../../src/terminal/protocol/server-message.js';
import { change, FIELDS, form, NAME, PASSWORD, press, sent, shown, whole } from './modelled-form.js';

describe('model of the terminal page and its host', () => {
  describe('screens of the server', () => {
    it('takes a whole screen: text, fields round the end, colours, alarms, notice', () => {
      const model = form({
        t: [
          [1, 'Name'],
          [400, ['😀']],
          [1918, 'yz'],
        ],
        x: [[1, 2, 4, 2]],
        g: 3,
        o: 'Come in',
      });
      expect([model.rows, model.columns, model.cursor, model.revision]).to.deep.equal([24, 80, 11, 17]);
      expect(shown(model, 0, 6)).to.equal(' Name ');
      expect(shown(model, 1918, 2)).to.equal('yz');
      expect(model.cells()[400]).to.equal('😀');
      expect(model.cells()).to.have.length(1920);
      expect([model.alarms, model.notice, model.isFormatted]).to.deep.equal([3, 'Come in', true]);
      const [first, name, , amount, , password] = model.fields;
      expect(first).to.include({ address: 0, start: 1, length: 9, isProtected: true, colour: 0 });
      expect(name).to.include({ address: NAME, length: 5, isProtected: false, isModified: false });
      expect(amount).to.include({ isNumeric: true, isAutoSkip: false });
      expect(password).to.include({ isNonDisplayable: true, isIntensified: false });
      expect(model.fields.at(-1)).to.include({ address: 401, length: 1518, isAutoSkip: true });
      expect(model.runs).to.deep.equal([{ address: 1, length: 2, colour: 4, highlighting: 2, background: 0 }]);
      expect(model.styleAt(2)).to.deep.equal({ colour: 4, highlighting: 2, background: 0 });
      expect(model.styleAt(3)).to.equal(undefined);
    });

    it('takes changes of its revision, and none of another', () => {
      const model = form();
      expect(model.receive(change(17, { t: [[500, 'news']], u: 500, g: 1 }))).to.equal(true);
      expect([model.revision, model.cursor, model.alarms, shown(model, 500, 4)]).to.deep.equal([18, 500, 1, 'news']);
      expect(model.receive(change(17, { t: [[500, 'late']] }))).to.equal(false);
      expect([model.revision, shown(model, 500, 4)]).to.deep.equal([18, 'news']);
      expect(new BrowserTerminal().receive(change(17)), 'a change of nothing').to.equal(false);
    });

    it('lets nobody type before there is a screen, or where there is nobody to type for', () => {
      const model = new BrowserTerminal();
      expect([
        model.lock,
        model.type('a'),
        model.press('Tab'),
        model.moveCursor(0),
        model.paste('a').outcome,
      ]).to.deep.equal([2, 'dropped', 'dropped', 'dropped', 'dropped']);
      expect([model.prepareToSend(), model.snapshot(), sent(model)]).to.deep.equal([false, undefined, []]);
      expect(form({ l: 2 }).type('a')).to.equal('dropped');
    });

    it('takes nothing but Reset once the host has sent what cannot be shown', () => {
      const model = form({ l: 1 });
      model.type('ahead');
      model.receive(change(17, { l: 'programCheck 755/1' }));
      expect([model.lock, model.typedAhead]).to.deep.equal(['programCheck 755/1', 0]);
      for (const key of ['Tab', 'Home', 'EraseInput', 'Insert', 'ENTER']) model.press(key);
      expect([model.type('x'), model.moveCursor(NAME + 1), model.paste('y').outcome]).to.deep.equal([
        'dropped',
        'dropped',
        'dropped',
      ]);
      expect([model.lock, model.insertMode, model.cursor]).to.deep.equal(['programCheck 755/1', false, 11]);
      model.press('Reset');
      expect([model.lock, model.type('x')]).to.deep.equal([0, 'done']);
      model.receive(change(18, { l: 'programCheck 755/1', t: [[500, 'news']] }));
      expect(model.lock, 'the same one is over').to.equal(0);
      model.receive(change(19, { l: 'programCheck 755/2' }));
      expect(model.lock, 'another one is not').to.equal('programCheck 755/2');
    });

    it('shows nothing of what is typed unseen, and knows it', () => {
      const model = press(form(), 'Tab', 'Tab', "'secret");
      expect(model.cursor).to.equal(PASSWORD + 7);
      expect(shown(model, PASSWORD, 10)).to.equal(' '.repeat(10));
      expect(model.hiddenText(PASSWORD)).to.equal('secret  ');
      expect(model.hiddenText(NAME)).to.equal('');
      expect(model.copyText(PASSWORD, PASSWORD + 9)).to.equal('');
    });

    it('shows DUP and FM as a terminal does', () => {
      expect(shown(press(form(), "'a", 'FieldMark', 'Dup'), 11, 5)).to.equal('a;*  ');
    });
  });

  describe('writes of the host while the user types', () => {
    it('keeps what was typed where it does not touch the field, unseen text too', () => {
      const model = press(form(), "'abc", 'Tab', 'Tab', "'pw");
      model.receive(change(17, { t: [[600, '12:00']] }));
      expect(shown(model, 11, 5)).to.equal('abc  ');
      expect(model.hiddenText(PASSWORD)).to.equal('pw      ');
      expect(model.cursor, 'where the user was').to.equal(PASSWORD + 3);
      expect(sent(model)).to.deep.equal([
        ['V000000B', 'abc'],
        ['V00000A1', 'pw'],
      ]);
    });

    it('gives up what was typed into a field that it writes to, and that one only', () => {
      const model = press(form(), "'abc", 'Tab', "'12");
      model.receive(change(17, { t: [[13, 'X']] }));
      expect([shown(model, 11, 5), shown(model, 81, 3)]).to.deep.equal(['  X  ', '12 ']);
      expect(sent(model)).to.deep.equal([['V0000051', '12']]);
    });

    it('gives up what was typed into a field that has changed', () => {
      const others: Readonly<Record<string, FieldTuple[]>> = {
        'now protected': [[NAME, 32]],
        'now not displayed': [[NAME, 12]],
        'now shorter': [[NAME], [14, 32]],
        'now elsewhere': [[NAME + 1]],
        gone: [],
      };
      for (const [what, fields] of Object.entries(others)) {
        const model = press(form(), "'abc");
        model.receive(change(17, { f: [[0, 32], ...fields, ...FIELDS.slice(2)] }));
        expect(sent(model), what).to.deep.equal([]);
        expect(shown(model, 11, 3), what).to.equal('   ');
      }
      const model = press(form(), 'Tab', 'Tab', "'pw");
      model.receive(change(17, { f: FIELDS.map((field) => (field[0] === PASSWORD ? [PASSWORD] : field)) }));
      expect(shown(model, PASSWORD, 5), 'typed unseen').to.equal('     ');
    });

    it('keeps what was typed where only the colour of the field changes', () => {
      const model = press(form(), "'abc");
      model.receive(change(17, { f: FIELDS.map((field) => (field[0] === NAME ? [NAME, 8, 2] : field)) }));
      expect(sent(model)).to.deep.equal([['V000000B', 'abc']]);
    });

    it('puts the cursor where the host puts it, if it does', () => {
      const model = press(form(), 'Tab');
      model.receive(change(17));
      expect(model.cursor).to.equal(81);
      model.receive(change(18, { u: 241 }));
      expect(model.cursor).to.equal(241);
    });

    it('gives up everything where another screen takes its place', () => {
      const model = press(form(), "'abc", 'Tab');
      const fields: FieldTuple[] = [[NAME], [16, 48], [700, 32], [800], [810, 32], [900]];
      model.receive(change(17, { f: fields, t: [[701, 'Other']] }));
      expect([sent(model), model.cursor]).to.deep.equal([[], 11]);
      const resized = press(form(), "'abc");
      resized.receive(whole({ r: 30, n: 43 }));
      expect([sent(resized), resized.rows]).to.deep.equal([[], 43]);
    });

    it('keeps what was typed where the same screen comes whole, after a lost connection', () => {
      const model = press(form(), "'abc");
      model.receive(
        whole({
          r: 21,
          t: [
            [1, 'Name'],
            [600, 'news'],
          ],
        }),
      );
      expect([shown(model, 11, 3), shown(model, 600, 4)]).to.deep.equal(['abc', 'news']);
    });

    it('keeps each position of an unformatted screen that it does not write to', () => {
      const model = press(form({ f: [], t: [], u: 0 }), "'abcdef");
      model.receive(change(17, { t: [[2, 'XY']], u: 0 }));
      expect(shown(model, 0, 7)).to.equal('abXYef ');
      expect(sent(model)).to.deep.equal([
        ['V0000000', 'ab'],
        ['V0000004', 'ef'],
      ]);
    });

    it('leaves an operator error to the operator, unless the host has restored the keyboard', () => {
      const model = press(form(), 'Left', "'x");
      model.receive(change(17));
      expect(model.lock).to.equal('goElsewhere');
      model.receive(change(18, { l: 1 }));
      model.receive(change(19, { l: 0 }));
      expect(model.lock).to.equal(0);
    });

    it('keeps typing through any write elsewhere', () => {
      fc.assert(
        fc.property(
          fc.stringMatching(/^[a-z]{1,5}$/),
          fc.array(fc.tuple(fc.integer({ min: 402, max: 1900 }), fc.stringMatching(/^[ -~]{1,19}$/)), { maxLength: 5 }),
          (text, pieces) => {
            const model = press(form(), `'${text}`);
            for (const [at, piece] of pieces.entries()) model.receive(change(17 + at, { t: [piece as TextAt] }));
            expect(sent(model)).to.deep.equal([['V000000B', text]]);
          },
        ),
      );
    });
  });

  describe('submits', () => {
    it('sends the fields typed into, whole, without blanks at the end, and with U+0000 where nobody typed', () => {
      const model = press(form({ t: [[241, 'some text']] }), 'Right', "'b", 'Tab', "'7", 'Tab', "'pw");
      press(model, 'Tab', 'FieldEnd', "'!");
      expect(model.formFor()).to.deep.equal({
        cursor: 251,
        fields: [
          { id: 'V000000B', address: 11, text: '\u0000b', nonDisplayable: false },
          { id: 'V0000051', address: 81, text: '7', nonDisplayable: false },
          { id: 'V00000A1', address: 161, text: 'pw', nonDisplayable: true },
          { id: 'V00000F1', address: 241, text: 'some text!', nonDisplayable: false },
        ],
      });
      for (const key of ['CLEAR', 'PA1', 'PA2', 'PA3']) expect(model.formFor(key).fields).to.deep.equal([]);
      expect(model.formFor('PF07').fields).to.have.length(4);
    });

    it('sends a field that was emptied', () => {
      const filled = { t: [[11, 'abc']] as TextAt[] };
      expect(sent(press(form(filled), 'EraseEOF'))).to.deep.equal([['V000000B', '']]);
      expect(sent(press(form(filled), "'x", 'EraseInput'))).to.deep.include(['V000000B', '']);
      expect(sent(press(form(), "'x", 'EraseInput')), 'empty at the host').not.to.deep.include(['V000000B', '']);
    });

    it('locks the keyboard until the host frees it, and forgets what was sent', () => {
      const model = press(form(), "'abc", 'Tab', 'Tab', "'pw", 'Insert');
      model.submitted('ENTER');
      expect([model.lock, model.insertMode]).to.deep.equal([1, false]);
      // the host's screen with what was typed on it
      model.receive(change(17, { t: [[11, 'abc']], u: 163, l: 1 }));
      expect([model.lock, shown(model, 11, 5)]).to.deep.equal([1, 'abc  ']);
      model.receive(change(18, { t: [[11, '   ']], l: 0 }));
      expect([model.lock, shown(model, 11, 5), model.cursor]).to.deep.equal([0, '     ', 11]);
      expect([sent(model), model.hiddenText(PASSWORD).trim()]).to.deep.equal([[], '']);
    });

    it('forgets what was sent where the host answers at once, and the cursor is where it was before', () => {
      const model = press(form(), "'abc");
      model.submitted();
      model.receive(change(17, { t: [[600, 'Hello']] }));
      expect([model.lock, sent(model), shown(model, 11, 3), model.cursor]).to.deep.equal([0, [], '   ', 11]);
    });

    it('keeps what was typed where the server refuses it', () => {
      const model = press(form(), "'abc");
      model.submitted();
      model.type('ahead');
      model.refused();
      expect([model.lock, sent(model), model.typedAhead]).to.deep.equal([0, [['V000000B', 'abc']], 0]);
    });

    it('keeps what was typed where a key without fields was sent, but for Clear', () => {
      const model = press(form(), "'abc");
      model.submitted('PA1');
      model.receive(change(17, { t: [[600, 'Hello']] }));
      expect(sent(model)).to.deep.equal([['V000000B', 'abc']]);
      const cleared = press(form({ f: [], t: [], u: 0 }), "'abc");
      cleared.submitted('CLEAR');
      cleared.receive(change(17, { u: 0 }));
      expect(sent(cleared)).to.deep.equal([]);
    });

    it('is not freed by a write that crosses with the submit, where it waits for the answer', () => {
      const model = press(form(), "'abc");
      model.submitted('ENTER', true);
      model.receive(change(17, { t: [[600, '12:00']] }));
      expect([model.lock, sent(model)]).to.deep.equal([1, [['V000000B', 'abc']]]);
      model.carriedOut();
      model.receive(change(18, { t: [[11, 'abc']], u: 14, l: 1 }));
      model.receive(change(19));
      expect([model.lock, sent(model)]).to.deep.equal([0, []]);
    });

    it('keeps what was not sent where somebody else has pressed a key', () => {
      const model = press(form(), "'abc");
      model.receive(change(17, { l: 1 }));
      model.receive(change(18, { t: [[600, 'Hello']] }));
      expect([model.lock, sent(model)]).to.deep.equal([0, [['V000000B', 'abc']]]);
    });

    it('shows an operator error that the server found, until Reset', () => {
      const model = form();
      model.submitted();
      model.receive(change(17, { l: 'mandatoryFill' }));
      expect([model.lock, model.operatorError]).to.deep.equal(['mandatoryFill', 'mandatoryFill']);
      expect(press(model, 'Reset').lock).to.equal(0);
      model.receive(change(18, { l: 'mandatoryFill' }));
      expect(model.lock, 'no new one').to.equal(0);
    });
  });

  describe('typing ahead', () => {
    it('waits for the keyboard, and goes where the host has put the cursor', () => {
      const model = form();
      model.submitted();
      expect([model.type('xy'), model.press('Tab'), model.type('1')]).to.deep.equal(new Array(3).fill('typedAhead'));
      expect([model.typedAhead, shown(model, 11, 3)]).to.deep.equal([4, '   ']);
      model.receive(change(17));
      expect([shown(model, 11, 3), shown(model, 81, 1), model.typedAhead]).to.deep.equal(['xy ', '1', 0]);
    });

    it('keeps 1,000 keystrokes, and forgets them by Reset, or where nobody is left', () => {
      const model = form({ l: 1 });
      model.type('x'.repeat(1000));
      expect([model.type('y'), model.typedAhead]).to.deep.equal(['dropped', 1000]);
      expect(press(model, 'Reset').typedAhead).to.equal(0);
      expect(model.lock, 'the host has it still').to.equal(1);
      model.type('x');
      model.receive(change(17, { l: 2 }));
      expect(model.typedAhead).to.equal(0);
    });

    it('ends at an operator error', () => {
      const model = form({ l: 1 });
      press(model, 'Left', "'ab", 'Tab', "'c");
      model.receive(change(17));
      expect([model.lock, model.typedAhead, sent(model)]).to.deep.equal(['goElsewhere', 0, []]);
    });

    it('holds attention keys in their place', () => {
      const keys: unknown[] = [];
      const model = form({ l: 1 }, { attention: (key) => keys.push([key, sent(model)]) });
      press(model, "'ab", 'Enter', "'cd");
      expect(keys).to.deep.equal([]);
      model.receive(change(17));
      expect(keys).to.deep.equal([['Enter', [['V000000B', 'ab']]]]);
      expect([model.lock, model.typedAhead]).to.deep.equal([1, 2]);
      model.receive(change(18, { l: 0, t: [[600, 'Next']] }));
      expect(sent(model)).to.deep.equal([['V000000B', 'cd']]);
    });

    it('is forgotten where a key of it is refused at once', () => {
      const model = form({ l: 1 }, { attention: () => model.refused() });
      press(model, "'ab", 'PF3', "'cd");
      model.receive(change(17));
      expect([model.lock, model.typedAhead, sent(model)]).to.deep.equal([0, 0, [['V000000B', 'ab']]]);
    });

    it('knows no attention keys where nobody sends them', () => {
      const model = form();
      expect([model.press('Enter'), model.press('PF25'), model.press('Nonsense')]).to.deep.equal(
        new Array(3).fill(undefined),
      );
      expect(model.lock).to.equal(0);
    });
  });
});
