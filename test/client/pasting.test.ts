import { expect } from 'chai';
import { AMOUNT, change, FIELDS, form, NAME, PASSWORD, press, sent, shown, TEXT } from './modelled-form.js';

const MOST_PASTED = 100_000;

describe('pasting', () => {
  it('types lines below each other at the same column', () => {
    const model = form({ f: [[0], [1900, 32]], t: [], u: 5 });
    expect(model.paste('ab\r\ncd\n\nef')).to.deep.equal({ outcome: 'done', left: undefined });
    expect([5, 85, 165, 245].map((at) => shown(model, at, 3))).to.deep.equal(['ab ', 'cd ', '   ', 'ef ']);
    expect(model.cursor).to.equal(247);
  });

  it('goes to the next field by a tab, and not round the end to the first one', () => {
    const model = form();
    expect(model.paste('ann\t42\tpw\ttext').outcome).to.equal('done');
    expect(sent(model).map(([, text]) => text)).to.deep.equal(['ann', '42', 'pw', 'text']);
    const further = form();
    expect(further.paste('ann\t42\t\ttext\tmore')).to.deep.equal({
      outcome: 'done',
      left: { text: 'more', characters: 4, position: 1920 },
    });
    expect(shown(further, NAME + 1, 5)).to.equal('ann  ');
  });

  it('runs on to the following rows of a field, and the next line begins below them', () => {
    const model = press(form(), 'Tab', 'Tab', 'Tab');
    const [long, short] = ['x'.repeat(79), 'y'.repeat(70)];
    expect(model.paste(`${long}\nz`).left).to.equal(undefined);
    expect(shown(model, TEXT + 1, 81)).to.equal(`${long} z`);
    const over = press(form(), 'Tab', 'Tab', 'Tab', ...Array<string>(10).fill('Right'));
    expect(over.paste(`${short}zzz\nw`).left).to.deep.equal({ text: 'w', characters: 1, position: TEXT + 171 });
    expect(shown(over, TEXT + 11, 73)).to.equal(`${short}zzz`);
  });

  describe('tells what has no place, and where', () => {
    it('of a line that is longer than its field: the rest of it is not for the next one', () => {
      const model = form({ f: [[0, 32], [NAME], [16], [32, 48]] });
      const { outcome, left } = model.paste('abcdefghi jkl\nm');
      expect(outcome).to.equal('done');
      expect(left).to.deep.equal({ text: 'fghi jkl\nm', characters: 8, position: 16 });
      expect(sent(model)).to.deep.equal([['V000000B', 'abcde']]);
    });

    it('of words that begin where nothing can be typed, but not of those that stand there', () => {
      const model = form({ u: 0 });
      expect(model.paste(' Name      ann')).to.deep.equal({ outcome: 'done', left: undefined });
      expect(shown(model, 0, 16)).to.equal(' Name      ann  ');
      const other = form({ u: 0 });
      expect(other.paste(' Nome     anna  bob').left).to.deep.equal({
        text: 'ome\nanna\nbob',
        characters: 10,
        position: 2,
      });
      expect(shown(other, 0, 20), 'never the end of a word alone').to.equal(' Name'.padEnd(20));
    });

    it('below the end of the screen', () => {
      const model = form({ f: [], t: [], u: 1918 });
      expect(model.paste('abcd\nef')).to.deep.equal({
        outcome: 'done',
        left: { text: 'cd\nef', characters: 4, position: 1920 },
      });
      expect([shown(model, 1918, 2), shown(model, 0, 4)]).to.deep.equal(['ab', '    ']);
    });

    it('from the first operator error on, which locks the keyboard', () => {
      const model = press(form(), 'Tab');
      expect(model.paste('1a2\nb')).to.deep.equal({
        outcome: 'numericField',
        left: { text: 'a2\nb', characters: 3, position: AMOUNT + 2 },
      });
      expect(shown(model, AMOUNT + 1, 3)).to.equal('1  ');
      expect(model.paste('3 4')).to.deep.equal({
        outcome: 'dropped',
        left: { text: '3 4', characters: 2, position: AMOUNT + 2 },
      });
    });

    it('but never what was meant to be hidden', () => {
      const model = press(form(), 'Tab', 'Tab');
      const { left } = model.paste('canary1canary2');
      expect(left).to.deep.equal({ text: undefined, characters: 6, position: PASSWORD + 9 });
      const byTabs = form();
      expect(byTabs.paste('ann\t42\tcanary1canary2').left).to.include({ text: undefined, characters: 6 });
    });

    it('in a time that does not explode', () => {
      const model = form({ f: [], t: [], u: 0 });
      const { left } = model.paste(`${' '.repeat(MOST_PASTED - 1)}x`);
      expect(left).to.deep.equal({ text: 'x', characters: 1, position: MOST_PASTED - 1 });
    });
  });

  describe('can be undone', () => {
    it('with the cursor, what counts as typed, and the error that it ended in', () => {
      const model = press(form(), "'ab", 'Tab');
      const before = [model.cells(), sent(model), model.cursor];
      expect(model.mayUndoPaste).to.equal(false);
      model.paste('7x');
      expect([model.lock, model.mayUndoPaste]).to.deep.equal(['numericField', true]);
      expect(model.undoPaste()).to.deep.equal({ undone: 1, kept: 0 });
      expect([model.cells(), sent(model), model.cursor]).to.deep.equal(before);
      expect([model.lock, model.undoPaste()]).to.deep.equal([0, undefined]);
    });

    it('one after the other, over fields, and what was there is there again', () => {
      const model = press(form(), "'first", 'Home');
      model.paste('one\t1');
      model.paste('\ttext');
      expect(sent(model).map(([, text]) => text)).to.deep.equal(['onest', '1', 'text']);
      model.undoPaste();
      expect(sent(model).map(([, text]) => text)).to.deep.equal(['onest', '1']);
      model.undoPaste();
      expect(sent(model).map(([, text]) => text)).to.deep.equal(['first']);
    });

    it('but not in fields that were changed since', () => {
      const model = form();
      model.paste('one\t1');
      press(model, 'Home', "'X");
      expect(model.undoPaste()).to.deep.equal({ undone: 1, kept: 1 });
      expect(sent(model).map(([, text]) => text)).to.deep.equal(['Xne']);
    });

    it('while the host writes elsewhere, until a key goes to it or another screen comes', () => {
      const model = form();
      model.paste('one');
      model.receive(change(17, { t: [[500, 'news']] }));
      expect(model.undoPaste()).to.deep.equal({ undone: 1, kept: 0 });
      expect([shown(model, NAME + 1, 5), shown(model, 500, 4)]).to.deep.equal(['     ', 'news']);
      model.paste('two');
      model.submitted();
      expect(model.undoPaste()).to.equal(undefined);
      model.receive(change(18, { f: FIELDS }));
      expect(model.mayUndoPaste).to.equal(false);
    });

    it('on a screen without fields, position by position', () => {
      const model = form({ f: [], t: [[3, 'old']], u: 0 });
      model.paste('ab cd');
      press(model, 'Home', "'X");
      expect(model.undoPaste()).to.deep.equal({ undone: 3, kept: 1 });
      expect(shown(model, 0, 6)).to.equal('X  old');
    });

    it('not while it is written down for a macro', () => {
      const model = form();
      model.recording = () => undefined;
      model.paste('one');
      expect([model.mayUndoPaste, model.undoPaste()]).to.deep.equal([false, undefined]);
      expect(shown(model, NAME + 1, 3)).to.equal('one');
    });
  });
});
