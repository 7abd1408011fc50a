import { expect } from 'chai';
import { indistinct } from '../../src/conversation/screen-definition.js';
import { Terminal } from '../screen/terminal.js';

describe('definitions of screens', () => {
  it('that hold on the same picture are told, each pair once, with the first such picture', () => {
    const { image } = new Terminal().screen;
    const definitions = [
      { name: 'BLANK', conditions: [{ blank: true }] },
      { name: 'TITLED', conditions: [{ text: 'MENU', row: 1 }] },
      { name: 'UNFORMATTED', conditions: [{ fields: 0 }] },
      { name: 'NONE', conditions: [] },
    ] as const;
    expect(indistinct(definitions, [image, image])).to.deep.equal([{ names: ['BLANK', 'UNFORMATTED'], image: 0 }]);
  });
});
