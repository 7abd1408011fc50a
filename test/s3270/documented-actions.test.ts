import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { actionNames } from '../../src/s3270/action-table.js';
import { projectFolder } from '../support/project.js';

describe('actions of s3270', () => {
  it('are all in docs/write/s3270.md', () => {
    const page = readFileSync(join(projectFolder, 'docs', 'write', 's3270.md'), 'utf8');
    expect(actionNames).to.include.members(['Enter', 'Transfer', 'Wait']);
    expect(actionNames.filter((name) => !new RegExp(`\`${name}[\`(]`).test(page))).to.deep.equal([]);
  });
});
