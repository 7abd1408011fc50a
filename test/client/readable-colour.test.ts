import { expect } from 'chai';
import { lettersOn, mixed, readable } from '../../client/terminal/readable-colour.js';

describe('colours of one’s own', () => {
  it('stay where they can be read', () => {
    // black on white is 21:1, and #767676 on white the last grey with 4.5:1 (WCAG)
    expect(readable('#000000', ['#ffffff'])).to.equal('#000000');
    expect(readable('#767676', ['#ffffff'])).to.equal('#767676');
  });

  it('become darker on what is light, and lighter on what is dark, where they cannot be', () => {
    const [red = '', green = '', blue = ''] = readable('#7a7a7a', ['#ffffff']).match(/[\da-f]{2}/g) ?? [];
    expect(new Set([red, green, blue])).to.have.length(1);
    expect(Number.parseInt(red, 16)).to.be.within(0x60, 0x76);
    expect(Number.parseInt(readable('#333333', ['#000000']).slice(1, 3), 16)).to.be.within(0x74, 0x90);
  });

  it('are read on each of several backgrounds', () => {
    expect(readable('#767676', ['#ffffff', '#cccccc'])).to.not.equal('#767676');
    expect(readable('#ffffff', ['#ffffff', '#ffffff'])).to.match(/^#[0-7]/);
  });

  it('are mixed channel by channel', () => {
    expect(mixed('#000000', '#ff8040', 0.5)).to.equal('#804020');
    expect(lettersOn('#123456')).to.equal('#ffffff');
    expect(lettersOn('#ffee00')).to.equal('#000000');
  });
});
