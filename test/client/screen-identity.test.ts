import { expect } from 'chai';
import { MacroRecorder } from '../../client/terminal/macros/model/macro-recorder.js';
import {
  pictureText,
  type RecordedScreen,
  screenIdentity,
} from '../../client/terminal/macros/model/screen-identity.js';
import { BrowserTerminal } from '../../client/terminal/model/browser-terminal.js';
import type { ScreenTexts } from '../../src/macros/macro-step.js';
import type { FieldTuple, TextAt } from '../../src/terminal/protocol/server-message.js';
import { holds } from '../../src/tn3270/conversation/screen-definition.js';
import { imageOf } from './judged-host.js';
import { press, whole } from './modelled-form.js';

/** The texts that the server misses on a screen. */
function missingOn(model: BrowserTerminal, texts: ScreenTexts): ScreenTexts {
  const { rows, columns, cursor } = model;
  const rest = {
    revision: 1,
    erased: 0,
    lock: 0 as const,
    alarms: 0,
    notice: '',
    nulls: new Set<number>(),
    fields: [],
    runs: [],
  };
  const image = imageOf({ ...rest, rows, columns, cursor, cells: model.cells() });
  return texts.filter((text) => !holds(text, image));
}

const none: ReadonlySet<string> = new Set();

/** Protected texts at row and column, from 1, and fields to type in with what stands in them. */
function screen(
  texts: readonly (readonly [row: number, column: number, text: string])[],
  inputs: readonly (readonly [row: number, column: number, length: number, text?: string])[] = [],
): BrowserTerminal {
  const at = (row: number, column: number) => (row - 1) * 80 + column - 1;
  const fields: [number, ...number[]][] = [];
  const shown: TextAt[] = [];
  for (const [row, column, text] of texts) {
    fields.push([at(row, column) - 1, 32]);
    shown.push([at(row, column), text]);
  }
  for (const [row, column, length, text] of inputs) {
    fields.push([at(row, column) - 1], [at(row, column) + length, 48]);
    if (text !== undefined) shown.push([at(row, column), text]);
  }
  const model = new BrowserTerminal({ attention: () => undefined });
  const byPlace = (one: readonly unknown[], other: readonly unknown[]) => Number(one[0]) - Number(other[0]);
  const f = fields.sort(byPlace) as unknown as readonly FieldTuple[];
  expect(model.receive(whole({ t: shown.sort(byPlace), f, u: 0 }))).to.equal(true);
  return model;
}

function picture(model: BrowserTerminal): RecordedScreen {
  return { columns: model.columns, cells: model.cells(), fields: model.fields };
}

const identity = (model: BrowserTerminal, typed: ReadonlySet<string> = none) =>
  screenIdentity(picture(model), typed)?.map(({ row, column, text }) => `${row},${column} ${text}`);

describe('what tells a screen from others', () => {
  it('is its title, its labels and what keys do', () => {
    const menu = screen(
      [
        [1, 2, 'MENU'],
        [1, 30, 'Payments of the north'],
        [3, 2, 'Option ===>'],
        [8, 4, 'Account number . .'],
        [9, 4, 'New limit  .'],
        [10, 4, 'Currency'],
        [22, 2, 'There is no such option'],
        [24, 2, 'ENTER=Select   F3=Log off'],
      ],
      [
        [3, 14, 8],
        [8, 24, 8],
        [9, 24, 8],
        [10, 14, 3],
      ],
    );
    expect(identity(menu)).to.deep.equal([
      ...[
        '1,2 MENU',
        '1,30 Payments of the north',
        '3,2 Option',
        '8,4 Account number',
        '9,4 New limit',
        '10,4 Currency',
      ],
      ...['24,2 ENTER=Select', '24,17 F3=Log off'],
    ]);
  });

  it('has no dates, times, names of terminals and values in it', () => {
    const busy = screen([
      [1, 2, 'ACCT'],
      [1, 30, 'Sunday'],
      [1, 60, '22 NOV 2026'],
      [2, 2, 'LU: TERM0012'],
      [2, 30, 'User . . : ANNA'],
      [3, 2, 'Name . . . . :'],
      [3, 22, 'ADA LOVELACE'],
      [4, 2, 'Time'],
      [4, 22, '10:22:13'],
      [5, 2, 'Printed:   Monday'],
    ]);
    expect(identity(busy)).to.deep.equal(['1,2 ACCT', '2,2 LU', '2,30 User', '3,2 Name', '5,2 Printed']);
  });

  it('has nothing of input fields, and nothing that was typed', () => {
    const greeting = screen(
      [
        [1, 2, 'WELCOME ANNA'],
        [1, 40, 'Main menu'],
        [3, 2, 'Option ===>'],
      ],
      [[3, 14, 8, 'hushhush']],
    );
    expect(identity(greeting, new Set(['anna']))).to.deep.equal(['1,40 Main menu', '3,2 Option']);
    const unformatted = new BrowserTerminal();
    unformatted.receive(whole({ t: [[1, 'READY']], f: [] }));
    expect(identity(unformatted)).to.equal(undefined);
    expect(identity(screen([[1, 2, '0815']]))).to.equal(undefined);
  });

  it('holds where everything of it stands in its place', () => {
    const menu = screen([
      [1, 2, 'MENU'],
      [24, 2, 'F3=Exit'],
    ]);
    const texts = screenIdentity(picture(menu), none) ?? [];
    expect(missingOn(menu, texts)).to.deep.equal([]);
    const other = screen([
      [1, 3, 'MENU'],
      [24, 2, 'F3=Exit'],
    ]);
    expect(missingOn(other, texts)).to.deep.equal([{ text: 'MENU', row: 1, column: 2 }]);
    const beyond = { text: 'MENU', row: 99, column: 2 };
    expect(missingOn(menu, [beyond])).to.deep.equal([beyond]);
    expect(pictureText(picture(menu)).split('\n')).to.deep.equal([' MENU', ...Array(22).fill(''), ' F3=Exit']);
  });

  it('stands in a recording before the first step on each screen', () => {
    const model = screen([[1, 2, 'MENU']], [[3, 14, 8]]);
    const recorder = new MacroRecorder(
      () => '',
      () => screenIdentity(picture(model), none),
    );
    model.recording = (performed) => recorder.performed(performed);
    press(model, 'Tab', "'2", 'ENTER');
    model.carriedOut();
    const texts: TextAt[] = [[1, 'ACCT']];
    model.receive(whole({ r: 18, t: texts, f: [[0, 32], [200], [210, 48]], u: 201 }));
    press(model, "'1");
    // the host writes unasked
    model.receive(whole({ r: 19, t: [[1, 'HELP']], f: [[0, 32], [200], [210, 48]], u: 201 }));
    press(model, 'PF03');
    const on = (text: string) => ({ txt: '', screen: [{ text, row: 1, column: 2 }] });
    expect(recorder.steps).to.deep.equal([
      ...[on('MENU'), 'Tab', { txt: '2' }, 'ENTER'],
      ...[on('ACCT'), { txt: '1' }, on('HELP'), 'PF3'],
    ]);
  });
});
