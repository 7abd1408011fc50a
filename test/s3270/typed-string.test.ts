import { expect } from 'chai';
import { readTypedString } from '../../src/s3270/actions/keys.js';
import { findCodePage } from '../../src/tn3270/codepage/code-pages.js';

/** The escapes are those of s3270's String. */
describe('texts that scripts type', () => {
  const codePage = findCodePage('IBM037');
  const mixed = findCodePage('IBM930');
  if (codePage === undefined || mixed === undefined) throw new Error('code pages are missing');
  const read = (written: string) => readTypedString(written, codePage);
  const pieces = (...value: object[]) => ({ kind: 'read', value });

  it('press keys between characters', () => {
    expect(read('a\\tb\\nc')).to.deep.equal(
      pieces({ text: 'a' }, { key: 'Tab' }, { text: 'b' }, { key: 'Enter' }, { text: 'c' }),
    );
    expect(read('\\T\\r\\f\\b')).to.deep.equal(
      pieces({ key: 'BackTab' }, { key: 'Newline' }, { key: 'Clear' }, { key: 'Left' }),
    );
    expect(read('\\pf24\\pa3')).to.deep.equal(pieces({ key: 'PF24' }, { key: 'PA3' }));
    expect(read('a\\pf25b')).to.deep.equal(pieces({ text: 'a' }, { fault: 'Unknown PF key 25' }, { text: 'b' }));
    expect(read('\\pa4')).to.deep.equal(pieces({ fault: 'Unknown PA key 4' }));
  });

  it('name characters by code points and by EBCDIC codes', () => {
    expect(read('\\x41\\u00e9\\101\\\\')).to.deep.equal(pieces({ text: 'AéA\\' }));
    expect(read('\\eC1')).to.deep.equal(pieces({ text: 'A', isCode: true }));
    // X'4481' is hiragana A in the double-byte half of page 930
    expect(readTypedString('\\e4481', mixed)).to.deep.equal(pieces({ text: 'あ', isCode: true }));
  });

  it('are bounded', () => {
    expect(read('x'.repeat(100_000)).kind).to.equal('read');
    expect(read('x'.repeat(100_001)).kind).to.equal('fault');
  });
});
