import { expect } from 'chai';
import { BrowserTerminal, type BrowserTerminalOptions } from '../../client/terminal/model/browser-terminal.js';
import type { DifferenceMessage, FieldTuple, WholeScreenMessage } from '../../src/terminal/protocol/server-message.js';

/** Attribute addresses of the form; its first characters stand behind. */
export const NAME = 10;
export const AMOUNT = 80;
export const PASSWORD = 160;
export const TEXT = 240;

/**
 * Protected "Name" at 1–, an input field of 5 from 11 to 15 with autoskip behind, a numeric one of 3 from 81, a
 * non-displayable one of 8 from 161, and one of 160, over three rows, from 241.
 */
export const FIELDS: readonly FieldTuple[] = [
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

export function whole(members: Partial<WholeScreenMessage> = {}): WholeScreenMessage {
  return { k: 's', r: 17, n: 24, c: 80, u: 11, l: 0, t: [[1, 'Name']], f: FIELDS, ...members };
}

export function change(b: number, members: Partial<DifferenceMessage> = {}): DifferenceMessage {
  return { k: 'd', b, r: b + 1, u: 11, l: 0, ...members };
}

export function form(members: Partial<WholeScreenMessage> = {}, options: BrowserTerminalOptions = {}): BrowserTerminal {
  const model = new BrowserTerminal(options);
  expect(model.receive(whole(members))).to.equal(true);
  return model;
}

export function press(model: BrowserTerminal, ...keys: readonly string[]): BrowserTerminal {
  for (const key of keys) {
    if (key.startsWith("'")) model.type(key.slice(1));
    else expect(model.press(key), key).not.to.equal(undefined);
  }
  return model;
}

export const shown = (model: BrowserTerminal, start: number, length: number) =>
  model
    .cells()
    .slice(start, start + length)
    .join('');
export const sent = (model: BrowserTerminal) => model.formFor().fields.map(({ id, text }) => [id, text]);
