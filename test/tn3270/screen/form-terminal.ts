import { expect } from 'chai';
import type { FormEntry, FormRefusal } from '../../../src/tn3270/screen/form-entry.js';
import { Terminal, type TerminalOptions } from './terminal.js';

export const packed = (text: string) => text.replaceAll(' ', '');

/** Enters a form that Enter is to send. */
export function enter(
  terminal: Terminal,
  entries: readonly FormEntry[],
  { cursor, sendsFields = true }: { cursor?: number; sendsFields?: boolean } = {},
): FormRefusal | undefined {
  return terminal.screen.enterForm({ entries, cursor, sendsFields });
}

/** What Enter sends. */
export function sentBy(terminal: Terminal, key = 'Enter'): string | undefined {
  terminal.sent.length = 0;
  terminal.press(key);
  return terminal.sent.at(-1);
}

/** Everything that could have changed. */
export function everything({ screen }: Terminal): string {
  const { space, operator, aid, replyMode } = screen.state;
  const planes = Object.values(space.planes).filter((plane) => ArrayBuffer.isView(plane));
  expect(planes.length, 'planes there are').to.be.greaterThan(5);
  const { waitingForHost, operatorError, noPartner, insertMode } = operator;
  return JSON.stringify([
    planes.map((plane) => Buffer.from(plane.buffer, plane.byteOffset, plane.byteLength).toString('hex')),
    [space.rows, space.columns, space.cursor, space.formatted, aid, replyMode],
    [waitingForHost, operatorError, noPartner, insertMode],
  ]);
}

export function refuses(terminal: Terminal, entries: readonly FormEntry[], expected: FormRefusal): void {
  const before = everything(terminal);
  expect(enter(terminal, entries)).to.deep.equal(expected);
  expect(everything(terminal), 'nothing has changed').to.equal(before);
}

/**
 * Attribute at 0, an empty field of four at 1, protected "LAB" at 6, a field with "abc" and two blanks at 10, protected from 15 on.
 * The cursor is at 1.
 */
export const FORM = 'f5c3 1d40 13 00000000 1d60 d3c1c2 1d40 818283 4040 1d60';
export const EMPTY = 1;
export const LABEL = 6;
export const FILLED = 10;

export function form(options: TerminalOptions = {}): Terminal {
  return hosted(FORM, options);
}

export function hosted(record: string, options: TerminalOptions = {}): Terminal {
  const terminal = new Terminal(options);
  expect(terminal.host(record), 'the record').to.equal(undefined);
  return terminal;
}
