import { expect } from 'chai';
import { printableText } from '../../src/cli/output.js';

describe('printableText', () => {
  it('spells out what a terminal would obey and leaves text, line ends and tabs alone', () => {
    expect(printableText('\x1b[2Jred\x07\x9b1m \u202eabc\u2069 é\t漢字\r\n')).to.equal(
      '\\u001b[2Jred\\u0007\\u009b1m \\u202eabc\\u2069 é\t漢字\\u000d\n',
    );
  });
});
