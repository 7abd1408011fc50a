import { expect } from 'chai';
import { MacroRecorder } from '../../client/terminal/macros/model/macro-recorder.js';
import type { BrowserTerminal } from '../../client/terminal/model/browser-terminal.js';
import type { MacroStep } from '../../src/macros/macro-step.js';
import type { FieldTuple } from '../../src/terminal/protocol/server-message.js';
import { AMOUNT, change, FIELDS, form, NAME, PASSWORD, press, TEXT, whole } from './modelled-form.js';

const CANARY = 'hush7';

describe('recording of macros', () => {
  function recorded(model: BrowserTerminal, act: (recorder: MacroRecorder) => void): readonly MacroStep[] {
    const recorder = new MacroRecorder(
      (field) => (field === PASSWORD ? 'Password' : `field ${field}`),
      () => undefined,
    );
    model.recording = (performed) => recorder.performed(performed);
    act(recorder);
    model.recording = undefined;
    expect(JSON.stringify(recorder.steps)).to.not.match(/hush|hh|sh7/);
    return recorder.steps;
  }
  const online = () => form({}, { attention: () => {} });
  const question = { txt: '', prompt: 'Password' };

  it('joins characters, and names keys as macro files do', () => {
    const model = online();
    const steps = recorded(model, () => {
      press(model, "'abc", 'Tab', "'1", 'Newline', 'BackTab', 'Home', 'FieldEnd', 'Left', 'Right');
      press(model, 'Up', 'Down', 'Insert', 'Insert', 'BackSpace', 'Delete', 'EraseEOF', 'FieldMark', 'Reset');
      press(model, 'EraseInput', 'Dup', 'PF07');
    });
    expect(steps.slice(0, 10)).to.deep.equal([
      ...[{ txt: 'abc' }, 'Tab', { txt: '1' }, 'NewLine', 'Backtab', 'Home', 'End', 'Left', 'Right', 'Up'],
    ]);
    expect(steps.slice(10)).to.deep.equal([
      ...['Down', 'InsToogle', 'InsToogle', 'Bksp', 'Del', 'ErEof', 'FieldMark', 'Reset', 'ErInput', 'Dup', 'PF7'],
    ]);
  });

  it('has what macros have no key for in keys that they have; nothing of a field that is not displayed', () => {
    const model = online();
    const steps = recorded(model, () => {
      press(model, "'ab c", 'Erase', 'PreviousWord', 'PreviousWord', 'Home', 'Erase', 'DeleteField', 'FieldEnd');
      press(model, 'Tab', 'Tab', `'${CANARY}`, 'Erase', 'PreviousWord', 'DeleteField', 'Erase');
    });
    expect(steps).to.deep.equal([
      ...[{ txt: 'ab c' }, `move(${NAME + 4})`, 'Del', `move(${NAME + 1})`, 'Home', 'ErEof', 'End'],
      ...['Tab', 'Tab', question],
    ]);
  });

  it('has the attention keys, and tells whether there was one', () => {
    for (const [key, step] of [
      ['ENTER', 'ENTER'],
      ['CLEAR', 'CLEAR'],
      ['PA2', 'PA2'],
      ['PF24', 'PF24'],
    ] as const) {
      const model = online();
      let had: unknown[] = [];
      const steps = recorded(model, (recorder) => {
        had = [recorder.hasAttentionKey, press(model, key) && recorder.hasAttentionKey];
      });
      expect([steps, had]).to.deep.equal([[step], [false, true]]);
    }
    const model = online();
    expect(recorded(model, (recorder) => recorder.sent('ATTN'))).to.deep.equal(['ATTN']);
  });

  it('has clicks as positions, the last of several', () => {
    const model = online();
    const steps = recorded(model, () => {
      model.moveCursor(241);
      model.moveCursor(245);
      press(model, "'x");
      model.moveCursor(12);
    });
    expect(steps).to.deep.equal(['move(245)', { txt: 'x' }, 'move(12)']);
  });

  it('asks for what is typed into a field that is not displayed, once', () => {
    const model = online();
    const steps = recorded(model, () => {
      press(model, 'Tab', 'Tab', `'${CANARY}`, 'BackSpace', 'Delete', 'Left', 'Delete', "'hh", 'Home', "'b");
      model.moveCursor(PASSWORD + 3);
      press(model, "'7", 'ENTER');
    });
    expect(steps).to.deep.equal(['Tab', 'Tab', question, 'Home', { txt: 'b' }, `move(${PASSWORD + 1})`, 'ENTER']);
  });

  it('does not tell how long it was', () => {
    const full = online();
    expect(recorded(full, () => press(full, 'Tab', 'Tab', "'hhhhhhhh", "'x"))).to.deep.equal([
      ...['Tab', 'Tab', question, 'Tab', { txt: 'x' }],
    ]);
    const short = online();
    expect(recorded(short, () => press(short, 'Tab', 'Tab', "'hh", ...Array(4).fill('Left')))).to.deep.equal([
      ...['Tab', 'Tab', question, `move(${PASSWORD - 1})`],
    ]);
    const clicked = online();
    const steps = recorded(clicked, () => {
      clicked.moveCursor(PASSWORD + 5);
      press(clicked, "'h", 'Down');
    });
    expect(steps).to.deep.equal([`move(${PASSWORD + 1})`, question, 'Down']);
  });

  it('records what was typed ahead where it comes to stand', () => {
    const model = online();
    const steps = recorded(model, () => {
      press(model, "'ann", 'ENTER');
      // nobody knows yet that the next screen asks for a password
      press(model, "'hush", 'ENTER');
      model.carriedOut();
      const hiddenFirst = FIELDS.map((field): FieldTuple => (field[0] === NAME ? [NAME, 12] : field));
      model.receive(whole({ r: 18, f: hiddenFirst }));
    });
    expect(steps).to.deep.equal([{ txt: 'ann' }, 'ENTER', { txt: '', prompt: 'field 10' }, 'ENTER']);
  });

  it('has pastes as text, but not into what is not displayed', () => {
    const model = online();
    expect(recorded(model, () => model.paste(`bob\t42\t${CANARY}\ttext`))).to.deep.equal([
      ...[{ txt: 'bob' }, `move(${AMOUNT + 1})`, { txt: '42' }, `move(${PASSWORD + 1})`, question],
      ...[`move(${TEXT + 1})`, { txt: 'text' }],
    ]);
  });

  it('has what a password manager fills in as a question', () => {
    const model = online();
    const steps = recorded(model, () => {
      model.moveCursor(PASSWORD + 1);
      press(model, 'EraseEOF', `'${CANARY}`);
    });
    expect(steps).to.deep.equal([`move(${PASSWORD + 1})`, 'ErEof', question]);
  });

  it('leaves out what was refused, and what clears the error', () => {
    const model = online();
    const steps = recorded(model, () => {
      press(model, 'Tab', "'x");
      press(model, 'Reset', "'1");
    });
    expect(steps).to.deep.equal(['Tab', { txt: '1' }]);
  });

  it('goes where the cursor was led by a field that must be filled', () => {
    const mustBeEntered = FIELDS.map((field): FieldTuple => (field[0] === AMOUNT ? [AMOUNT, 16, 0, 0, 0, 2] : field));
    const model = form({ f: mustBeEntered }, { attention: () => {} });
    const steps = recorded(model, () => {
      press(model, "'a", 'ENTER');
      press(model, 'Reset', "'1", 'ENTER');
    });
    expect(steps).to.deep.equal([{ txt: 'a' }, `move(${AMOUNT + 1})`, { txt: '1' }, 'ENTER']);
  });

  it('asks anew on the next screen', () => {
    const model = online();
    const steps = recorded(model, () => {
      press(model, 'Tab', 'Tab', "'h", 'ENTER');
      model.carriedOut();
      model.receive(change(17, { u: PASSWORD + 1 }));
      press(model, "'h", 'ENTER');
    });
    expect(steps).to.deep.equal(['Tab', 'Tab', question, 'ENTER', question, 'ENTER']);
  });

  it('ends at 10,000 steps', () => {
    const model = online();
    const steps = recorded(model, () => {
      for (let step = 0; step <= 10_000; step++) model.press('Tab');
    });
    expect(steps).to.have.length(10_000);
  });
});
