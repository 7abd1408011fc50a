import { expect } from 'chai';
import type { MacroStep } from '../../src/macros/macro-step.js';
import type { ScreenChoice } from '../../src/tn3270/screen/screen-condition.js';
import { eventually } from '../support/eventually.js';
import { PASSWORD, sent, shown } from './modelled-form.js';
import { Stage } from './played-macro.js';

const on = (text: string): ScreenChoice => [[{ text, row: 1, column: 2 }]];
const expecting = (screens: ScreenChoice, within = 600): MacroStep => ({ txt: '', expect: screens, within });

describe('macros that look', () => {
  it('expect one of several screens, and press keys on no other', async () => {
    const stage = new Stage();
    const end = stage.play(expecting([...on('Menu'), ...on('Name')]), 'ENTER', expecting(on('ACCT'), 1), 'PF3');
    await stage.sees('ENTER');
    expect(stage.player.screens, 'the next key is for whatever is expected next').to.not.deep.equal(on('Name'));
    stage.host({ t: [[1, 'HELP']] });
    expect(await end).to.deep.equal({
      step: 3,
      reason: 'another screen appeared',
      expected: 'a screen with "ACCT" in row 1, column 2',
      otherScreen: { missing: on('ACCT'), picture: ' HELP' },
    });
    expect(stage.keys).to.deep.equal(['ENTER']);
  });

  it('say of each screen what is missing', async () => {
    const stage = new Stage({}, 5_000, 0);
    const screens: ScreenChoice = [
      [
        { text: 'Name', row: 1 },
        { text: 'F3=Exit', row: -1 },
      ],
      [{ not: { text: 'Name' } }, { blank: true }],
    ];
    const end = await stage.play({ txt: '', expect: screens, within: 1 }, 'ENTER');
    expect(end?.expected).to.equal('a screen with "F3=Exit" in row 1 from the bottom or not "Name"');
    expect(end?.otherScreen?.missing).to.deep.equal([
      [{ text: 'F3=Exit', row: -1 }],
      [{ not: { text: 'Name' } }, { blank: true }],
    ]);
  });

  it('do not go on where the server has not pressed a key, although the screen is the right one again', async () => {
    const stage = new Stage();
    const end = stage.play(expecting(on('Name')), 'ENTER', 'PF3');
    await stage.sees('ENTER');
    stage.refuse();
    expect(await end).to.deep.equal({
      step: 3,
      reason: 'the host changed the screen when the key was pressed, and the key was not sent',
    });
    expect(stage.keys).to.deep.equal(['ENTER']);
  });

  it('tell the picture where the server has not pressed a key, and the screen is another one', async () => {
    const stage = new Stage();
    const end = stage.play(expecting(on('Name')), 'ENTER', 'PF3');
    await stage.sees('ENTER');
    stage.host({ t: [[1, 'NEWS']] });
    stage.refuse();
    expect((await end)?.otherScreen).to.deep.equal({ missing: on('Name'), picture: ' NEWS' });
  });

  it('wait for a text, whatever the keyboard does meanwhile', async () => {
    const stage = new Stage({ l: 1 });
    const end = stage.play({ txt: '', wait: { text: 'ended' }, within: 600 }, 'PF3');
    stage.host({ t: [[1, 'runs']], l: 1 });
    stage.host({ t: [[1, 'runs']] });
    stage.host({ t: [[1, 'ended']] });
    await stage.sees('PF03');
    stage.host();
    expect(await end).to.equal(undefined);
  });

  it('stop where the text does not come', async () => {
    const end = await new Stage().play({ txt: '', wait: { text: 'ended', row: 2 }, within: 1 }, 'PF3');
    expect([end?.reason, end?.expected]).to.deep.equal([
      'the text did not appear within 1 second',
      'a screen with "ended" in row 2',
    ]);
  });

  it('take one way or the other', async () => {
    const branch: MacroStep = { txt: '', if: on('Name'), steps: [{ txt: 'a' }], else: [{ txt: 'b' }] };
    for (const [text, typed] of [
      ['Name', 'a'],
      ['Nome', 'b'],
    ] as const) {
      const stage = new Stage({ t: [[1, text]] });
      expect(await stage.play(branch, { txt: 'c' })).to.equal(undefined);
      expect(sent(stage.model)).to.deep.equal([['V000000B', `${typed}c`]]);
      expect(stage.progress, 'steps are numbered as they stand in the editor').to.deep.equal(
        typed === 'a' ? [1, 2, 4] : [1, 3, 4],
      );
    }
    const stage = new Stage();
    await stage.play({ txt: '', if: on('HELP'), steps: [{ txt: 'a' }] }, { txt: 'c' });
    expect(shown(stage.model, 11, 2)).to.equal('c ');
  });

  it('repeat steps until a screen is there, looked at before each time', async () => {
    const stage = new Stage();
    const end = stage.play({ txt: '', repeat: 5, until: on('END'), steps: ['PF8'] }, 'PF3');
    await stage.sees('PF08');
    stage.host();
    await stage.sees('PF08', 'PF08');
    stage.host({ t: [[1, 'END']] });
    await stage.sees('PF08', 'PF08', 'PF03');
    stage.host();
    expect(await end).to.equal(undefined);
    const there = new Stage({ t: [[1, 'END']] });
    expect(await there.play({ txt: '', repeat: 5, until: on('END'), steps: ['PF8'] })).to.equal(undefined);
    expect(there.keys).to.deep.equal([]);
  });

  it('stop where a loop has gone round as often as it may, and not where it has no end to wait for', async () => {
    const stage = new Stage();
    const end = await stage.play({ txt: '', repeat: 3, until: on('END'), steps: ['Tab'] }, { txt: 'x' });
    expect([end?.step, end?.reason]).to.deep.equal([1, 'the loop ran 3 times, and its end condition was not met']);
    expect(end?.otherScreen?.missing).to.deep.equal(on('END'));
    const counted = new Stage();
    expect(await counted.play({ txt: '', repeat: 3, steps: [{ txt: 'x' }] })).to.equal(undefined);
    expect(shown(counted.model, 11, 4)).to.equal('xxx ');
  });

  it('play 100,000 steps at most, however loops are put into one another', async () => {
    const loop = (steps: readonly MacroStep[]): MacroStep => ({ txt: '', repeat: 1_000, steps });
    const end = await new Stage().play(loop([loop(['Tab'])]));
    expect(end?.reason).to.equal('it has played 100000 steps, the maximum for macros');
  }).timeout(20_000);

  it('use what the user answers and what the screen shows, and keep nothing of it', async () => {
    const stage = new Stage({
      t: [
        [1, 'Name'],
        [500, 'ADA  LOVELACE '],
      ],
    });
    stage.answer = async () => '7';
    const end = await stage.play(
      { txt: '', ask: 'Account', variable: 'account' },
      // 500 is row 7, column 21
      { txt: '', read: [7, 21, 7, 33], variable: 'name' },
      'move(241)',
      { txt: '', type: '{{{account}}}: {name}' },
    );
    expect([end, stage.asked]).to.deep.equal([undefined, ['Account']]);
    expect(shown(stage.model, 241, 20).trim()).to.equal('{7}: ADA  LOVELACE');
  });

  it('read nothing that is not displayed, and stop at a place that the screen does not have', async () => {
    const stage = new Stage({ u: PASSWORD + 1 });
    await stage.play({ txt: '', prompt: 'Password' }, { txt: '', read: [3, 1, 3, 20], variable: 'word' }, 'move(241)', {
      txt: '',
      type: '<{word}>',
    });
    expect(shown(stage.model, 241, 4)).to.equal('<>  ');
    const end = await new Stage().play({ txt: '', read: [24, 1, 25, 1], variable: 'word' });
    expect(end).to.deep.equal({ step: 1, reason: 'read extends beyond the screen' });
  });

  it('stop at a variable that was not set, and where a question is not answered', async () => {
    const unset: MacroStep = { txt: '', if: on('HELP'), steps: [{ txt: '', ask: 'x', variable: 'a' }] };
    expect(await new Stage().play(unset, { txt: '', type: '{a}' })).to.deep.equal({
      step: 3,
      reason: 'the variable a was not set',
    });
    const stage = new Stage();
    stage.answer = async () => undefined;
    expect((await stage.play({ txt: '', ask: 'x', variable: 'a' }))?.reason).to.equal('the question was not answered');
  });

  it('type no more than texts may have, however long the values are', async () => {
    const stage = new Stage({ u: 241 });
    stage.answer = async () => '1'.repeat(160);
    const text = '{a}'.repeat(103);
    const end = await stage.play({ txt: '', ask: 'x', variable: 'a' }, { txt: '', type: text });
    expect(end).to.deep.equal({ step: 2, reason: 'the text is too long for a macro' });
    expect(shown(stage.model, 241, 1)).to.equal(' ');
  });

  it('mean by new members nothing where they stand beside a text', async () => {
    const stage = new Stage();
    const foreign = { txt: 'ab', type: 'text', if: 'x' } as unknown as MacroStep;
    expect(await stage.play(foreign)).to.equal(undefined);
    expect(shown(stage.model, 11, 3)).to.equal('ab ');
  });

  describe('step through', () => {
    const steps: readonly MacroStep[] = [
      { txt: 'a' },
      { txt: '', if: on('Name'), steps: [{ txt: 'b' }] },
      { txt: 'c' },
    ];

    it('show each step before it is played', async () => {
      const stage = new Stage({}, 5_000, undefined, []);
      expect(await stage.play(...steps)).to.equal(undefined);
      expect(stage.shownSteps).to.deep.equal(['"a"', 'if text("Name",1,2)', '"b"', '"c"']);
    });

    it('go on without asking, or stop', async () => {
      const on = new Stage({}, 5_000, undefined, ['playOne', 'playOn']);
      expect(await on.play(...steps)).to.equal(undefined);
      expect([on.shownSteps.length, shown(on.model, 11, 3)]).to.deep.equal([2, 'abc']);
      const stopped = new Stage({}, 5_000, undefined, ['playOne', 'stop']);
      expect(await stopped.play(...steps)).to.deep.equal({ step: 2, reason: 'it was stopped' });
      expect(shown(stopped.model, 11, 3)).to.equal('a  ');
    });

    it('show the next one when the host has answered', async () => {
      const stage = new Stage({}, 5_000, undefined, []);
      const end = stage.play('ENTER', 'PF3');
      await stage.sees('ENTER');
      expect(stage.shownSteps).to.deep.equal(['key(ENTER)']);
      stage.host();
      await eventually(() => stage.shownSteps.length === 2 || undefined);
      await stage.sees('ENTER', 'PF03');
      stage.host();
      expect(await end).to.equal(undefined);
    });
  });
});
