import { expect } from 'chai';
import { readAs } from '../../../src/lib/read-outcome.js';
import { readStrokes } from '../../../src/tn3270/conversation/act.js';

describe('a text with keys in brackets', () => {
  it('is text and keys, whatever a key is called; [[ is a bracket', () => {
    expect(readStrokes('[delete][tab]s[pf18]')).to.deep.equal(
      readAs([{ key: 'Delete' }, { key: 'Tab' }, { text: 's' }, { key: 'PF18' }]),
    );
    expect(readStrokes('a[[1]')).to.deep.equal(readAs([{ text: 'a[1]' }]));
    expect(readStrokes('')).to.deep.equal(readAs([]));
  });

  it('says what is wrong with it', () => {
    expect(readStrokes('a[b'))
      .to.have.property('fault')
      .that.matches(/not closed/);
    expect(readStrokes('[nosuch]'))
      .to.have.property('fault')
      .that.matches(/no key \[nosuch\]/);
  });
});
