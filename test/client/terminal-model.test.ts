import { expect } from 'chai';
import fc from 'fast-check';
import type {
  DifferenceMessage,
  FieldTuple,
  TextPiece,
  WholeScreenMessage,
} from '../../client/terminal/model/protocol-messages.js';
import { TerminalModel, type TerminalModelOptions } from '../../client/terminal/model/terminal-model.js';

/** Attribute addresses of the form; its first characters stand behind. */
const NAME = 10;
const AMOUNT = 80;
const PASSWORD = 160;
const TEXT = 240;

/**
 * Protected "Name" at 1–, an input field of 5 from 11 to 15 with autoskip behind, a numeric one of 3 from 81, a
 * non-displayable one of 8 from 161, and one of 160, over three rows, from 241.
 */
const FIELDS: readonly FieldTuple[] = [
  [0, 32],
  [NAME],
  [16, 48],
  [AMOUNT, 16],
  [84, 48],
  [PASSWORD, 12],
  [169, 48],
  [TEXT],
  [401, 48],
];

function whole(members: Partial<WholeScreenMessage> = {}): WholeScreenMessage {
  return { k: 's', r: 17, n: 24, c: 80, u: 11, l: 0, t: [[1, 'Name']], f: FIELDS, ...members };
}

function change(b: number, members: Partial<DifferenceMessage> = {}): DifferenceMessage {
  return { k: 'd', b, r: b + 1, u: 11, l: 0, ...members };
}

function form(members: Partial<WholeScreenMessage> = {}, options: TerminalModelOptions = {}): TerminalModel {
  const model = new TerminalModel(options);
  expect(model.receive(whole(members))).to.equal(true);
  return model;
}

function press(model: TerminalModel, ...keys: readonly string[]): TerminalModel {
  for (const key of keys) {
    if (key.startsWith("'")) model.type(key.slice(1));
    else expect(model.press(key), key).not.to.equal(undefined);
  }
  return model;
}

const shown = (model: TerminalModel, start: number, length: number) =>
  model
    .cells()
    .slice(start, start + length)
    .join('');
const sent = (model: TerminalModel) => model.formFor().fields.map(({ id, text }) => [id, text]);

describe('model of the terminal page', () => {
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
      expect(new TerminalModel().receive(change(17)), 'a change of nothing').to.equal(false);
    });

    it('lets nobody type before there is a screen, or where there is nobody to type for', () => {
      const model = new TerminalModel();
      expect([model.lock, model.type('a'), model.press('Tab'), model.moveCursor(0), model.paste('a')]).to.deep.equal([
        2,
        'dropped',
        'dropped',
        'dropped',
        'dropped',
      ]);
      expect([model.prepareToSend(), model.snapshot(), sent(model)]).to.deep.equal([false, undefined, []]);
      expect(form({ l: 2 }).type('a')).to.equal('dropped');
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
            for (const [at, piece] of pieces.entries()) model.receive(change(17 + at, { t: [piece as TextPiece] }));
            expect(sent(model)).to.deep.equal([['V000000B', text]]);
          },
        ),
      );
    });
  });

  describe('submits', () => {
    it('sends the fields typed into, whole and without blanks at the end', () => {
      const model = press(form({ t: [[241, 'some text']] }), 'Right', "'b", 'Tab', "'7", 'Tab', "'pw");
      press(model, 'Tab', 'FieldEnd', "'!");
      expect(model.formFor()).to.deep.equal({
        cursor: 251,
        fields: [
          { id: 'V000000B', address: 11, text: ' b', nonDisplayable: false },
          { id: 'V0000051', address: 81, text: '7', nonDisplayable: false },
          { id: 'V00000A1', address: 161, text: 'pw', nonDisplayable: true },
          { id: 'V00000F1', address: 241, text: 'some text!', nonDisplayable: false },
        ],
      });
      for (const key of ['CLEAR', 'PA1', 'PA2', 'PA3']) expect(model.formFor(key).fields).to.deep.equal([]);
      expect(model.formFor('PF07').fields).to.have.length(4);
    });

    it('sends a field that was emptied', () => {
      const filled = { t: [[11, 'abc']] as TextPiece[] };
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
      ] as TextPiece[],
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

  describe('pasting', () => {
    it('types lines below each other at the same column', () => {
      const model = form({ f: [[0], [1900, 32]], t: [], u: 5 });
      expect(model.paste('ab\r\ncd\n\nef')).to.equal('done');
      expect([5, 85, 165, 245].map((at) => shown(model, at, 3))).to.deep.equal(['ab ', 'cd ', '   ', 'ef ']);
      expect(model.cursor).to.equal(247);
    });

    it('leaves out what would stand where nothing can be typed', () => {
      const model = form();
      model.paste('abcdefg');
      expect([shown(model, 11, 5), sent(model)]).to.deep.equal(['abcde', [['V000000B', 'abcde']]]);
      const labelled = form({ u: 0 });
      labelled.paste(' Name     ann');
      expect(shown(labelled, 0, 16)).to.equal(' Name      nn   ');
    });

    it('goes to the next field by a tab', () => {
      const model = form();
      expect(model.paste('ann\t42\tpw\ttext')).to.equal('done');
      expect(sent(model).map(([, text]) => text)).to.deep.equal(['ann', '42', 'pw', 'text']);
    });

    it('runs on to the following rows of a field, and ends with the screen', () => {
      const model = press(form(), 'Tab', 'Tab', 'Tab');
      const long = 'x'.repeat(100);
      model.paste(`${long}\ny`);
      expect(shown(model, 241, 161)).to.equal(`${long}${' '.repeat(60)} `);
      expect(shown(model, 401, 1)).to.equal(' ');
      const last = form({ f: [], t: [], u: 1918 });
      expect(last.paste('abcd\nef')).to.equal('done');
      expect([shown(last, 1918, 2), shown(last, 0, 4)]).to.deep.equal(['ab', '    ']);
    });

    it('ends at the first operator error', () => {
      const model = press(form(), 'Tab');
      expect(model.paste('1a2\n')).to.equal('numericField');
      expect(shown(model, 81, 3)).to.equal('1  ');
      expect(model.paste('3')).to.equal('dropped');
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
      expect(model.paste('漢字\n日a')).to.equal('done');
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
