import { expect } from 'chai';
import { findTerminalCodePage } from '../../../src/tn3270/codepage/code-pages.js';
import { TerminalTransfer } from '../../../src/tn3270/file-transfer/terminal-transfer.js';
import { Terminal } from './terminal.js';

/** Erase/Write Alternate with the keyboard restored, from the first position on. */
const alternate = '7e c3 11 4040';
/** A request for data: an unprotected field from the second position on, and its sequence. */
const request = 'c2 1d4d 40 c1';
/** The mark: protected, numeric and non-displayable, at position 1,919. */
const mark = '11 5d7f 1d 7c';

/** Which larger screens are frames of CUT (models 3, 4 and 5). */
describe('frames of a transfer on larger screens', () => {
  function sending(model = '3278-4-E'): Terminal {
    const codePage = findTerminalCodePage('cp037');
    if (codePage === undefined) throw new Error('no code page');
    const terminal = new Terminal({ model });
    terminal.screen.transfer = new TerminalTransfer({
      file: Buffer.from('AB'),
      rules: { text: false, lines: false, codePage: undefined },
      mostBytes: 100,
      bufferBytes: 0,
      codePage,
    });
    return terminal;
  }

  for (const model of ['3278-3-E', '3278-4-E', '3278-5-E']) {
    it(`answers a request for data: ${model}`, () => {
      const terminal = sending(model);
      expect(terminal.host(`${alternate} ${request} ${mark}`)).to.equal(undefined);
      // Enter, cursor at 0, field at 2: blank, sequence, checksum and length (3) as s3270 codes them, selector 7E, two letters
      expect(terminal.sent).to.deep.equal(['7d4040 1140c2 40c1 f3 8184 7ec1c2'.replaceAll(' ', '')]);
    });
  }

  for (const [what, record] of [
    ['text of an application', `${alternate} c1c2c3c4 ${mark}`],
    ['a type that no frame has', `${alternate} 99 ${mark}`],
    ['a request without its field', `${alternate} c2 40 40 c1 ${mark}`],
    ['a control code that no frame has', `${alternate} c3 81 8182 ${mark}`],
    ['a field after the mark', `${alternate} ${request} ${mark} 11 6050 1d f0`],
    ['an attribute that does not skip', `${alternate} ${request} 11 5d7f 1d 40`],
    ['a locked keyboard', `7e c1 11 4040 ${request} ${mark}`],
  ] as const) {
    it(`leaves a screen alone that is none: ${what}`, () => {
      const terminal = sending();
      if (what === 'a locked keyboard') terminal.screen.state.operator.waitingForHost = true;
      expect(terminal.host(record)).to.equal(undefined);
      expect(terminal.sent).to.deep.equal([]);
    });
  }
});
