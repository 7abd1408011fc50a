import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { projectFolder } from '../support/project.js';
import { readFaultLists, staleness } from './fault-list.js';

const written = {
  fault: 'the door stands open',
  file: 'src/web/door.ts',
  find: 'locked',
  replace: 'open',
  tests: ['web/door'],
};

/** `npm run mutants` puts the faults in and runs the tests: this is only about the lists. */
describe('the lists of planted faults', () => {
  const faults = readFaultLists(join(projectFolder, 'test', 'mutants'));
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'sallyport-faults-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('fit the code as it is: each text to find stands there once, and each test is there', () => {
    const stale = faults.flatMap((fault) => {
      const reason = staleness(fault, projectFolder);
      return reason === undefined ? [] : [`${fault.room}: ${fault.fault}: ${reason}`];
    });
    expect(stale).to.deep.equal([]);
  });

  it('have names of their own', () => {
    const names = faults.map(({ room, fault }) => `${room}: ${fault}`);
    expect(new Set(names).size).to.equal(names.length);
  });

  it('are told where they no longer fit', () => {
    const fault = { ...written, room: 'templates', survives: undefined };
    expect(staleness(fault, projectFolder)).to.equal('src/web/door.ts is gone');
    const ofText = (find: string) =>
      staleness({ ...fault, file: 'src/templates/template-file.ts', find, tests: ['web/door'] }, projectFolder);
    expect(ofText('no such text')).to.equal('src/templates/template-file.ts: the text to find stands there 0 times');
    expect(ofText('import ')).to.match(/stands there \d+ times$/);
    expect(ofText('constants.O_NONBLOCK')).to.equal('test/web/door.test.ts is gone');
  });

  it('have a command that says what it can, and what it does not know', () => {
    const run = (...options: string[]) =>
      spawnSync(process.execPath, [join(projectFolder, 'scripts', 'mutants.mjs'), ...options], { encoding: 'utf8' });
    const help = run('--help');
    expect([help.status, help.stderr]).to.deep.equal([0, '']);
    for (const option of ['--room', '--only', '--help']) expect(help.stdout).to.include(option);
    const unknown = run('--rooms', 'web');
    expect([unknown.status, unknown.stdout]).to.deep.equal([2, '']);
    expect(unknown.stderr).to.include("'--rooms'").and.include(help.stdout);
  });

  const malformed: readonly (readonly [what: string, list: unknown, message: string])[] = [
    ['no list', { fault: 'x' }, 'web.yaml: a list of faults was expected'],
    ['no entry', [null], 'web.yaml, 1: fault is missing'],
    ['a text that is missing', [written, { ...written, find: '' }], 'web.yaml, 2: find is missing'],
    ['a text that is none', [{ ...written, replace: 0 }], 'web.yaml, 1: replace is missing'],
    ['a key that is not known', [{ ...written, grep: 'x' }], 'web.yaml, 1: grep is not known'],
    ['no tests', [{ ...written, tests: [] }], 'web.yaml, 1: tests must name those that should notice'],
    ['a reason that is none', [{ ...written, survives: true }], 'web.yaml, 1: survives must say why'],
    [
      'a file of another room',
      [{ ...written, file: 'src/lines/x.ts' }],
      'web.yaml, 1: src/lines/x.ts is in another room',
    ],
    ['nothing to replace', [{ ...written, replace: 'locked' }], 'web.yaml, 1: nothing is replaced'],
  ];
  for (const [what, list, message] of malformed) {
    it(`are refused with ${what}`, () => {
      writeFileSync(join(folder, 'web.yaml'), JSON.stringify(list));
      expect(() => readFaultLists(folder)).to.throw(message);
    });
  }
});
