import { expect } from 'chai';
import type { FieldTuple } from '../../src/terminal/protocol/server-message.js';
import { eventually } from '../support/eventually.js';
import { AMOUNT, FIELDS, NAME, PASSWORD, sent, shown, TEXT, whole } from './modelled-form.js';
import { Stage } from './played-macro.js';

describe('playing of macros', () => {
  it('types texts and character codes, and presses keys', async () => {
    const stage = new Stage();
    expect(await stage.play({ txt: 'ab' }, 99, 'Tab', { txt: '1' }, 'Home', 'InsToogle', 120, 'NewLine')).to.equal(
      undefined,
    );
    expect(sent(stage.model)).to.deep.equal([
      ['V000000B', 'xabc'],
      ['V0000051', '1'],
    ]);
    expect([stage.model.cursor, stage.model.insertMode, stage.progress]).to.deep.equal([
      AMOUNT + 1,
      true,
      [1, 2, 3, 4, 5, 6, 7, 8],
    ]);
  });

  it('goes on when the host has answered and freed the keyboard, and not before', async () => {
    const stage = new Stage();
    const end = stage.play('ENTER', { txt: 'x' }, 'PF3', 'CLEAR');
    await stage.sees('ENTER');
    // a write that crosses with the key
    stage.model.receive(whole({ r: 18 }));
    stage.player.notice();
    // an answer that leaves the keyboard with the host
    stage.host({ r: 19, l: 1 });
    await new Promise((resolve) => setTimeout(resolve, 30));
    expect([stage.keys, shown(stage.model, 11, 1)]).to.deep.equal([['ENTER'], ' ']);
    stage.host({ r: 20 });
    await stage.sees('ENTER', 'PF03');
    stage.host({ r: 21 });
    await stage.sees('ENTER', 'PF03', 'CLEAR');
    let isOver = false;
    void end.then(() => {
      isOver = true;
    });
    await new Promise((resolve) => setTimeout(resolve, 30));
    expect(isOver, 'the last key has an answer, too').to.equal(false);
    stage.host({ r: 22 });
    expect(await end).to.equal(undefined);
  });

  it('waits for the keyboard before its first step', async () => {
    const stage = new Stage({ l: 1 });
    const end = stage.play({ txt: 'x' });
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(shown(stage.model, 11, 1)).to.equal(' ');
    stage.host();
    await end;
    expect(shown(stage.model, 11, 1)).to.equal('x');
  });

  it('waits for the server after ATTN', async () => {
    const stage = new Stage();
    let speak = () => {};
    stage.silence = new Promise((resolve) => {
      speak = resolve;
    });
    const end = stage.play({ txt: 'x' });
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(shown(stage.model, 11, 1)).to.equal(' ');
    speak();
    expect(await end).to.equal(undefined);
    const attention = new Stage();
    expect(await attention.play('ATTN')).to.equal(undefined);
    expect(attention.sentAsIs).to.deep.equal(['ATTN']);
  });

  it('may end the session with its last step', async () => {
    const stage = new Stage();
    const end = stage.play('PF3');
    await stage.sees('PF03');
    stage.breach = 'the session has ended';
    stage.player.notice();
    expect(await end).to.equal(undefined);
  });

  it('may end the session with its last step while the page has its turn', async () => {
    const stage = new Stage();
    const begun = performance.now();
    stage.silence = eventually(() => performance.now() - begun > 16 || undefined).then(() => undefined);
    stage.pressed = () => {
      stage.breach = 'the session has ended';
    };
    expect(await stage.play('PF3')).to.equal(undefined);
    const before = new Stage();
    before.pressed = () => {
      before.breach = 'the session has ended';
    };
    expect(await before.play('PF3', 'PF3')).to.deep.equal({ step: 2, reason: 'the session has ended' });
  });

  describe('stops', () => {
    it('at an operator error, and says which', async () => {
      const stage = new Stage();
      expect(await stage.play('Tab', { txt: '1x2' }, 'ENTER')).to.deep.equal({
        step: 2,
        reason: 'this field accepts digits, minus and full stop',
        expected: 'a field for 3 characters, at row 2, column 3',
      });
      expect([stage.keys, shown(stage.model, 81, 3)]).to.deep.equal([[], '1  ']);
      expect(await new Stage().play('Left', { txt: 'x' })).to.deep.equal({
        step: 2,
        reason: 'nothing can be typed here',
        expected: 'a field for 1 character, at row 1, column 11',
      });
    });

    it('at one that was there before, unless it begins with Reset', async () => {
      for (const [first, expected] of [
        ['Reset', undefined],
        [
          'Tab',
          {
            step: 1,
            reason: 'nothing can be typed here',
            expected: 'a keyboard that accepts Tab, at row 1, column 1',
          },
        ],
      ] as const) {
        const stage = new Stage({ u: 0 });
        stage.model.type('x');
        expect(await stage.play(first)).to.deep.equal(expected);
      }
    });

    it('at a field that the host does not accept', async () => {
      const stage = new Stage();
      const end = stage.play('ENTER', 'ENTER');
      await stage.sees('ENTER');
      stage.host({ l: 'mandatoryEntry' });
      expect(await end).to.deep.include({ step: 2, reason: 'this field requires input' });
      expect((await end)?.expected).to.match(/^a screen that accepts ENTER, at row /);
    });

    it('where the host does not free the keyboard in time', async () => {
      const stage = new Stage({}, 40);
      expect(await stage.play('ENTER', 'Tab')).to.deep.equal({
        step: 2,
        reason: 'the host did not unlock the keyboard within 0 seconds',
        expected: 'a keyboard that accepts Tab, at row 1, column 12',
      });
    });

    it('at a field that is protected, whatever was to be done there', async () => {
      for (const [step, expected] of [
        [{ txt: 'ab' }, 'a field for 2 characters'],
        [97, 'a field for 1 character'],
        ['ErEof', 'a field for ErEof'],
        ['Del', 'a field for Del'],
        ['Dup', 'a field for Dup'],
        ['FieldMark', 'a field for FieldMark'],
        [{ txt: '', prompt: 'Password' }, 'a hidden field'],
      ] as const) {
        const stage = new Stage({ u: 2 });
        const end = await stage.play(step, 'ENTER');
        expect([end?.step, end?.expected]).to.deep.equal([1, `${expected}, at row 1, column 3`]);
        expect(stage.keys).to.deep.equal([]);
      }
    });

    it('where a part of what was copied would stand in protected text, before any of it is typed', async () => {
      const stage = new Stage({ t: [[1, 'Name']] });
      const end = await stage.play('copy(1,2,1,5)', 'move(0)', 'paste(0)');
      expect(end).to.deep.equal({
        step: 3,
        reason: 'part of the text would be at a protected position',
        expected: 'fields for the copied text, at row 1, column 1',
      });
      expect(sent(stage.model)).to.deep.equal([]);
    });

    describe('on a screen that is another than the recorded one', () => {
      const on = (text: string) => ({ txt: '', screen: [{ text, row: 1, column: 2 }] });

      it('before anything is typed, with a picture of the one that came', async () => {
        const stage = new Stage({}, 5_000, 0);
        const end = stage.play(on('Name'), { txt: 'ab' }, 'ENTER', on('ACCT'), { txt: 'cd' }, 'ENTER');
        await stage.sees('ENTER');
        stage.host({ t: [[1, 'HELP']] });
        expect(await end).to.deep.equal({
          step: 4,
          reason: 'another screen appeared',
          expected: 'a screen with "ACCT" in row 1, column 2',
          otherScreen: { missing: [[{ text: 'ACCT', row: 1, column: 2 }]], picture: ' HELP' },
        });
        expect(stage.keys).to.deep.equal(['ENTER']);
        expect(sent(stage.model)).to.deep.equal([]);
      });

      it('when it becomes another one during a question', async () => {
        const stage = new Stage({ u: PASSWORD + 1 }, 5_000, 0);
        let answer: (text: string) => void = () => undefined;
        stage.answer = () =>
          new Promise((resolve) => {
            answer = resolve;
          });
        const end = stage.play(on('Name'), { txt: '', prompt: 'Password' }, 'ENTER');
        await eventually(() => stage.asked.length > 0 || undefined);
        stage.host({ t: [[1, 'Nome']], u: PASSWORD + 1 });
        answer('hush7');
        expect((await end)?.reason).to.equal('another screen appeared');
        expect(stage.keys).to.deep.equal([]);
        expect(stage.model.hiddenText(PASSWORD).trim()).to.equal('');
      });

      it('but waits for a host that frees the keyboard before it has written all', async () => {
        const stage = new Stage({}, 5_000, 60_000);
        const end = stage.play(on('Name'), 'ENTER', on('ACCT'), 'PF3', 'PF4');
        await stage.sees('ENTER');
        stage.host({ t: [[1, 'HELP']] });
        stage.host({ t: [[1, 'ACCT']] });
        await stage.sees('ENTER', 'PF03');
        // where no screen was recorded, any will do
        stage.host({ t: [[1, 'HELP']] });
        await stage.sees('ENTER', 'PF03', 'PF04');
        stage.host();
        expect(await end).to.equal(undefined);
      });
    });

    it('when the connection or the session is gone', async () => {
      const stage = new Stage();
      const end = stage.play('ENTER', 'Tab');
      await stage.sees('ENTER');
      stage.breach = 'the connection was lost';
      stage.player.notice();
      expect(await end).to.deep.equal({ step: 2, reason: 'the connection was lost' });
    });

    it('when it is told to, during an answer and during a question', async () => {
      const stage = new Stage();
      const end = stage.play('ENTER');
      await stage.sees('ENTER');
      stage.player.stop('it was stopped');
      expect(await end).to.deep.equal({ step: 1, reason: 'it was stopped' });
      const asking = new Stage({ u: PASSWORD + 1 });
      asking.answer = () => new Promise(() => {});
      const other = asking.play({ txt: '', prompt: 'Password' });
      await eventually(() => asking.asked.length > 0 || undefined);
      asking.player.stop('it was stopped');
      expect(await other).to.deep.equal({ step: 1, reason: 'it was stopped' });
    });

    it('at steps that it does not know, and at places that are not there', async () => {
      for (const [step, reason] of [
        ['enter', 'there is no key or instruction enter'],
        ['move(1,2)', 'there is no key or instruction move(1,2)'],
        ['wait(5)', 'there is no key or instruction wait(5)'],
        ['move(1920)', 'move extends beyond the screen'],
        ['copy(0,1,1,1)', 'copy extends beyond the screen'],
        ['copy(1,1,25,1)', 'copy extends beyond the screen'],
        ['paste(5)', 'nothing was copied before'],
      ] as const) {
        expect(await new Stage().play('Tab', step), step).to.deep.equal({ step: 2, reason });
      }
    });

    it('at more than 10,000 steps, and plays 10,000 without keeping the page waiting', async () => {
      const many = Array.from({ length: 10_001 }, () => 'Tab');
      expect((await new Stage().play(...many))?.reason).to.equal('it has more than 10000 steps');
      const stage = new Stage();
      expect(await stage.play({ txt: '1'.repeat(16_000) }, ...many.slice(2))).to.equal(undefined);
      expect(stage.turns).to.be.greaterThan(1);
    });
  });

  describe('positions', () => {
    const LISTED = {
      t: [
        [1, 'Name'],
        [500, 'one  two'],
        [580, 'three four'],
      ] as [number, string][],
    };

    it('moves to positions counted from 0', async () => {
      const stage = new Stage();
      await stage.play('move(241)', { txt: 'x' });
      expect(shown(stage.model, 241, 1)).to.equal('x');
    });

    it('copies a box of rows and columns counted from 1, and types it elsewhere', async () => {
      const stage = new Stage(LISTED);
      // 500 is row 7, column 21
      expect(await stage.play('copy(7,21,8,23)', 'paste(241)')).to.equal(undefined);
      expect([shown(stage.model, 241, 4), shown(stage.model, 321, 4)]).to.deep.equal(['one ', 'thr ']);
      const part = new Stage(LISTED);
      await part.play('copy(7,21,8,30)', 'paste(241,1,2)');
      expect([shown(part.model, 241, 4), shown(part.model, 321, 4)]).to.deep.equal(['on  ', '    ']);
    });

    it('copies nothing that is not displayed', async () => {
      const stage = new Stage({ u: PASSWORD + 1 });
      await stage.play({ txt: 'hush7' }, 'copy(3,1,3,80)', 'paste(241)');
      expect(shown(stage.model, 241, 160).trim()).to.equal('');
    });
  });

  describe('questions', () => {
    const question = { txt: '', prompt: 'Password' };

    it('are for the field that the cursor is in, and replace what is there', async () => {
      const stage = new Stage();
      stage.model.moveCursor(PASSWORD + 1);
      stage.model.type('old');
      expect(await stage.play('Home', 'Tab', 'Tab', 'Right', question, 'Tab', { txt: 'x' })).to.equal(undefined);
      expect(stage.asked).to.deep.equal(['Password']);
      expect(stage.model.hiddenText(PASSWORD)).to.equal('hush7   ');
      expect(shown(stage.model, TEXT + 1, 1)).to.equal('x');
    });

    it('stay in the field, however long the answer is', async () => {
      const stage = new Stage({ u: PASSWORD + 1 });
      stage.answer = async () => 'eight888';
      expect(await stage.play(question, 'Tab', { txt: 'x' })).to.equal(undefined);
      expect([stage.model.hiddenText(PASSWORD), shown(stage.model, TEXT + 1, 1)]).to.deep.equal(['eight888', 'x']);
    });

    it('are not asked for fields that show what is typed', async () => {
      const stage = new Stage({ u: NAME + 1 });
      expect((await stage.play(question))?.reason).to.include('not in a hidden field');
      expect(stage.asked).to.deep.equal([]);
    });

    it('stop the macro where there is no answer, or none that fits', async () => {
      for (const [answer, reason] of [
        [undefined, 'the question was not answered'],
        ['ninechars', 'the answer is longer than the field'],
      ] as const) {
        const stage = new Stage({ u: PASSWORD + 1 });
        stage.answer = async () => answer;
        expect(await stage.play(question)).to.deep.equal({ step: 1, reason });
        expect(stage.model.hiddenText(PASSWORD).trim()).to.equal('');
      }
    });

    it('type nothing on a screen that has become another', async () => {
      const stage = new Stage({ u: PASSWORD + 1 });
      stage.answer = async () => {
        const shownNow = FIELDS.map((field): FieldTuple => (field[0] === PASSWORD ? [PASSWORD] : field));
        stage.host({ f: shownNow, u: PASSWORD + 1 });
        return 'hush7';
      };
      expect((await stage.play(question))?.reason).to.equal('the host has changed the screen during the question');
      expect(stage.model.cells().join('')).to.not.include('hush7');
    });
  });
});
