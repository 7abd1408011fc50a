import { expect } from 'chai';
import { ScreenText } from '../../../src/tn3270/screen/screen-text.js';

describe('the text of a screen', () => {
  it('has one unit for each position', () => {
    const text = ScreenText.ofCells([...'Name ', '\u6771', '', '\u{20bb7}', '', '!']);
    expect(text.length).to.equal(10);
    expect(text.unitText).to.equal('Name \u6771\u007f\uffff\u007f!');
    expect([...text.wide]).to.deep.equal([[7, '\u{20bb7}']]);
    expect(text.isSimple).to.equal(false);
  });

  it('shows the characters of some positions, and all of them', () => {
    const text = ScreenText.ofCells([...'Name ', '\u6771', '', '\u{20bb7}', '', '!']);
    expect(text.shown).to.equal('Name \u6771\u{20bb7}!');
    expect(text.slice(4, 8)).to.equal(' \u6771\u{20bb7}');
    expect(text.slice(6)).to.equal('\u{20bb7}!');
    expect(text.slice(8, 100)).to.equal('!');
    expect([-1, 0, 6, 7, 10].map((at) => text.cellAt(at))).to.deep.equal(['', 'N', '', '\u{20bb7}', '']);
    expect(text.cells).to.deep.equal([...'Name ', '\u6771', '', '\u{20bb7}', '', '!']);
  });

  it('takes a byte for each position if all characters are Latin 1', () => {
    const text = ScreenText.ofCells([...'stra\u00dfe']);
    expect(text.units).to.be.instanceOf(Uint8Array);
    expect([text.shown, text.slice(3, 5), text.isSimple]).to.deep.equal(['stra\u00dfe', 'a\u00df', true]);
    expect(ScreenText.ofCells(['\u20ac']).units).to.be.instanceOf(Uint16Array);
  });

  it('stays the same while other texts are built', () => {
    const one = ScreenText.ofCells(['\u20ac', 'a']);
    const other = ScreenText.ofCells(['b', '\u25a0']);
    expect([one.shown, other.shown]).to.deep.equal(['\u20aca', 'b\u25a0']);
  });

  it('keeps characters that are signs in the units', () => {
    const text = ScreenText.ofCells(['\u007f', '\uffff', 'a']);
    expect(text.cells).to.deep.equal(['\u007f', '\uffff', 'a']);
  });

  it('is blank, and as long as its screen', () => {
    expect(ScreenText.blank(3).shown).to.equal('   ');
    expect(ScreenText.blank(3).isBlank).to.equal(true);
    expect(ScreenText.ofCells([' ', '']).isBlank).to.equal(false);
  });
});
