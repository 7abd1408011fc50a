import { expect } from 'chai';
import { addressOfField, addressOfPosition } from '../../src/sessions/submit.js';

describe('ids of fields in forms', () => {
  it('is read with any number of digits, in any case', () => {
    for (const id of ['V1F', 'V1f', 'v001f', 'V000001F', `V${'0'.repeat(50)}1F`, 'P000001F']) {
      expect(addressOfPosition(id), id).to.equal(0x1f);
    }
    expect(addressOfPosition('V0')).to.equal(0);
    expect(addressOfPosition('V0000000')).to.equal(0);
    expect(addressOfPosition('VFFFFFFFF')).to.equal(0xffff_ffff);
    for (const id of ['V1FFFFFFFF', 'VFFFFFFFFF', `V${'F'.repeat(300)}`]) {
      expect(addressOfPosition(id), 'beyond every screen').to.equal(0xffff_ffff);
      expect(addressOfField(id), 'beyond every screen').to.equal(0xffff_ffff);
    }
  });

  it('takes a short P for the name of something else, in the names of fields', () => {
    expect(addressOfPosition('pf')).to.equal(0xf);
    expect(addressOfField('pf')).to.equal(undefined);
    expect(addressOfField('P00000AD')).to.equal(0xad);
    expect(addressOfField('vAd')).to.equal(0xad);
  });

  it('is nothing else', () => {
    for (const id of ['', 'V', 'P', 'V1G', 'X1F', ' V1F', 'V1F ', 'V1F\n', 'V-1', 'V0x1F', 'VV1F']) {
      expect(addressOfPosition(id), id).to.equal(undefined);
    }
  });
});
