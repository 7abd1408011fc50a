import { expect } from 'chai';
import { nearestName } from '../src/nearest-name.js';

describe('nearestName', () => {
  const known = ['directories', 'lines', 'log', 'entryPoint'];

  it('finds a name with a letter too many, too few, wrong, or two exchanged', () => {
    expect(nearestName('directoriess', known)).to.equal('directories');
    expect(nearestName('line', known)).to.equal('lines');
    expect(nearestName('lires', known)).to.equal('lines');
    expect(nearestName('lgo', known)).to.equal('log');
    expect(nearestName('entrypoint', known)).to.equal('entryPoint');
  });

  it('finds none where nothing is near, or the name is over 64 characters', () => {
    expect(nearestName('colour', known)).to.equal(undefined);
    const name = 'a'.repeat(64);
    expect(nearestName(name, [`${name.slice(1)}b`])).to.equal(`${name.slice(1)}b`);
    expect(nearestName(`${name}a`, [name])).to.equal(undefined);
  });
});
