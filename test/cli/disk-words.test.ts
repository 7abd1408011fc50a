import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { diskWords } from '../../src/cli/output.js';

describe('what commands say of the disk', () => {
  it('is what is wrong and what to do, with the words of the system', () => {
    let missing: unknown;
    try {
      readFileSync('/nowhere/at-all');
    } catch (error) {
      missing = error;
    }
    expect(diskWords(missing)).to.match(/^it does not exist \(ENOENT: .*'\/nowhere\/at-all'\)$/);
    const full = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
    expect(diskWords(full)).to.equal('the disk is full: free some space (ENOSPC: no space left on device, write)');
    expect(diskWords(new Error('words of ours'))).to.equal('words of ours');
  });
});
