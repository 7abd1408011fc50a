import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { driveCommand } from '../support/drive-process.js';
import { skipUnless } from '../support/need.js';
import { projectFolder } from '../support/project.js';

/** Recorded host sessions lie beside the project, where they lie at all: they are others' and are not copied. */
const traces = join(projectFolder, '..', 'shared', 'traces');

describe('recorded host sessions', () => {
  it('give every screen that they must', function () {
    this.timeout(180_000);
    skipUnless(this, existsSync(join(traces, 'judge.py')), 'there are no recorded sessions in ../shared/traces');
    const { status, stdout, stderr } = spawnSync(
      'python3',
      [join(traces, 'judge.py'), '--adapter', driveCommand.join(' '), '--jobs', '2'],
      { encoding: 'utf8' },
    );
    expect(status, `${stdout}${stderr}`).to.equal(0);
    expect(stdout).to.match(/(\d+)\/\1 entries passed/);
  });
});
