import { expect } from 'chai';
import { BrowserTerminal, type BrowserTerminalOptions } from '../../client/terminal/model/browser-terminal.js';
import { SentScreen } from '../../src/terminal/protocol/sent-screen.js';
import { decodeServerMessage, type ScreenMessage } from '../../src/terminal/protocol/server-message.js';
import { Terminal } from '../tn3270/screen/terminal.js';
import { press } from './modelled-form.js';

/** The terminal of a browser over the terminal of the server: what the host gets of what is typed in the page. */
class Page {
  readonly terminal = new Terminal();
  readonly model: BrowserTerminal;
  readonly #sent = new SentScreen();

  constructor(record: string, options: BrowserTerminalOptions = {}) {
    this.model = new BrowserTerminal(options);
    this.host(record);
  }

  host(record: string): void {
    this.terminal.host(record);
    const text = this.#sent.update(this.terminal.screen.image, { lock: 0, notice: '' });
    expect(this.model.receive(decodeServerMessage(text) as ScreenMessage)).to.equal(true);
  }

  /** What Enter sends. */
  enter(): string | undefined {
    const { cursor, fields } = this.model.formFor();
    const entries = fields.map(({ address, text }) => ({ address, text, modifies: true }));
    const refusal = this.terminal.screen.enterForm({ entries, cursor, sendsFields: true, tellsNulls: true });
    expect(refusal).to.equal(undefined);
    this.terminal.press('Enter');
    this.model.submitted();
    return this.terminal.sent.at(-1);
  }
}

/** A field of 10 at position 1, cursor in it, then a protected one. */
const EMPTY = 'f5c3 114040 1d40 13 11404b 1d60';
const filled = (text: string) => `f5c3 114040 1d40 13 ${text} 11404b 1d60`;
const to = (column: number) => Array.from({ length: column }, () => 'Right');

describe('blank fill of the terminal page', () => {
  it('is off: text in the middle of an empty field arrives without blanks before it', () => {
    const page = new Page(EMPTY);
    press(page.model, ...to(3), "'DEMO");
    // Enter, cursor at 8, field at 1: DEMO
    expect(page.enter()).to.equal('7d40c8 1140c1 c4c5d4d6'.replaceAll(' ', ''));
    // the nulls are where they were: what the host does not erase stays in its place
    expect(page.terminal.codes(1, 10)).to.equal('000000c4c5d4d6000000');
  });

  it('sends blanks that were typed, and leaves out only what nobody typed', () => {
    const page = new Page(EMPTY);
    press(page.model, "'A ", ...to(2), "'B");
    expect(page.enter()).to.equal('7d40c6 1140c1 c140c2'.replaceAll(' ', ''));
    expect(page.terminal.codes(1, 6)).to.equal('c1400000c200');
  });

  it('keeps the nulls that the host has before its text, and its blanks', () => {
    const page = new Page(filled('000000 c1 40 c2'));
    press(page.model, ...to(6), "'X");
    expect(page.enter()).to.equal('7d40c8 1140c1 c140c2e7'.replaceAll(' ', ''));
    expect(page.terminal.codes(1, 10)).to.equal('000000c140c2e7000000');
  });

  it('knows which blanks became nulls, and which nulls became blanks, of a change', () => {
    const page = new Page(filled('000000 c1'));
    page.host('f1c3 1140c1 404000');
    press(page.model, ...to(4), "'X");
    expect(page.enter()).to.equal('7d40c6 1140c1 4040c1e7'.replaceAll(' ', ''));
    page.host('f1c3 1140c1 004000 1140c1 13');
    press(page.model, ...to(5), "'Y");
    expect(page.enter()).to.equal('7d40c7 1140c1 40c1e7e8'.replaceAll(' ', ''));
  });

  it('inserts over nulls within a field, and over no underscore', () => {
    const page = new Page(filled('c1c26d 0000 c3'));
    press(page.model, 'Insert', "'xy");
    expect(page.enter()).to.equal('7d40c3 1140c1 a7a8c1c26dc3'.replaceAll(' ', ''));
    const full = new Page(filled('c1c26d6d 6d6d 6d6d 6d6d'));
    press(full.model, 'Insert', "'x");
    expect(full.model.operatorError).to.equal('tooMuchEntered');
  });

  it('types in the middle of a password, too', () => {
    const page = new Page('f5c3 114040 1d4c 13 11404b 1d60');
    press(page.model, ...to(2), "'pw");
    expect(page.enter()).to.equal('7d40c5 1140c1 97a6'.replaceAll(' ', ''));
  });

  it('sends what is erased on a screen without fields as nothing', () => {
    const page = new Page('f5c3 c1c2c3 114040 13');
    press(page.model, 'EraseEOF');
    press(page.model, ...to(2), "'x");
    expect(page.enter()).to.equal('7d40c3a7');
  });

  describe('is on', () => {
    const on = { blankFill: () => true };

    it('fills with blanks from the start of the field on', () => {
      const page = new Page(EMPTY, on);
      press(page.model, ...to(3), "'DEMO");
      expect(page.enter()).to.equal('7d40c8 1140c1 404040c4c5d4d6'.replaceAll(' ', ''));
    });

    it('inserts over blanks at the end of the field, and loses no underscore', () => {
      const page = new Page(filled('c1c26d6d 4040 4040 4040'), on);
      press(page.model, 'Insert', "'x");
      expect(page.enter()).to.equal('7d40c2 1140c1 a7c1c26d6d'.replaceAll(' ', ''));
      const full = new Page(filled('c1c26d6d 6d6d 6d6d 6d6d'), on);
      press(full.model, 'Insert', "'x");
      expect(full.model.operatorError).to.equal('tooMuchEntered');
    });
  });
});

describe('U+0000 of a form', () => {
  it('is refused where texts do not tell nulls', () => {
    const terminal = new Terminal();
    terminal.host(EMPTY);
    const form = { entries: [{ address: 1, text: '\u0000A' }], cursor: undefined, sendsFields: true };
    expect(terminal.screen.enterForm(form)).to.deep.equal({ address: 1, reason: 'untypable' });
    expect(terminal.screen.enterForm({ ...form, tellsNulls: true })).to.equal(undefined);
    expect(terminal.codes(1, 3)).to.equal('00c100');
  });

  it('counts as a position: as many as the field has, and no more', () => {
    const terminal = new Terminal();
    terminal.host(EMPTY);
    const form = (text: string) => ({
      entries: [{ address: 1, text }],
      cursor: undefined,
      sendsFields: true,
      tellsNulls: true,
    });
    expect(terminal.screen.enterForm(form(`${'\u0000'.repeat(9)}A`))).to.equal(undefined);
    expect(terminal.codes(1, 10)).to.equal('000000000000000000c1');
    expect(terminal.screen.enterForm(form(`${'\u0000'.repeat(10)}A`))).to.deep.equal({ address: 1, reason: 'tooLong' });
    expect(terminal.screen.enterForm(form('\u0001'))).to.deep.equal({ address: 1, reason: 'untypable' });
  });
});
